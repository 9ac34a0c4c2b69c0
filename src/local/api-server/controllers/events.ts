import { Key, StaleError, Store } from '../store/store';
import { AnyObject } from '../types';

const RESOURCE = '/events';
/** Kubernetes' `--event-ttl`. */
const TTL_MS = 3_600_000;
const MAX_EVENTS = 10_000;
const INTERVAL_MS = 30_000;
/** Events that are deleted before other work may run. */
const BATCH = 50;

/** Deletes Events one hour after their last write, as Kubernetes does, and the oldest beyond a number. */
export class EventExpiry {
  /** Time of the last write by key, the oldest first. */
  private readonly written = new Map<string, { key: Key; at: number }>();
  private readonly stops: (() => void)[] = [];
  private sweeping = false;

  public constructor(
    private readonly store: Store,
    private readonly log: (message: string, details?: object) => void = () => {},
    private readonly maxEvents = MAX_EVENTS,
    private readonly now: () => number = Date.now,
  ) {}

  public start(): void {
    const stored = [...this.store.list({ resource: RESOURCE })].map((event) => ({ event, at: lastWrite(event) }));
    for (const { event, at } of stored.sort((a, b) => a.at - b.at)) {
      this.note({ resource: RESOURCE, namespace: event.metadata.namespace ?? '', name: event.metadata.name! }, at);
    }
    const timer = setInterval(() => this.sweep(), INTERVAL_MS).unref();
    this.stops.push(
      () => clearInterval(timer),
      this.store.subscribe(RESOURCE, ({ key, object }) => {
        if (object) this.note(key, this.now());
        else this.written.delete(textOf(key));
        if (this.written.size > this.maxEvents) this.sweep();
      }),
    );
    this.sweep();
  }

  public close(): void {
    this.stops.splice(0).forEach((stop) => stop());
  }

  private note(key: Key, at: number): void {
    this.written.delete(textOf(key));
    this.written.set(textOf(key), { key, at });
  }

  /** Deletes what has expired, in batches, after the current event. */
  public sweep(): void {
    if (this.sweeping) return;
    this.sweeping = true;
    setImmediate(() => {
      this.sweeping = false;
      if (this.stops.length && this.deleteExpired()) this.sweep();
    });
  }

  /** Deletes at most one batch. Returns whether more may have expired. */
  private deleteExpired(): boolean {
    const before = this.now() - TTL_MS;
    let deleted = 0;
    for (const [text, { key, at }] of this.written) {
      if (at > before && this.written.size <= this.maxEvents) return false;
      if (deleted++ >= BATCH) return true;
      this.written.delete(text);
      try {
        this.store.delete(key);
      } catch (error) {
        if (error instanceof StaleError) continue;
        // a full disk, for example: the next sweep tries again
        this.log('an expired Event cannot be deleted', { event: text, error: String(error) });
        this.note(key, at);
        return false;
      }
    }
    return false;
  }
}

const textOf = ({ namespace, name }: Key) => `${namespace}/${name}`;

/** Time of the last write, as far as the object shows it. Fields that clients choose do not count. */
function lastWrite({ metadata }: AnyObject): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)];
  return Math.max(0, ...times.map((time) => Date.parse(time ?? '')).filter((time) => !Number.isNaN(time)));
}
