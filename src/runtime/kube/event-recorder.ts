import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api/meta';
import { isAlreadyExists, isNotFound } from './api-error';
import type { KubeClient } from './client';
import { resources } from './resources';

export type EventType = 'Normal' | 'Warning';

export interface EventRecorderOptions {
  /** `virt-controller`. */
  readonly component: string;
  readonly host?: string;
  /** Time for which repetitions are collected before they are written; doubles with each write. Default: 10 s to 5 min. */
  readonly flushMs?: { readonly first: number; readonly max: number };
  readonly onError?: (error: unknown) => void;
}

interface Entry {
  readonly ref: { namespace: string; name: string };
  count: number;
  /** Number of repetitions that are not written yet. */
  unwritten: number;
  waitMs: number;
  timer?: NodeJS.Timeout;
  lastUsed: number;
}

/** Number of distinct events per object before others are dropped, and the refill per minute, against floods of retries. */
const BURST = 25;
const REFILL_PER_MINUTE = 1;
const MAX_ENTRIES = 2000;
/** Concurrent first writes. While the API server hangs, further events are dropped: a later pass repeats them. */
const MAX_IN_FLIGHT = 200;
/** Time that a program waits for its last events before it exits. */
const STOP_MS = 5_000;
/** Longest message that the API accepts. */
const MAX_MESSAGE = 1024;

/**
 * Reports events about objects to users. The first event of its kind is written immediately; repetitions only increase its
 * count, written at growing intervals. Never throws, and callers never wait for it.
 *
 * @typeParam Reason - reasons of the component's own events
 */
export class EventRecorder<Reason extends string = string> {
  private readonly entries = new Map<string, Entry>();
  private readonly budgets = new Map<string, { tokens: number; at: number }>();
  private readonly inFlight = new Set<Promise<void>>();

  public constructor(
    private readonly client: KubeClient,
    private readonly options: EventRecorderOptions,
  ) {}

  public normal(object: KubeObject, reason: Reason, message: string): void {
    this.record(object, 'Normal', reason, message);
  }

  public warning(object: KubeObject, reason: Reason, message: string): void {
    this.record(object, 'Warning', reason, message);
  }

  /** Reports an event whose reason may come from another component, such as that of a condition. */
  public record(object: KubeObject, type: EventType, reason: string, text: string): void {
    const message = text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1)}…` : text;
    const id = createHash('sha256')
      .update([object.metadata.uid, type, reason, message].join('\0'))
      .digest('hex')
      .slice(0, 16);
    const known = this.entries.get(id);
    if (known) return this.repeat(known);
    if (this.inFlight.size >= MAX_IN_FLIGHT || !this.mayWrite(object.metadata.uid ?? '')) return;
    const name = `${(object.metadata.name ?? '').slice(0, 230)}.${id}`;
    const entry: Entry = {
      ref: { namespace: object.metadata.namespace ?? 'default', name },
      count: 1,
      unwritten: 0,
      waitMs: this.flushMs.first,
      lastUsed: Date.now(),
    };
    this.entries.set(id, entry);
    this.dropOldest();
    this.track(this.create(entry, object, type, reason, message));
  }

  /** Writes the collected repetitions and stops, after five seconds at most. */
  public async stop(): Promise<void> {
    for (const entry of this.entries.values()) this.flush(entry);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, STOP_MS);
    await Promise.race([Promise.all(this.inFlight), late]);
    clearTimeout(timer);
    this.entries.clear();
  }

  private get flushMs(): { first: number; max: number } {
    return this.options.flushMs ?? { first: 10_000, max: 300_000 };
  }

  private repeat(entry: Entry): void {
    entry.unwritten += 1;
    entry.lastUsed = Date.now();
    if (entry.timer) return;
    entry.timer = setTimeout(() => this.flush(entry), entry.waitMs).unref();
    entry.waitMs = Math.min(entry.waitMs * 2, this.flushMs.max);
  }

  private flush(entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    if (!entry.unwritten) return;
    entry.count += entry.unwritten;
    entry.unwritten = 0;
    this.track(this.raiseCount(entry));
  }

  private async create(entry: Entry, object: KubeObject, type: string, reason: string, message: string): Promise<void> {
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const { component, host } = this.options;
    try {
      await this.client.create(resources.events, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: entry.ref,
        involvedObject: {
          apiVersion: object.apiVersion,
          kind: object.kind,
          namespace: object.metadata.namespace,
          name: object.metadata.name,
          uid: object.metadata.uid,
          resourceVersion: object.metadata.resourceVersion,
        },
        type,
        reason,
        message,
        source: { component, host },
        reportingComponent: component,
        reportingInstance: host ?? '',
        firstTimestamp: now,
        lastTimestamp: now,
        count: entry.count,
      } as KubeObject);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // a previous process wrote this event: continue its count, which a patch returns without permission to read
      const event = await this.client.patch<KubeObject & { count?: number }>(resources.events, entry.ref, {}, 'merge');
      entry.count += event.count ?? 1;
      await this.raiseCount(entry);
    }
  }

  private async raiseCount(entry: Entry): Promise<void> {
    const lastTimestamp = new Date().toISOString().replace(/\.\d+/, '');
    try {
      await this.client.patch(resources.events, entry.ref, { count: entry.count, lastTimestamp }, 'merge');
    } catch (error) {
      // events expire after an hour: the next one is created again
      if (!isNotFound(error)) throw error;
      for (const [id, other] of this.entries) if (other === entry) this.entries.delete(id);
    }
  }

  private mayWrite(uid: string): boolean {
    const now = Date.now();
    const budget = this.budgets.get(uid) ?? { tokens: BURST, at: now };
    const tokens = Math.min(BURST, budget.tokens + ((now - budget.at) / 60_000) * REFILL_PER_MINUTE);
    this.budgets.delete(uid);
    this.budgets.set(uid, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    const oldest = this.budgets.keys().next().value;
    if (this.budgets.size > MAX_ENTRIES && oldest !== undefined) this.budgets.delete(oldest);
    return tokens >= 1;
  }

  private dropOldest(): void {
    if (this.entries.size <= MAX_ENTRIES) return;
    const [id, entry] = [...this.entries].reduce((a, b) => (a[1].lastUsed <= b[1].lastUsed ? a : b));
    this.flush(entry);
    this.entries.delete(id);
  }

  private track(write: Promise<void>): void {
    const settled = write
      .catch((error: unknown) => this.options.onError?.(error))
      .finally(() => this.inFlight.delete(settled));
    this.inFlight.add(settled);
  }
}
