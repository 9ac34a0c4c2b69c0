import type { FeatureHyperv, Features } from '../../api/generated/kubevirt-v1';
import { defined, switched } from '../defined';

/** What a guest finds of Hyper-V. Each is off unless it is named. */
export interface HyperVOptions {
  /**
   * Faster nested guests, on Intel. Needs `vapic`.
   * @default - off
   */
  readonly evmcs?: boolean;
  /**
   * The guest can read the frequencies of TSC and APIC.
   * @default - off
   */
  readonly frequencies?: boolean;
  /**
   * Cheaper interrupts between CPUs. Needs `vpIndex`.
   * @default - off
   */
  readonly ipi?: boolean;
  /**
   * The guest is told when the frequency of the TSC changes.
   * @default - off
   */
  readonly reenlightenment?: boolean;
  /**
   * No watchdog of the guest's own for interrupts that come late.
   * @default - off
   */
  readonly relaxed?: boolean;
  /**
   * The guest can reset itself. Needs `synic`.
   * @default - off
   */
  readonly reset?: boolean;
  /**
   * The guest can read how long each CPU really ran.
   * @default - off
   */
  readonly runtime?: boolean;
  /**
   * How often a lock is tried before the host is told, at least 4096.
   * @default - the host is never told
   */
  readonly spinlocks?: number;
  /**
   * The synthetic interrupt controller. Needs `vpIndex`.
   * @default - off
   */
  readonly synic?: boolean;
  /**
   * Timers of the synthetic interrupt controller. Needs `synic`.
   * @default - off
   */
  readonly synicTimer?: boolean;
  /**
   * These timers interrupt directly.
   * @default - off
   */
  readonly synicTimerDirect?: boolean;
  /**
   * Cheaper flushes of other CPUs' TLBs. Needs `vpIndex`.
   * @default - off
   */
  readonly tlbFlush?: boolean;
  /**
   * Nested guests ask the host for such flushes directly.
   * @default - off
   */
  readonly tlbFlushDirect?: boolean;
  /**
   * Parts of a TLB can be flushed.
   * @default - off
   */
  readonly tlbFlushExtended?: boolean;
  /**
   * Cheaper interrupts.
   * @default - off
   */
  readonly vapic?: boolean;
  /**
   * Name of the hypervisor, as the guest reads it: at most 12 characters.
   * @default - `Microsoft Hv`
   */
  readonly vendorId?: string;
  /**
   * The guest can read the number of each CPU.
   * @default - off
   */
  readonly vpIndex?: boolean;
}

/** What Windows gains from, on every host that can do Hyper-V at all. */
const windows: HyperVOptions = {
  frequencies: true,
  ipi: true,
  reenlightenment: true,
  relaxed: true,
  reset: true,
  runtime: true,
  spinlocks: 8191,
  synic: true,
  synicTimer: true,
  synicTimerDirect: true,
  tlbFlush: true,
  vapic: true,
  vpIndex: true,
};

/** What a guest finds of Hyper-V, so that Windows runs faster. */
export class HyperV {
  /**
   * What is named, and nothing else.
   *
   * @param options enlightenments that are on
   * @example
   * new VirtualMachine(chart, 'windows', {
   *   memory: Size.gibibytes(8),
   *   disks: [Disk.dataVolume({ name: 'windows-10' })],
   *   hyperv: HyperV.of({ relaxed: true, vapic: true, spinlocks: 8191 }),
   * });
   */
  public static of(options: HyperVOptions): HyperV {
    return new HyperV({ hyperv: renderHyperV(options) });
  }

  /**
   * Everything that Windows gains from, on every host: frequencies, ipi, reenlightenment, relaxed, reset, runtime,
   * spinlocks (8191), synic, its timer (direct), tlbflush, vapic, vpindex. The set of KubeVirt's common instancetypes.
   *
   * @param overrides what is to be otherwise, such as `{ reenlightenment: false }`
   * @example
   * new VirtualMachine(chart, 'windows', {
   *   memory: Size.gibibytes(8),
   *   disks: [Disk.dataVolume({ name: 'windows-10' })],
   *   hyperv: HyperV.windows({ reenlightenment: false }),
   * });
   */
  public static windows(overrides: HyperVOptions = {}): HyperV {
    return HyperV.of({ ...windows, ...overrides });
  }

  /**
   * Everything that the host can do. Such a guest does not migrate.
   *
   * @example
   * new VirtualMachine(chart, 'windows', {
   *   memory: Size.gibibytes(8),
   *   disks: [Disk.dataVolume({ name: 'windows-10' })],
   *   hyperv: HyperV.passthrough(),
   * });
   */
  public static passthrough(): HyperV {
    return new HyperV({ hypervPassthrough: { enabled: true } });
  }

  private constructor(private readonly features: Pick<Features, 'hyperv' | 'hypervPassthrough'>) {}

  /** @internal */
  public _render(): Pick<Features, 'hyperv' | 'hypervPassthrough'> {
    return this.features;
  }
}

function renderHyperV(options: HyperVOptions): FeatureHyperv {
  const { spinlocks, synicTimer, synicTimerDirect, tlbFlush, tlbFlushDirect, tlbFlushExtended, vendorId } = options;
  return defined({
    evmcs: switched(options.evmcs),
    frequencies: switched(options.frequencies),
    ipi: switched(options.ipi),
    reenlightenment: switched(options.reenlightenment),
    relaxed: switched(options.relaxed),
    reset: switched(options.reset),
    runtime: switched(options.runtime),
    spinlocks: spinlocks === undefined ? undefined : { enabled: true, spinlocks },
    synic: switched(options.synic),
    synictimer: nested(synicTimer, { direct: switched(synicTimerDirect) }),
    tlbflush: nested(tlbFlush, { direct: switched(tlbFlushDirect), extended: switched(tlbFlushExtended) }),
    vapic: switched(options.vapic),
    vendorid: vendorId === undefined ? undefined : { enabled: true, vendorid: vendorId },
    vpindex: switched(options.vpIndex),
  });
}

/** A feature with features of its own: naming one of those switches it on. */
function nested<T extends object>(on: boolean | undefined, parts: T): (T & { enabled: boolean }) | undefined {
  const named = defined(parts);
  if (on === undefined && Object.keys(named).length === 0) return undefined;
  return { enabled: on ?? true, ...named };
}
