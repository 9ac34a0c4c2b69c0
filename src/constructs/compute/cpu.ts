import type { CPU, CPUFeature, Realtime } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined } from '../defined';

/** Policy for a CPU feature. */
export class CpuFeaturePolicy extends Choice {
  /** The guest has the feature, even on hosts without it. */
  public static readonly FORCE = CpuFeaturePolicy.of('force');
  /** The guest has the feature and runs only on hosts that have it. */
  public static readonly REQUIRE = CpuFeaturePolicy.of('require');
  /** The guest has the feature if the host has it. */
  public static readonly OPTIONAL = CpuFeaturePolicy.of('optional');
  /** The guest does not have the feature. */
  public static readonly DISABLE = CpuFeaturePolicy.of('disable');
  /** The guest does not have the feature and runs only on hosts without it. */
  public static readonly FORBID = CpuFeaturePolicy.of('forbid');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): CpuFeaturePolicy {
    return new CpuFeaturePolicy(value);
  }
}

/** CPU feature and its policy. */
export interface CpuFeature {
  /** Name of the feature in libvirt, such as `vmx` or `apic`. */
  readonly name: string;
  /**
   * Policy for the feature.
   * @default CpuFeaturePolicy.REQUIRE
   */
  readonly policy?: CpuFeaturePolicy;
}

/** Realtime scheduling of a guest's vCPUs. */
export interface CpuRealtime {
  /**
   * vCPUs with realtime scheduling, as ranges and exceptions: `0-3,^1`.
   * @default - all vCPUs
   */
  readonly mask?: string;
}

/** Options of a CPU beyond its size. */
export interface CpuOptions {
  /**
   * CPU model: `host-model`, `host-passthrough`, or a name such as `Haswell`.
   * @default - host-model; host-passthrough on arm64
   */
  readonly model?: string;
  /**
   * CPU features to add to the model or to hide.
   * @default - features of the model
   */
  readonly features?: CpuFeature[];
  /**
   * Whether each vCPU is pinned to a CPU of the node that no other Pod uses.
   * @default false
   */
  readonly dedicated?: boolean;
  /**
   * Whether QEMU itself gets a further dedicated CPU. Requires `dedicated`.
   * @default false
   */
  readonly isolateEmulatorThread?: boolean;
  /**
   * Maximum number of sockets, including those plugged in while the guest runs.
   * @default - four times the number of sockets
   */
  readonly maxSockets?: number;
  /**
   * Whether the guest sees the NUMA layout of its CPUs. Requires `dedicated` and huge pages.
   * @default false
   */
  readonly numaPassthrough?: boolean;
  /**
   * Realtime scheduling of the vCPUs; `{}` selects all vCPUs. Requires `dedicated`.
   * @default - none
   */
  readonly realtime?: CpuRealtime;
}

/** Numbers of sockets, cores and threads that a guest sees. If `sockets` is set, more sockets can be plugged in. */
export interface CpuTopology {
  /**
   * Number of sockets. Sockets can be plugged in while the guest runs.
   * @default 1
   */
  readonly sockets?: number;
  /**
   * Number of cores of each socket.
   * @default 1
   */
  readonly cores?: number;
  /**
   * Number of threads of each core.
   * @default 1
   */
  readonly threads?: number;
}

/** CPU that a guest sees. */
export class Cpu {
  /**
   * Creates a CPU with one socket and this number of cores (at least 1). No CPU can be plugged in while the guest runs.
   *
   * @param count number of cores
   * @param options model, features and placement
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cpu: Cpu.cores(4),
   * });
   */
  public static cores(count: number, options: CpuOptions = {}): Cpu {
    return new Cpu({ cores: count }, options);
  }

  /**
   * Creates a CPU with this number of sockets (at least 1) of one core each. More can be plugged in while the guest
   * runs.
   *
   * @param count number of sockets
   * @param options maximum, model, features and placement
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cpu: Cpu.sockets(2, { maxSockets: 8 }),
   * });
   */
  public static sockets(count: number, options: CpuOptions = {}): Cpu {
    return new Cpu({ sockets: count }, options);
  }

  /**
   * Creates a CPU with any topology.
   *
   * @param topology numbers of sockets, cores and threads
   * @param options model, features and placement
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cpu: Cpu.topology({ sockets: 1, cores: 4, threads: 2 }),
   * });
   */
  public static topology(topology: CpuTopology, options: CpuOptions = {}): Cpu {
    return new Cpu(topology, options);
  }

  /**
   * Sets the model and features, and leaves the size to `requests`, `limits` or an instance type. An instance type that
   * sets a model as well is a conflict.
   *
   * @param name model, such as `host-passthrough` or `Haswell`
   * @param options features and placement
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cpu: Cpu.ofModel('host-passthrough'),
   * });
   */
  public static ofModel(name: string, options: CpuOptions = {}): Cpu {
    return new Cpu(undefined, { ...options, model: name });
  }

  /** Number of vCPUs: sockets × cores × threads. 1 if the size is set elsewhere, such as by an instance type. */
  public readonly vcpus: number;

  private constructor(
    private readonly topology: CpuTopology | undefined,
    private readonly options: CpuOptions,
  ) {
    const { sockets = 1, cores = 1, threads = 1 } = topology ?? {};
    this.vcpus = sockets * cores * threads;
  }

  /** @internal */
  public _render(): CPU {
    const { model, features, dedicated, isolateEmulatorThread, maxSockets, numaPassthrough, realtime } = this.options;
    return defined({
      ...this.topology,
      model,
      features: features?.length ? renderCpuFeatures(features) : undefined,
      dedicatedCpuPlacement: dedicated,
      isolateEmulatorThread,
      maxSockets,
      numa: numaPassthrough ? { guestMappingPassthrough: {} } : undefined,
      realtime: renderRealtime(realtime),
    });
  }
}

/** Renders features as the API writes them. */
export function renderCpuFeatures(features: readonly CpuFeature[]): CPUFeature[] {
  return features.map(({ name, policy }) => defined({ name, policy: policy?.value as CPUFeature['policy'] }));
}

/** Renders realtime options as the API writes them. */
export function renderRealtime(realtime: CpuRealtime | undefined): Realtime | undefined {
  return realtime && defined({ mask: realtime.mask });
}
