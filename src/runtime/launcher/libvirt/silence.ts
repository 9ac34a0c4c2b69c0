/** What to do about a libvirtd that is not heard. Pure. */
import type { CallName, Unanswered } from './connection';

/** libvirt's own clients wait for 25 to 30 s. */
const SILENCE_MS = 20_000;
/** libvirt waits for another operation on the domain for 30 s, and for the end of a killed QEMU for up to 40 s. */
const STUCK_MS = 60_000;
/** A libvirtd that was just started may need this time until it listens. */
const START_MS = 60_000;

/** Calls that libvirtd answers once QEMU has answered it: while that waits for storage, a new libvirtd waits as well. */
const NEEDS_QEMU: ReadonlySet<CallName> = new Set([
  'connectGetAllDomainStats',
  'domainAttachDeviceFlags',
  'domainDetachDeviceFlags',
  'domainReset',
  'domainResume',
  'domainSetVcpusFlags',
  'domainShutdownFlags',
  'domainSuspend',
  'domainUpdateDeviceFlags',
  'qemuDomainMonitorCommand',
]);

export const oldestOf = (calls: readonly Unanswered[]): Unanswered | undefined =>
  calls.reduce<Unanswered | undefined>((a, b) => (a && a.sentAt <= b.sentAt ? a : b), undefined);

/** The call with which libvirtd is stuck: one that QEMU does not hold up or, when the guest is to be stopped, any. */
export function stuckOf(calls: readonly Unanswered[], now: number, isStopping: boolean): Unanswered | undefined {
  const own = oldestOf(calls.filter(({ name }) => isStopping || !NEEDS_QEMU.has(name)));
  return own && now - own.sentAt >= STUCK_MS ? own : undefined;
}

export interface Silence {
  /** Since libvirtd answered last, or since the launcher began. */
  readonly silentMs: number;
  /** Pings in a row that were not answered: a launcher that was frozen has missed one, however long that was. */
  readonly unanswered: number;
  /**
   * How long the oldest call has waited for its answer: libvirtd answers pings without a worker, so its workers may be
   * stuck while they succeed.
   */
  readonly stuckMs: number;
  /**
   * Whether the last check found libvirtd stuck with the same call as this one: after a time in which the whole Pod was
   * frozen, libvirtd answers pings before its workers have answered.
   */
  readonly isStuckAgain: boolean;
  /** Since the Pod's libvirtd was started, or killed for its silence. */
  readonly sinceStartMs: number;
  /** Whether a start of the guest is under way: QEMU is libvirtd's until it is over. */
  readonly isStarting: boolean;
}

/**
 * - `wait`: a busy machine;
 * - `report`: the guest's state is not known any more;
 * - `restart`: besides, libvirtd is killed, and its supervisor starts another; QEMU does not notice.
 */
export function assessSilence({
  silentMs,
  unanswered,
  stuckMs,
  isStuckAgain,
  sinceStartMs,
  isStarting,
}: Silence): 'wait' | 'report' | 'restart' {
  const isSilent = silentMs >= SILENCE_MS;
  if (!isSilent && stuckMs < STUCK_MS) return 'wait';
  // a launcher that was frozen has not read the answers yet, and hears none of its ping either
  const isSure = unanswered >= 2 || isStuckAgain;
  return isStarting || !isSure || sinceStartMs < START_MS ? 'report' : 'restart';
}
