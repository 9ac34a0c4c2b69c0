import type { CPU } from '../../api/generated/kubevirt-v1';

/** What a guest's CPU has beyond its size. */
export interface CpuOptions {
  /**
   * `host-model`, `host-passthrough`, or a name such as `Haswell`.
   * @default - host-model
   */
  readonly model?: string;
  /**
   * vCPUs are pinned to CPUs that no one else uses.
   * @default false
   */
  readonly dedicated?: boolean;
  /**
   * How many sockets can be plugged in while the guest runs.
   * @default - four times the sockets
   */
  readonly maxSockets?: number;
}

/** How many sockets, cores and threads a guest sees. */
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
  /** One socket with this many cores. */
  public static cores(count: number, options: CpuOptions = {}): Cpu {
    return new Cpu({ cores: count }, options);
  }

  /** This many sockets of one core: the shape that can grow while the guest runs. */
  public static sockets(count: number, options: CpuOptions = {}): Cpu {
    return new Cpu({ sockets: count }, options);
  }

  /** Any topology. */
  public static topology(topology: CpuTopology, options: CpuOptions = {}): Cpu {
    return new Cpu(topology, options);
  }

  /** Sockets × cores × threads. */
  public readonly vcpus: number;

  private constructor(
    private readonly topology: CpuTopology,
    private readonly options: CpuOptions,
  ) {
    const { sockets = 1, cores = 1, threads = 1 } = topology;
    this.vcpus = sockets * cores * threads;
  }

  /** @internal */
  public _render(): CPU {
    const { sockets = 1, cores = 1, threads = 1 } = this.topology;
    return {
      sockets,
      cores,
      threads,
      ...(this.options.model === undefined ? {} : { model: this.options.model }),
      ...(this.options.dedicated === undefined ? {} : { dedicatedCpuPlacement: this.options.dedicated }),
      ...(this.options.maxSockets === undefined ? {} : { maxSockets: this.options.maxSockets }),
    };
  }
}
