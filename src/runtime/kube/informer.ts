import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../api/meta';
import { isGone, isNotFound } from './api-error';
import { Cache, isSame, keyOf, olderVersion } from './cache';
import type { Change, Indexer } from './cache';
import type { KubeClient, Selectors, WatchEvent } from './client';
import { apiVersionOf } from './resources';
import type { Resource } from './resources';

export interface InformerOptions<T extends KubeObject> extends Selectors {
  /** Keeps only what is needed of each object; memory is paid for what it answers. Default: drops managedFields. */
  readonly transform?: (object: T) => T;
  readonly indexers?: Readonly<Record<string, Indexer<T>>>;
  /** Hears of each failed list or watch (it is retried anyway). */
  readonly onError?: (error: unknown) => void;
  /** The kind may be missing in the cluster: then the collection counts as empty, and is asked for again and again. */
  readonly optional?: boolean;
  /** First and longest wait after a failure. Default: 0.2 s to 10 s. */
  readonly backoffMs?: { readonly first: number; readonly max: number };
}

export interface ChangeHandlers<T> {
  readonly add?: (object: T) => void;
  readonly update?: (after: T, before: T) => void;
  /** With the last state known here. */
  readonly delete?: (object: T) => void;
}

/**
 * A live copy of one collection: list, then watch from there, on and on. A lost stream is resumed where it ended; a
 * version that the server forgot (410) leads to a new list, whose differences are told as changes. There is no resync.
 */
export class Informer<T extends KubeObject> {
  private readonly cache: Cache<T>;
  private readonly handlers: ChangeHandlers<T>[] = [];
  private readonly stopping = new AbortController();
  private readonly transform: (object: T) => T;
  private readonly firstList = Promise.withResolvers<void>();
  private loop?: Promise<void>;
  private isSynced = false;
  private isInstalled = false;
  private seenVersion?: string;

  public constructor(
    private readonly client: KubeClient,
    public readonly resource: Resource,
    private readonly options: InformerOptions<T> = {},
  ) {
    this.cache = new Cache<T>(options.indexers);
    this.transform = options.transform ?? dropManagedFields;
  }

  /** Handlers are called in order and must not throw; register them before `start`. */
  public onChange(handlers: ChangeHandlers<T>): this {
    this.handlers.push(handlers);
    return this;
  }

  /** Begins; resolves when the first list is in the cache (or the informer was stopped). */
  public start(): Promise<void> {
    this.loop ??= this.run();
    return this.firstList.promise;
  }

  public async stop(): Promise<void> {
    this.stopping.abort();
    this.firstList.resolve();
    await this.loop;
  }

  public get synced(): boolean {
    return this.isSynced;
  }

  /** The cluster has this kind. */
  public get installed(): boolean {
    return this.isInstalled;
  }

  /** Everything up to this version has been seen. */
  public get resourceVersion(): string | undefined {
    return this.seenVersion;
  }

  /** The write that answered `version` is in the cache, or was overtaken by a later one. */
  public hasSeen(version: string | undefined): boolean {
    return !version || !olderVersion(this.seenVersion, version);
  }

  public get(key: string): T | undefined {
    return this.cache.get(key);
  }

  public list(): T[] {
    return this.cache.list();
  }

  public byIndex(index: string, value: string): T[] {
    return this.cache.byIndex(index, value);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const { first, max } = this.options.backoffMs ?? { first: 200, max: 10_000 };
    let wait = 0;
    let version: string | undefined;
    while (!signal.aborted) {
      const startedAt = Date.now();
      try {
        if (version === undefined) version = await this.relist();
        await this.follow(version, (seen) => (version = seen));
        // a server that ends each stream at once must not be asked in a tight loop
        wait = Date.now() - startedAt > 1000 ? 0 : nextWait(wait, first, max);
      } catch (error) {
        if (signal.aborted) break;
        const isMissing = this.options.optional === true && isNotFound(error);
        if (isGone(error) || isMissing) version = undefined;
        if (isMissing) this.hold([], undefined);
        else this.options.onError?.(error);
        wait = Date.now() - startedAt > max ? first : nextWait(wait, first, max);
      }
      // jittered, so that all clients of a restarted server do not come at once
      if (wait) await sleep(wait * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }

  private async relist(): Promise<string> {
    const { namespace, labelSelector, fieldSelector } = this.options;
    const list = await this.client.list<T>(this.resource, { namespace, labelSelector, fieldSelector });
    const version = list.metadata.resourceVersion ?? '';
    if (!this.stopping.signal.aborted) this.hold(list.items.map(this.transform), version);
    return version;
  }

  /** The collection is exactly this; without a version: the cluster has no such kind. */
  private hold(items: T[], version: string | undefined): void {
    const changes = this.cache.replace(items);
    this.isInstalled = version !== undefined;
    this.seenVersion = version ?? this.seenVersion;
    for (const change of changes) this.tell(change);
    if (!this.isSynced) {
      this.isSynced = true;
      this.firstList.resolve();
    }
  }

  private async follow(from: string, onVersion: (version: string) => void): Promise<void> {
    const { namespace, labelSelector, fieldSelector } = this.options;
    await this.client.watch<T>(
      this.resource,
      {
        namespace,
        labelSelector,
        fieldSelector,
        resourceVersion: from,
        // spread, so that the streams of all informers do not end together
        timeoutSeconds: 300 + Math.floor(Math.random() * 300),
      },
      (event) => {
        if (this.stopping.signal.aborted) return;
        const change = this.apply(event);
        const version = event.object.metadata.resourceVersion;
        if (version) {
          onVersion(version);
          this.seenVersion = version;
        }
        if (change) this.tell(change);
      },
      this.stopping.signal,
    );
  }

  private apply(event: WatchEvent<T>): Change<T> | undefined {
    if (event.type === 'BOOKMARK') return undefined;
    event.object.apiVersion ??= apiVersionOf(this.resource);
    event.object.kind ??= this.resource.kind;
    if (event.type === 'DELETED') return this.cache.delete(keyOf(event.object));
    const after = this.transform(event.object);
    const change = this.cache.set(after);
    return isSame(change.before, after) ? undefined : change;
  }

  private tell({ before, after }: Change<T>): void {
    // deleted and made anew between two lists: those who count uids must hear of both
    const replaced = before && after && before.metadata.uid !== after.metadata.uid;
    for (const handler of this.handlers) {
      if (before && (!after || replaced)) handler.delete?.(before);
      if (after && (!before || replaced)) handler.add?.(after);
      if (before && after && !replaced) handler.update?.(after, before);
    }
  }
}

const nextWait = (wait: number, first: number, max: number): number => Math.min(wait ? wait * 2 : first, max);

/** The biggest part of most objects, which no controller reads. */
export function dropManagedFields<T extends KubeObject>(object: T): T {
  delete object.metadata.managedFields;
  return object;
}
