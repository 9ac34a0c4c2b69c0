import type { CPU, CPUFeature, Realtime } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined } from '../defined';

/** What becomes of a CPU feature. */
export class CpuFeaturePolicy extends Choice {
  /** The guest has it, whether the host does or not. */
  public static readonly FORCE = CpuFeaturePolicy.of('force');
  /** The guest has it; it runs only on hosts that do, too. */
  public static readonly REQUIRE = CpuFeaturePolicy.of('require');
  /** The guest has it where the host does. */
  public static readonly OPTIONAL = CpuFeaturePolicy.of('optional');
  /** The guest does not have it. */
  public static readonly DISABLE = CpuFeaturePolicy.of('disable');
  /** The guest does not have it, and does not run on hosts that do. */
  public static readonly FORBID = CpuFeaturePolicy.of('forbid');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CpuFeaturePolicy {
    return new CpuFeaturePolicy(value);
  }
}

/** A feature that the guest's CPU has or lacks. */
export interface CpuFeature {
  /** Its name in libvirt, such as `vmx` or `apic`. */
  readonly name: string;
  /**
   * Whether the guest has it.
   * @default CpuFeaturePolicy.REQUIRE
   */
  readonly policy?: CpuFeaturePolicy;
}

/** Realtime scheduling of a guest's vCPUs. */
export interface CpuRealtime {
  /**
   * The vCPUs, as ranges and exceptions: `0-3,^1`.
   * @default - all
   */
  readonly mask?: string;
}

/** What a guest's CPU has beyond its size. */
export interface CpuOptions {
  /**
   * `host-model`, `host-passthrough`, or a name such as `Haswell`.
   * @default - host-model; host-passthrough on arm64
   */
  readonly model?: string;
  /**
   * Features to add to the model, or to hide.
   * @default - those of the model
   */
  readonly features?: CpuFeature[];
  /**
   * vCPUs are pinned to CPUs that no one else uses.
   * @default false
   */
  readonly dedicated?: boolean;
  /**
   * One more dedicated CPU for QEMU itself. Needs `dedicated`.
   * @default false
   */
  readonly isolateEmulatorThread?: boolean;
  /**
   * How many sockets can be plugged in while the guest runs.
   * @default - four times the sockets
   */
  readonly maxSockets?: number;
  /**
   * The guest sees the NUMA layout of the CPUs it has. Needs `dedicated`, and huge pages.
   * @default false
   */
  readonly numaPassthrough?: boolean;
  /**
   * Realtime scheduling of the vCPUs; `{}` for all of them. Needs `dedicated`.
   * @default - none
   */
  readonly realtime?: CpuRealtime;
}

/** How many sockets, cores and threads a guest sees. Where it names sockets, more can be plugged in. */
export interface CpuTopology {
  /**
   * Sockets; these can be plugged in while the guest runs.
   * @default 1
   */
  readonly sockets?: number;
  /**
   * Cores of each socket.
   * @default 1
   */
  readonly cores?: number;
  /**
   * Threads of each core.
   * @default 1
   */
  readonly threads?: number;
}

/** The CPU that a guest sees. */
export class Cpu {
  /**
   * This many cores, from 1, in one socket. No CPU is plugged into such a guest while it runs.
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
   * This many sockets, from 1, of one core each: the shape that can grow while the guest runs.
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
   * Any topology.
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
   * Model and features alone: the size follows from `requests`, `limits` or an instancetype. An instancetype that
   * names a model conflicts with one here.
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

  /** Sockets × cores × threads; 1 when another place decides. */
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

/** Features as the API writes them. */
export function renderCpuFeatures(features: readonly CpuFeature[]): CPUFeature[] {
  return features.map(({ name, policy }) => defined({ name, policy: policy?.value as CPUFeature['policy'] }));
}

/** Realtime as the API writes it. */
export function renderRealtime(realtime: CpuRealtime | undefined): Realtime | undefined {
  return realtime && defined({ mask: realtime.mask });
}
