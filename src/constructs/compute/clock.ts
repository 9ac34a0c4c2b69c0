import type { Clock as ClockSpec, ClockOffset, Timer } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined, definedOrNone } from '../defined';

/** What becomes of ticks that a guest missed. */
export class TickPolicy extends Choice {
  /** They come late, one after the other, at the usual rate. */
  public static readonly DELAY = TickPolicy.of('delay');
  /** They come faster, until the guest has caught up. */
  public static readonly CATCHUP = TickPolicy.of('catchup');
  /** Those that are missing come as one. HPET only. */
  public static readonly MERGE = TickPolicy.of('merge');
  /** They are lost. HPET and PIT only. */
  public static readonly DISCARD = TickPolicy.of('discard');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): TickPolicy {
    return new TickPolicy(value);
  }
}

/** Which clock a real-time clock follows. */
export class RtcTrack extends Choice {
  /** The guest's own, which stands still while the guest is paused. */
  public static readonly GUEST = RtcTrack.of('guest');
  /** The host's. */
  public static readonly WALL = RtcTrack.of('wall');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): RtcTrack {
    return new RtcTrack(value);
  }
}

/** A timer of the machine. */
export interface TimerOptions {
  /**
   * `false` keeps it out, whatever the machine type has.
   * @default true
   */
  readonly present?: boolean;
  /**
   * What becomes of missed ticks.
   * @default - the hypervisor's choice
   */
  readonly tickPolicy?: TickPolicy;
}

/** The real-time clock of the machine. */
export interface RtcOptions extends TimerOptions {
  /**
   * Which clock it follows.
   * @default - the hypervisor's choice
   */
  readonly track?: RtcTrack;
}

/** Timers that a guest may read. */
export interface ClockTimers {
  /**
   * The high precision event timer.
   * @default - as the machine type has it
   */
  readonly hpet?: TimerOptions;
  /**
   * The clock of Hyper-V, for Windows.
   * @default - none
   */
  readonly hyperv?: boolean;
  /**
   * The clock of KVM, for Linux.
   * @default - as the machine type has it
   */
  readonly kvm?: boolean;
  /**
   * The programmable interval timer.
   * @default - as the machine type has it
   */
  readonly pit?: TimerOptions;
  /**
   * The real-time clock.
   * @default - as the machine type has it
   */
  readonly rtc?: RtcOptions;
}

/** A clock that starts at UTC. */
export interface UtcClockOptions {
  /**
   * Seconds from UTC, which may be negative. Then what the guest sets itself survives a reboot.
   * @default - UTC, set anew at each boot
   */
  readonly offsetSeconds?: number;
  /**
   * Timers.
   * @default - those of the machine type
   */
  readonly timers?: ClockTimers;
}

/** A clock that starts at local time. */
export interface ZoneClockOptions {
  /**
   * Timers.
   * @default - those of the machine type
   */
  readonly timers?: ClockTimers;
}

/** The timers that Windows keeps the best time by. */
const windowsTimers: ClockTimers = {
  hpet: { present: false },
  hyperv: true,
  pit: { tickPolicy: TickPolicy.DELAY },
  rtc: { tickPolicy: TickPolicy.CATCHUP },
};

/** The guest's clock. */
export class Clock {
  /**
   * UTC, as Linux expects it.
   *
   * @param options offset, and timers of the machine
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   clock: Clock.utc({ offsetSeconds: 3600 }),
   * });
   */
  public static utc(options: UtcClockOptions = {}): Clock {
    const utc = defined({ offsetSeconds: options.offsetSeconds });
    return new Clock({ utc }, options.timers);
  }

  /**
   * Local time of a zone such as `Europe/Prague`, as Windows expects it.
   *
   * @param zone name of the zone, such as `Europe/Prague`
   * @param options timers of the machine
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   clock: Clock.timezone('Europe/Prague'),
   * });
   */
  public static timezone(zone: string, options: ZoneClockOptions = {}): Clock {
    return new Clock({ timezone: zone }, options.timers);
  }

  /**
   * For Windows: Hyper-V's clock, no HPET, late ticks of the PIT, faster ones of the real-time clock.
   *
   * @param zone such as `Europe/Prague`; UTC when there is none, which Windows must be told in its registry
   * @example
   * new VirtualMachine(chart, 'windows', {
   *   memory: Size.gibibytes(8),
   *   disks: [Disk.dataVolume({ name: 'windows-10' })],
   *   clock: Clock.windows('Europe/Prague'),
   * });
   */
  public static windows(zone?: string): Clock {
    return new Clock(zone === undefined ? { utc: {} } : { timezone: zone }, windowsTimers);
  }

  private constructor(
    private readonly offset: ClockOffset,
    private readonly timers: ClockTimers | undefined,
  ) {}

  /** @internal */
  public _render(): ClockSpec {
    return defined({ ...this.offset, timer: this._renderTimers() });
  }

  /** @internal */
  public _renderOffset(): ClockOffset {
    return this.offset;
  }

  /** @internal */
  public _renderTimers(): Timer | undefined {
    if (!this.timers) return undefined;
    const { hpet, hyperv, kvm, pit, rtc } = this.timers;
    return definedOrNone({
      hpet: hpet && (renderTimer(hpet) as Timer['hpet']),
      hyperv: presence(hyperv),
      kvm: presence(kvm),
      pit: pit && (renderTimer(pit) as Timer['pit']),
      rtc: rtc && (defined({ ...renderTimer(rtc), track: rtc.track?.value }) as Timer['rtc']),
    });
  }
}

function renderTimer({ present, tickPolicy }: TimerOptions): { present?: boolean; tickPolicy?: string } {
  return defined({ present, tickPolicy: tickPolicy?.value });
}

/** A timer without options: that it is named says that it is there. */
function presence(present: boolean | undefined): { present?: boolean } | undefined {
  return present === undefined ? undefined : { present };
}
