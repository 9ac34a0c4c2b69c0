import type { Clock as ClockSpec, ClockOffset, Timer } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined, definedOrNone } from '../defined';

/** Treatment of timer ticks that the guest missed. */
export class TickPolicy extends Choice {
  /** Delivers missed ticks late, at the usual rate. */
  public static readonly DELAY = TickPolicy.of('delay');
  /** Delivers missed ticks at a higher rate until the guest has caught up. */
  public static readonly CATCHUP = TickPolicy.of('catchup');
  /** Delivers all missed ticks as a single tick. HPET only. */
  public static readonly MERGE = TickPolicy.of('merge');
  /** Drops missed ticks. HPET and PIT only. */
  public static readonly DISCARD = TickPolicy.of('discard');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): TickPolicy {
    return new TickPolicy(value);
  }
}

/** Clock that a real-time clock follows. */
export class RtcTrack extends Choice {
  /** Clock of the guest, which stops while the guest is paused. */
  public static readonly GUEST = RtcTrack.of('guest');
  /** Clock of the host. */
  public static readonly WALL = RtcTrack.of('wall');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): RtcTrack {
    return new RtcTrack(value);
  }
}

/** Options of a timer of the machine. */
export interface TimerOptions {
  /**
   * Whether the machine has the timer.
   * @default true
   */
  readonly present?: boolean;
  /**
   * Treatment of ticks that the guest missed.
   * @default - the hypervisor's choice
   */
  readonly tickPolicy?: TickPolicy;
}

/** Options of the real-time clock of the machine. */
export interface RtcOptions extends TimerOptions {
  /**
   * Clock that the real-time clock follows.
   * @default - the hypervisor's choice
   */
  readonly track?: RtcTrack;
}

/** Timers that a guest can read. */
export interface ClockTimers {
  /**
   * High precision event timer (HPET).
   * @default - depends on the machine type
   */
  readonly hpet?: TimerOptions;
  /**
   * Whether the guest has the Hyper-V clock, for Windows.
   * @default false
   */
  readonly hyperv?: boolean;
  /**
   * Whether the guest has the KVM clock, for Linux.
   * @default - depends on the machine type
   */
  readonly kvm?: boolean;
  /**
   * Programmable interval timer (PIT).
   * @default - depends on the machine type
   */
  readonly pit?: TimerOptions;
  /**
   * Real-time clock (RTC).
   * @default - depends on the machine type
   */
  readonly rtc?: RtcOptions;
}

/** Options of a clock in UTC. */
export interface UtcClockOptions {
  /**
   * Offset from UTC in seconds; may be negative. With an offset, a time that the guest sets survives a reboot.
   * @default - no offset; the clock is set to UTC at each boot
   */
  readonly offsetSeconds?: number;
  /**
   * Timers of the machine.
   * @default - depends on the machine type
   */
  readonly timers?: ClockTimers;
}

/** Options of a clock in local time. */
export interface ZoneClockOptions {
  /**
   * Timers of the machine.
   * @default - depends on the machine type
   */
  readonly timers?: ClockTimers;
}

/** Timers with which Windows keeps time best. */
const windowsTimers: ClockTimers = {
  hpet: { present: false },
  hyperv: true,
  pit: { tickPolicy: TickPolicy.DELAY },
  rtc: { tickPolicy: TickPolicy.CATCHUP },
};

/** Clock of a guest. */
export class Clock {
  /**
   * Sets the clock to UTC, as Linux expects.
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
   * Sets the clock to the local time of a zone such as `Europe/Prague`, as Windows expects.
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
   * Configures the clock for Windows: Hyper-V clock, no HPET, late PIT ticks (`DELAY`), and faster RTC ticks
   * (`CATCHUP`).
   *
   * @param zone time zone, such as `Europe/Prague`; without one the clock is in UTC, which Windows must be configured
   * for
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

/** Renders a timer that has no options besides its presence. */
function presence(present: boolean | undefined): { present?: boolean } | undefined {
  return present === undefined ? undefined : { present };
}
