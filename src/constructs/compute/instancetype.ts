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

/** Properties of an instance type: a size, and settings that its guests share. */
export interface InstancetypeProps extends ResourceProps {
  /** Number of vCPUs, at least 1. The preference decides how they are divided into sockets, cores and threads. */
  readonly cpus: number;
  /** Memory that the guest sees. */
  readonly memory: Size;
  /**
   * Maximum number of sockets, including those plugged in while the guest runs.
   * @default - four times the number of sockets
   */
  readonly maxSockets?: number;
  /**
   * CPU model: `host-model`, `host-passthrough`, or a name such as `Haswell`.
   * @default - the platform's default
   */
  readonly cpuModel?: string;
  /**
   * Whether each vCPU is pinned to a CPU of the node that no other Pod uses.
   * @default false
   */
  readonly dedicatedCpus?: boolean;
  /**
   * Whether QEMU itself gets a further dedicated CPU. Requires `dedicatedCpus`.
   * @default false
   */
  readonly isolateEmulatorThread?: boolean;
  /**
   * Whether the guest sees the NUMA layout of its CPUs. Requires `dedicatedCpus` and `hugepages`.
   * @default false
   */
  readonly numaPassthrough?: boolean;
  /**
   * Realtime scheduling of the vCPUs; `{}` selects all vCPUs. Requires `dedicatedCpus`.
   * @default - none
   */
  readonly realtime?: CpuRealtime;
  /**
   * Maximum memory, including memory plugged in while the guest runs.
   * @default - four times the memory
   */
  readonly maxMemory?: Size;
  /**
   * Size of the huge pages that back the guest's memory.
   * @default - no huge pages
   */
  readonly hugepages?: HugepageSize;
  /**
   * Percentage by which the Pod's memory request is below the guest's memory. Not allowed with huge pages.
   * @default 0
   */
  readonly memoryOvercommitPercent?: number;
  /**
   * GPUs of the node to assign to the guest.
   * @default - none
   */
  readonly gpus?: Gpu[];
  /**
   * Other devices of the node to assign to the guest.
   * @default - none
   */
  readonly hostDevices?: HostDevice[];
  /**
   * QEMU threads that handle disk I/O.
   * @default - as set in the VM
   */
  readonly ioThreads?: IoThreads;
  /**
   * Encryption of the guest's memory. Deprecated by KubeVirt: set it in a preference instead.
   * @default - as set in the VM
   */
  readonly launchSecurity?: LaunchSecurity;
  /**
   * Labels that the node must have.
   * @default - as set in the VM
   */
  readonly nodeSelector?: { readonly [label: string]: string };
  /**
   * Name of the scheduler that places the Pod.
   * @default - as set in the VM
   */
  readonly schedulerName?: string;
  /**
   * Annotations that each instance receives.
   * @default - none
   */
  readonly annotations?: { readonly [annotation: string]: string };
}

/**
 * Instance type for VMs of its namespace: a size that VMs refer to (`instancetype.kubevirt.io/v1beta1`
 * VirtualMachineInstancetype).
 *
 * @example
 * const small = new Instancetype(chart, 'small', { cpus: 2, memory: Size.gibibytes(4) });
 * new VirtualMachine(chart, 'web', { instancetype: small, disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')] });
 */
export class Instancetype extends Resource implements IInstancetype {
  /**
   * Refers to an instance type that exists in the VM's namespace.
   *
   * @param name name of the object
   * @param options revision, if not the current one
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
  /** Number of vCPUs. */
  public readonly cpus: number;
  /** Memory that the guest sees. */
  public readonly memory: Size;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props size and settings of the guests
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
 * Instance type for VMs of all namespaces: a size that VMs refer to (`instancetype.kubevirt.io/v1beta1`
 * VirtualMachineClusterInstancetype).
 *
 * @example
 * const small = new ClusterInstancetype(chart, 'small', { cpus: 2, memory: Size.gibibytes(4) });
 * new VirtualMachine(chart, 'web', { instancetype: small, disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')] });
 */
export class ClusterInstancetype extends Resource implements IInstancetype {
  /**
   * Refers to an instance type that exists in the cluster, such as `u1.medium` of KubeVirt's common instance types.
   *
   * @param name name of the object
   * @param options revision, if not the current one
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
  /** Number of vCPUs. */
  public readonly cpus: number;
  /** Memory that the guest sees. */
  public readonly memory: Size;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props size and settings of the guests
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
