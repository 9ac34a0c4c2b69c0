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

/** What instances get where they say nothing; all that a preset can give. */
export interface VirtualMachineInstancePresetProps extends ResourceProps {
  /** The instances, by labels of theirs. */
  readonly selector: k8s.LabelSelector;
  /**
   * CPU.
   * @default - left open
   */
  readonly cpu?: Cpu;
  /**
   * CPU and memory that Kubernetes sets aside, as quantities.
   * @default - left open
   */
  readonly requests?: { readonly [resource: string]: string };
  /**
   * How guests boot. No tables of a licence: a preset brings no volumes.
   * @default - left open
   */
  readonly firmware?: Firmware;
  /**
   * The clock and its timers.
   * @default - left open
   */
  readonly clock?: Clock;
  /**
   * Features of the machine.
   * @default - left open
   */
  readonly features?: MachineFeatures;
  /**
   * What guests find of Hyper-V.
   * @default - left open
   */
  readonly hyperv?: HyperV;
  /**
   * Threads of QEMU that serve disks.
   * @default - left open
   */
  readonly ioThreads?: IoThreads;
  /**
   * Acts when a guest stops answering.
   * @default - left open
   */
  readonly watchdog?: Watchdog;
}

/**
 * What instances with certain labels get at their creation (`kubevirt.io/v1` VirtualMachineInstancePreset). KubeVirt
 * gives these up: instancetypes and preferences do more. It is here for manifests that have them.
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
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props guests, and the fields that they get
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
