import { ApiObject, Size } from 'cdk8s';
import { Construct } from 'constructs';
import type { VirtualMachineInstancetypeSpec } from '../../api/generated/instancetype-v1beta1';
import {
  VirtualMachineClusterInstancetypeObject,
  VirtualMachineInstancetypeObject,
} from '../generated/instancetype-v1beta1';
import type { IInstancetype } from '../references';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { quantityOfSize } from '../storage/size';
import { validateOnSynth } from '../validation';
import { CpuRealtime, renderRealtime } from './cpu';
import { defined, listed } from '../defined';
import { Gpu, HostDevice } from './host-devices';
import { IoThreads } from './io-threads';
import { LaunchSecurity } from './launch-security';
import { HugepageSize } from './memory';
import type { SizingReferenceOptions } from './sizing';
import { SizingReference } from './sizing-reference';

/** A size, and what else is decided for all guests that have it. */
export interface InstancetypeProps extends ResourceProps {
  /** vCPUs, from 1. How they become sockets, cores and threads is up to the preference. */
  readonly cpus: number;
  /** Memory that the guest sees. */
  readonly memory: Size;
  /**
   * Number of sockets that the guest may have at most, with those that are plugged in while it runs.
   * @default - four times the sockets
   */
  readonly maxSockets?: number;
  /**
   * `host-model`, `host-passthrough`, or a name such as `Haswell`.
   * @default - the platform's
   */
  readonly cpuModel?: string;
  /**
   * vCPUs are pinned to CPUs that no one else uses.
   * @default false
   */
  readonly dedicatedCpus?: boolean;
  /**
   * One more dedicated CPU for QEMU itself.
   * @default false
   */
  readonly isolateEmulatorThread?: boolean;
  /**
   * The guest sees the NUMA layout of the CPUs it has.
   * @default false
   */
  readonly numaPassthrough?: boolean;
  /**
   * Realtime scheduling of the vCPUs; `{}` for all of them.
   * @default - none
   */
  readonly realtime?: CpuRealtime;
  /**
   * Most memory that can be plugged in while the guest runs.
   * @default - four times the memory
   */
  readonly maxMemory?: Size;
  /**
   * Huge pages back the guest.
   * @default - pages of the usual size
   */
  readonly hugepages?: HugepageSize;
  /**
   * The Pod asks for this much less memory, in percent. Not with huge pages.
   * @default 0
   */
  readonly memoryOvercommitPercent?: number;
  /**
   * GPUs of the node that are given to the guest.
   * @default - none
   */
  readonly gpus?: Gpu[];
  /**
   * Other devices of the node that are given to the guest.
   * @default - none
   */
  readonly hostDevices?: HostDevice[];
  /**
   * Threads of QEMU that serve disks.
   * @default - what the VM says
   */
  readonly ioThreads?: IoThreads;
  /**
   * Encrypts the guest's memory. Deprecated by KubeVirt: say it in a preference.
   * @default - what the VM says
   */
  readonly launchSecurity?: LaunchSecurity;
  /**
   * Labels that the node must have.
   * @default - what the VM says
   */
  readonly nodeSelector?: { readonly [label: string]: string };
  /**
   * Which scheduler places the Pod.
   * @default - what the VM says
   */
  readonly schedulerName?: string;
  /**
   * Annotations of each instance.
   * @default - none
   */
  readonly annotations?: { readonly [annotation: string]: string };
}

/**
 * A size that VMs of its namespace can have (`instancetype.kubevirt.io/v1beta1` VirtualMachineInstancetype).
 *
 * @example
 * const small = new Instancetype(chart, 'small', { cpus: 2, memory: Size.gibibytes(4) });
 * new VirtualMachine(chart, 'web', { instancetype: small, disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')] });
 */
export class Instancetype extends Resource implements IInstancetype {
  /**
   * One that exists in the VM's namespace.
   *
   * @param name name of the object
   * @param options revision, where it is not the current one
   * @example
   * new VirtualMachine(chart, 'web', {
   *   instancetype: Instancetype.fromName('small'),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   * });
   */
  public static fromName(name: string, options: SizingReferenceOptions = {}): IInstancetype {
    return new SizingReference('VirtualMachineInstancetype', name, options);
  }

