/** Decides how to respond to a libvirtd that does not answer. Pure. */
import type { CallName, Unanswered } from './connection';

/** libvirt's own clients wait for 25 to 30 s. */
const SILENCE_MS = 20_000;
/** libvirt waits up to 30 s for another operation on the domain, and up to 40 s for the end of a killed QEMU. */
const STUCK_MS = 60_000;
/** Time that a newly started libvirtd may need until it listens. */
const START_MS = 60_000;

/** Calls that need an answer of QEMU: while QEMU waits for storage, a new libvirtd would wait as well. */
const NEEDS_QEMU: ReadonlySet<CallName> = new Set([
  'connectGetAllDomainStats',
  'domainAbortJob',
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

/** The call on which libvirtd is stuck: a call that does not depend on QEMU, or any call if a stop of the guest was requested. */
export function stuckOf(calls: readonly Unanswered[], now: number, isStopping: boolean): Unanswered | undefined {
  const own = oldestOf(calls.filter(({ name }) => isStopping || !NEEDS_QEMU.has(name)));
  return own && now - own.sentAt >= STUCK_MS ? own : undefined;
}

export interface Silence {
  /** Time since libvirtd's last answer, or since the launcher started. */
  readonly silentMs: number;
  /** Consecutive unanswered pings: a launcher that was frozen has missed one, however long that took. */
  readonly unanswered: number;
  /**
   * Time that the oldest call has waited for its answer: libvirtd answers pings without a worker, so its workers may be stuck
   * while pings succeed.
   */
  readonly stuckMs: number;
  /**
   * Whether the last check found libvirtd stuck on the same call: after the whole Pod was frozen, libvirtd answers pings before
   * its workers have answered.
   */
  readonly isStuckAgain: boolean;
  /** Time since the Pod's libvirtd was started, or killed for its silence. */
  readonly sinceStartMs: number;
  /** Whether the guest is being started: until that is complete, QEMU ends with libvirtd. */
  readonly isStarting: boolean;
}

/**
 * - `wait`: the machine may be busy;
 * - `report`: the guest's state is not known any more;
 * - `restart`: also, libvirtd is killed and its supervisor starts another; QEMU is not affected.
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
  // a launcher that was frozen has not read the answers yet, and receives none to its ping either
  const isSure = unanswered >= 2 || isStuckAgain;
  return isStarting || !isSure || sinceStartMs < START_MS ? 'report' : 'restart';
}
