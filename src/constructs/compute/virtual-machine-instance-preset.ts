import { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import type { DomainSpec, VirtualMachineInstancePresetSpec } from '../../api/generated/kubevirt-v1';
import { VirtualMachineInstancePresetObject } from '../generated/kubevirt-v1';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import { Clock } from './clock';
import { Cpu } from './cpu';
import { defined } from '../defined';
import { Watchdog } from './device-choices';
import { MachineFeatures, renderFeatures } from './features';
import { Firmware } from './firmware';
import { HyperV } from './hyperv';
import { IoThreads } from './io-threads';

/** Properties of a preset: defaults for instances that do not set a value. A preset can set nothing else. */
export interface VirtualMachineInstancePresetProps extends ResourceProps {
  /** Labels of the instances that the preset applies to. */
  readonly selector: k8s.LabelSelector;
  /**
   * CPU that the guest sees.
   * @default - not set
   */
  readonly cpu?: Cpu;
  /**
   * CPU and memory that Kubernetes reserves, as quantities.
   * @default - not set
   */
  readonly requests?: { readonly [resource: string]: string };
  /**
   * Firmware of the guests. ACPI licence tables are not allowed, since a preset cannot add volumes.
   * @default - not set
   */
  readonly firmware?: Firmware;
  /**
   * Clock and its timers.
   * @default - not set
   */
  readonly clock?: Clock;
  /**
   * Features of the machine.
   * @default - not set
   */
  readonly features?: MachineFeatures;
  /**
   * Hyper-V enlightenments.
   * @default - not set
   */
  readonly hyperv?: HyperV;
  /**
   * QEMU threads that handle disk I/O.
   * @default - not set
   */
  readonly ioThreads?: IoThreads;
  /**
   * Watchdog, which acts when a guest stops responding.
   * @default - not set
   */
  readonly watchdog?: Watchdog;
}

/**
 * Defaults that instances with certain labels receive when they are created (`kubevirt.io/v1`
 * VirtualMachineInstancePreset). KubeVirt has deprecated presets; use instance types and preferences in new code. This
 * construct exists for manifests that still have presets.
 *
 * @example
 * new VirtualMachineInstancePreset(chart, 'small', {
 *   selector: { matchLabels: { size: 'small' } },
 *   cpu: Cpu.cores(2),
 * });
 */
export class VirtualMachineInstancePreset extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props labels of the instances, and their defaults
   */
  constructor(scope: Construct, id: string, props: VirtualMachineInstancePresetProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { metadata, selector } = props;
    const spec = { selector, domain: renderPresetDomain(props) } as VirtualMachineInstancePresetSpec;
    this.apiObject = new VirtualMachineInstancePresetObject(this, 'Resource', { metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }) });
  }
}

function renderPresetDomain(props: VirtualMachineInstancePresetProps): DomainSpec {
  const { cpu, requests, firmware, clock, features, hyperv, ioThreads, watchdog } = props;
  return defined({
    cpu: cpu?._render(),
    resources: requests && { requests: { ...requests } },
    firmware: firmware?._render(),
    clock: clock?._render(),
    features: renderFeatures(features, hyperv, firmware?.secureBoot),
    ...ioThreads?._render(),
    devices: watchdog ? { watchdog: watchdog._render() } : {},
  });
}
