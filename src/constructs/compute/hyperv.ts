import type { FeatureHyperv, Features } from '../../api/generated/kubevirt-v1';
import { defined, switched } from '../defined';

/** Hyper-V enlightenments of a guest. Those that are not set are off. */
export interface HyperVOptions {
  /**
   * Whether nested guests use the enlightened VMCS, which is faster. Intel only; requires `vapic`.
   * @default - off
   */
  readonly evmcs?: boolean;
  /**
   * Whether the guest can read the frequencies of TSC and APIC.
   * @default - off
   */
  readonly frequencies?: boolean;
  /**
   * Whether interrupts between CPUs are paravirtual, which is faster. Requires `vpIndex`.
   * @default - off
   */
  readonly ipi?: boolean;
  /**
   * Whether the guest is notified when the frequency of the TSC changes.
   * @default - off
   */
  readonly reenlightenment?: boolean;
  /**
   * Whether the guest turns off its watchdog for late interrupts.
   * @default - off
   */
  readonly relaxed?: boolean;
  /**
   * Whether the guest can reset itself through Hyper-V. Requires `synic`.
   * @default - off
   */
  readonly reset?: boolean;
  /**
   * Whether the guest can read the time for which each virtual CPU ran.
   * @default - off
   */
  readonly runtime?: boolean;
  /**
   * Number of attempts to take a lock before the guest notifies the host, at least 4096.
   * @default - the guest never notifies the host
   */
  readonly spinlocks?: number;
  /**
   * Whether the guest has the synthetic interrupt controller. Requires `vpIndex`.
   * @default - off
   */
  readonly synic?: boolean;
  /**
   * Whether the guest has the timers of the synthetic interrupt controller. Requires `synic`.
   * @default - off
   */
  readonly synicTimer?: boolean;
  /**
   * Whether the synthetic timers interrupt the guest directly. Turns `synicTimer` on.
   * @default - off
   */
  readonly synicTimerDirect?: boolean;
  /**
   * Whether the guest flushes TLBs of other CPUs through the host, which is faster. Requires `vpIndex`.
   * @default - off
   */
  readonly tlbFlush?: boolean;
  /**
   * Whether nested guests request TLB flushes from the host directly. Turns `tlbFlush` on.
   * @default - off
   */
  readonly tlbFlushDirect?: boolean;
  /**
   * Whether single ranges of a TLB can be flushed. Turns `tlbFlush` on.
   * @default - off
   */
  readonly tlbFlushExtended?: boolean;
  /**
   * Whether the guest has a virtual APIC, which makes interrupts faster.
   * @default - off
   */
  readonly vapic?: boolean;
  /**
   * Vendor of the hypervisor that the guest reads, at most 12 characters.
   * @default - `Microsoft Hv`
   */
  readonly vendorId?: string;
  /**
   * Whether the guest can read the index of each virtual CPU.
   * @default - off
   */
  readonly vpIndex?: boolean;
}

/** Enlightenments that speed up Windows and are available on every host with Hyper-V support. */
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

/** Hyper-V enlightenments of a guest, which make Windows faster. */
export class HyperV {
  /**
   * Turns on only these enlightenments.
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
   * Turns on the enlightenments that KubeVirt's common instance types use for Windows. They are available on every
   * host: frequencies, ipi, reenlightenment, relaxed, reset, runtime, spinlocks (8191), synic, synicTimer (direct),
   * tlbFlush, vapic, vpIndex.
   *
   * @param overrides enlightenments to change, such as `{ reenlightenment: false }`
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
   * Turns on all enlightenments that the host supports. Such a guest cannot migrate.
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

/** Renders an enlightenment with options. Setting an option turns the enlightenment on. */
function nested<T extends object>(on: boolean | undefined, parts: T): (T & { enabled: boolean }) | undefined {
  const named = defined(parts);
  if (on === undefined && Object.keys(named).length === 0) return undefined;
  return { enabled: on ?? true, ...named };
}