  public readonly apiObject: ApiObject;
  /** vCPUs. */
  public readonly cpus: number;
  /** Memory that the guest sees. */
  public readonly memory: Size;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props size, and what else it decides
   */
  constructor(scope: Construct, id: string, props: InstancetypeProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    this.cpus = props.cpus;
    this.memory = props.memory;
    const spec = renderInstancetype(props);
    this.apiObject = new VirtualMachineInstancetypeObject(this, 'Resource', { metadata: props.metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineInstancetype' {
    return 'VirtualMachineInstancetype';
  }
}

/**
 * A size that VMs of all namespaces can have (`instancetype.kubevirt.io/v1beta1` VirtualMachineClusterInstancetype).
 *
 * @example
 * const small = new ClusterInstancetype(chart, 'small', { cpus: 2, memory: Size.gibibytes(4) });
 * new VirtualMachine(chart, 'web', { instancetype: small, disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')] });
 */
export class ClusterInstancetype extends Resource implements IInstancetype {
  /**
   * One that exists in the cluster, such as `u1.medium` of KubeVirt's common instancetypes.
   *
   * @param name name of the object
   * @param options revision, where it is not the current one
   * @example
   * new VirtualMachine(chart, 'web', {
   *   instancetype: ClusterInstancetype.fromName('u1.medium'),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   * });
   */
  public static fromName(name: string, options: SizingReferenceOptions = {}): IInstancetype {
    return new SizingReference('VirtualMachineClusterInstancetype', name, options);
  }

  public readonly apiObject: ApiObject;
  /** vCPUs. */
  public readonly cpus: number;
  /** Memory that the guest sees. */
  public readonly memory: Size;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props size, and what else it decides
   */
  constructor(scope: Construct, id: string, props: InstancetypeProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    this.cpus = props.cpus;
    this.memory = props.memory;
    const spec = renderInstancetype(props);
    const { metadata } = props;
    this.apiObject = new VirtualMachineClusterInstancetypeObject(this, 'Resource', { metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineClusterInstancetype' {
    return 'VirtualMachineClusterInstancetype';
  }
}

function renderInstancetype(props: InstancetypeProps): VirtualMachineInstancetypeSpec {
  const { cpus, memory, maxMemory, hugepages, nodeSelector, annotations } = props;
  return defined({
    annotations: annotations && { ...annotations },
    cpu: defined({
      guest: cpus,
      maxSockets: props.maxSockets,
      model: props.cpuModel,
      dedicatedCPUPlacement: props.dedicatedCpus,
      isolateEmulatorThread: props.isolateEmulatorThread,
      numa: props.numaPassthrough ? { guestMappingPassthrough: {} } : undefined,
      realtime: renderRealtime(props.realtime),
    }),
    memory: defined({
      guest: quantityOfSize(memory),
      maxGuest: maxMemory && quantityOfSize(maxMemory),
      hugepages: hugepages && { pageSize: hugepages.value },
      overcommitPercent: props.memoryOvercommitPercent,
    }),
    gpus: listed(props.gpus?.map((gpu, i) => gpu._render(i))),
    hostDevices: listed(props.hostDevices?.map((device, i) => device._render(i))),
    ...props.ioThreads?._render(),
    launchSecurity: props.launchSecurity?._render(),
    nodeSelector: nodeSelector && { ...nodeSelector },
    schedulerName: props.schedulerName,
  });
}

const properties: readonly (readonly [RegExp, string])[] = [
  [/^spec\.cpu\.guest\b/, 'cpus'],
  [/^spec\.cpu\.model\b/, 'cpuModel'],
  [/^spec\.cpu\.dedicatedCPUPlacement\b/, 'dedicatedCpus'],
  [/^spec\.cpu\.numa\b.*/, 'numaPassthrough'],
  [/^spec\.cpu\.(maxSockets|isolateEmulatorThread|realtime)\b/, '$1'],
  [/^spec\.memory\.guest\b/, 'memory'],
  [/^spec\.memory\.maxGuest\b/, 'maxMemory'],
  [/^spec\.memory\.hugepages\b.*/, 'hugepages'],
  [/^spec\.memory\.overcommitPercent\b/, 'memoryOvercommitPercent'],
  [/^spec\.ioThreads\w*.*/, 'ioThreads'],
  [/^spec\.launchSecurity\b.*/, 'launchSecurity'],
  [/^spec\.(gpus|hostDevices|nodeSelector|schedulerName|annotations)\b/, '$1'],
];

function locate(field: string): string | undefined {
  const found = properties.find(([pattern]) => pattern.test(field));
  return found && field.replace(found[0], found[1]);
}
