import type { QueueObserver } from './observers';

export interface WorkQueueOptions {
  /** First and longest delay of a key that keeps failing. Default: 5 ms to 60 s. */
  readonly backoffMs?: { readonly first: number; readonly max: number };
  /** Called for each failure of `run`'s function; the key is retried with backoff. */
  readonly onError?: (key: string, error: unknown) => void;
  readonly observer?: QueueObserver;
}

/** Creates a queue of this name. */
export type MakeQueue = (name: string, options: WorkQueueOptions) => WorkQueue;

/** Creates queues without metrics. */
export const unobservedQueue: MakeQueue = (_, options) => new WorkQueue(options);

/** Result of a pass over a key. */
export interface Requeue {
  readonly requeueAfterMs?: number;
}

/**
 * A queue of keys with client-go's semantics: a key waits at most once; a key that is added while it is being processed
 * waits until that pass is `done`. So a key never has two concurrent passes, and no change is lost.
 */
export class WorkQueue {
  /** Keys to process, including those that wait for the end of their current pass, with the time of `add`. */
  private readonly dirty = new Map<string, number>();
  /** Keys in progress, with the time of their start. */
  private readonly processing = new Map<string, number>();
  private readonly ready: string[] = [];
  private readonly takers: ((key: string | undefined) => void)[] = [];
  private readonly delayed = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  private readonly failures = new Map<string, number>();
  private stopped = false;
  private readonly drained: (() => void)[] = [];

  public constructor(private readonly options: WorkQueueOptions = {}) {}

  /** Number of waiting keys, without delayed ones. */
  public get length(): number {
    return this.ready.length;
  }

  /** Ages of the passes in progress. */
  public get agesMs(): number[] {
    const now = performance.now();
    return [...this.processing.values()].map((started) => now - started);
  }

  public add(key: string): void {
    if (this.stopped || this.dirty.has(key)) return;
    this.dirty.set(key, performance.now());
    this.options.observer?.added();
    if (!this.processing.has(key)) this.offer(key);
  }

  /** Adds the key after a delay; of several delays, the earliest counts. */
  public addAfter(key: string, ms: number): void {
    if (this.stopped) return;
    if (ms <= 0) return this.add(key);
    // the timers' own clock: a step of the wall clock must not make a late wake-up look early
    const at = performance.now() + ms;
    const known = this.delayed.get(key);
    if (known && known.at <= at) return;
    if (known) clearTimeout(known.timer);
    const fire = (): void => {
      this.delayed.delete(key);
      this.add(key);
    };
    // a timer longer than 2^31 ms would fire immediately
    this.delayed.set(key, { at, timer: setTimeout(fire, Math.min(ms, 2 ** 31 - 1)) });
  }

  /** Adds the key after a delay that doubles with each call since the last `forget`. */
  public addRateLimited(key: string): void {
    const { first, max } = this.options.backoffMs ?? { first: 5, max: 60_000 };
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    this.options.observer?.retried();
    this.addAfter(key, Math.min(first * 2 ** Math.min(failures, 40), max));
  }

  /** Resets the backoff of a key after a successful pass. */
  public forget(key: string): void {
    this.failures.delete(key);
  }

  public failuresOf(key: string): number {
    return this.failures.get(key) ?? 0;
  }

  /** The next key, once there is one; undefined after `stop`. The caller must call `done` for each key. */
  public take(): Promise<string | undefined> {
    if (this.stopped) return Promise.resolve(undefined);
    const key = this.ready.shift();
    if (key === undefined) return new Promise((resolve) => this.takers.push(resolve));
    this.begin(key);
    return Promise.resolve(key);
  }

  public done(key: string): void {
    const started = this.processing.get(key);
    if (started !== undefined) this.options.observer?.finished((performance.now() - started) / 1000);
    this.processing.delete(key);
    if (this.dirty.has(key) && !this.stopped) this.offer(key);
    if (this.stopped && this.processing.size === 0) for (const resolve of this.drained.splice(0)) resolve();
  }

  /** Processes up to `workers` keys at a time until `stop`. Errors of `work` are retried with backoff. */
  public async run(workers: number, work: (key: string) => Promise<Requeue | void>): Promise<void> {
    const worker = async (): Promise<void> => {
      for (let key = await this.take(); key !== undefined; key = await this.take()) {
        try {
          const again = await work(key);
          this.forget(key);
          if (again?.requeueAfterMs !== undefined) this.addAfter(key, again.requeueAfterMs);
        } catch (error) {
          this.options.onError?.(key, error);
          this.addRateLimited(key);
        } finally {
          this.done(key);
        }
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
  }

  /** Stops returning keys; resolves when the passes in progress are done. */
  public stop(): Promise<void> {
    this.stopped = true;
    this.ready.length = 0;
    for (const { timer } of this.delayed.values()) clearTimeout(timer);
    this.delayed.clear();
    for (const taker of this.takers.splice(0)) taker(undefined);
    if (this.processing.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.drained.push(resolve));
  }

  private offer(key: string): void {
    const taker = this.takers.shift();
    if (!taker) {
      this.ready.push(key);
      return;
    }
    this.begin(key);
    taker(key);
  }

  private begin(key: string): void {
    const now = performance.now();
    this.options.observer?.started((now - (this.dirty.get(key) ?? now)) / 1000);
    this.dirty.delete(key);
    this.processing.set(key, now);
  }
}
