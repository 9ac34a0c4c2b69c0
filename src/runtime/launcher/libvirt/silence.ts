/** What to do about a libvirtd that is not heard. Pure. */

/** libvirt's own clients wait for 25 to 30 s. */
export const SILENCE_MS = 20_000;
/** libvirt waits for another operation on the domain for 30 s, and for the end of a killed QEMU for up to 40 s. */
export const STUCK_MS = 60_000;
/** A libvirtd that was just started may need this time until it listens. */
export const START_MS = 60_000;

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
export function judgeSilence({
  silentMs,
  unanswered,
  stuckMs,
  sinceStartMs,
  isStarting,
}: Silence): 'wait' | 'report' | 'restart' {
  const isSilent = silentMs >= SILENCE_MS;
  const isStuck = stuckMs >= STUCK_MS;
  if (!isSilent && !isStuck) return 'wait';
  // a launcher that was frozen has not read the answers yet, and hears none of its ping either
  const isSure = unanswered >= 2 || (isStuck && unanswered === 0);
  return isStarting || !isSure || sinceStartMs < START_MS ? 'report' : 'restart';
}
