const FIRST_MS = 1000;
const MAX_MS = 15 * 60_000;
const MAX_ENTRIES = 1000;

/** Growing delays between deletions of failed Pods, by DaemonSet and node. */
export class Backoff {
  private readonly entries = new Map<string, { delayMs: number; until: number }>();

  /** Remaining time of the delay. */
  public remaining(key: string, now: number): number {
    return Math.max(0, (this.entries.get(key)?.until ?? 0) - now);
  }

  /** Starts a delay that is twice as long as the one before, unless that one ended long ago. */
  public next(key: string, now: number): void {
    const known = this.entries.get(key);
    const isRecent = known && now < known.until + 2 * MAX_MS;
    const delayMs = isRecent ? Math.min(known.delayMs * 2, MAX_MS) : FIRST_MS;
    this.entries.delete(key);
    this.entries.set(key, { delayMs, until: now + delayMs });
    const [oldest] = this.entries.keys();
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest);
  }
}
