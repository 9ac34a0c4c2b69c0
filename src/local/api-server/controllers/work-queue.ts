/** Longest delay before a failed key is retried. */
const MAX_DELAY_MS = 30_000;

/**
 * Processes keys one after another, asynchronously to the write that added them. A key that is added again while it
 * waits is processed once; a failed key is retried with increasing delays.
 */
export class WorkQueue {
  private readonly waiting = new Set<string>();
  private readonly failures = new Map<string, number>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private running = false;
  private closed = false;

  public constructor(
    private readonly handle: (key: string) => Promise<void> | void,
    private readonly log: (message: string, details?: object) => void,
  ) {}

  public add(key: string): void {
    if (this.closed) return;
    this.waiting.add(key);
    if (this.running) return;
    this.running = true;
    setImmediate(() => void this.drain());
  }

  public close(): void {
    this.closed = true;
    this.waiting.clear();
    for (const timer of this.timers) clearTimeout(timer);
  }

  private async drain(): Promise<void> {
    for (const key of this.waiting) {
      this.waiting.delete(key);
      try {
        await this.handle(key);
        this.failures.delete(key);
      } catch (error) {
        if (!this.closed) this.retry(key, error);
      }
      if (this.closed) break;
    }
    this.running = false;
  }

  private retry(key: string, error: unknown): void {
    const count = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, count);
    // The first few failures are conflicts with other writers.
    if (count > 3)
      this.log('controller retries', { key, error: error instanceof Error ? error.message : String(error) });
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        this.add(key);
      },
      Math.min(MAX_DELAY_MS, 10 * 2 ** count),
    ).unref();
    this.timers.add(timer);
  }
}
