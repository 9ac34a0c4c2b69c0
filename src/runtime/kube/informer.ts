import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../api/error-text';
import type { KubeObject } from '../../api/meta';
import { isNotFound } from './api-error';
import { Cache, isSame, keyOf, olderVersion } from './cache';
import type { Change, Indexer } from './cache';
import type { KubeClient, Selectors, WatchEvent } from './client';
import type { Follower } from './expectations';
import { Freshness } from './freshness';
import type { Staleness } from './freshness';
import { apiVersionOf } from './resources';
import type { Resource } from './resources';
import { afterFailure, BrokenStream, stricter } from './watch-failure';
import type { AfterFailure } from './watch-failure';

export interface InformerOptions<T extends KubeObject> extends Selectors {
  /** Reduces each object to the needed fields, to save memory. Default: drops managedFields. */
  readonly transform?: (object: T) => T;
  readonly indexers?: Readonly<Record<string, Indexer<T>>>;
  /** Called for each failed list or watch (which is retried), and once when that has lasted for `staleAfterMs`. */
  readonly onError?: (error: unknown) => void;
  /** Whether the cluster may lack the kind: then the collection counts as empty, and is requested again periodically. */
  readonly optional?: boolean;
  /** Time for which lists and watches may fail before the cache counts as stale. Default: 2 minutes. */
  readonly staleAfterMs?: number;
  /** Objects per page of a list. Default: 500. */
  readonly pageSize?: number;
  /** First and longest delay after a failure. Default: 0.2 s to 10 s. */
  readonly backoffMs?: { readonly first: number; readonly max: number };
}

export interface ChangeHandlers<T> {
  readonly add?: (object: T) => void;
  readonly update?: (after: T, before: T) => void;
  /** Called with the last state in the cache. */
  readonly delete?: (object: T) => void;
}

/**
 * A live copy of one collection: a list, then watches that continue from it. A broken stream is resumed where it ended. A
 * version that the server has forgotten (410) or not reached (its store was restored from a backup) leads to a new list,
 * whose differences are reported as changes. There is no resync.
 */
export class Informer<T extends KubeObject> implements Follower {
  private readonly cache: Cache<T>;
  private readonly handlers: ChangeHandlers<T>[] = [];
  private readonly stopping = new AbortController();
  private readonly transform: (object: T) => T;
  private readonly firstList = Promise.withResolvers<void>();
  private readonly firstTry = Promise.withResolvers<void>();
  private readonly freshness: Freshness;
  private loop?: Promise<void>;
  private isListed = false;
  private isInstalled = false;
  private seenVersion?: string;
  private begun = 0;
  private held = 0;

  public constructor(
    private readonly client: KubeClient,
    public readonly resource: Resource,
    private readonly options: InformerOptions<T> = {},
  ) {
    this.cache = new Cache<T>(options.indexers);
    this.transform = options.transform ?? dropManagedFields;
    this.freshness = new Freshness(options.staleAfterMs ?? 120_000);
  }

  /** Handlers are called in order and must not throw; register them before `start`. */
  public onChange(handlers: ChangeHandlers<T>): this {
    this.handlers.push(handlers);
    return this;
  }

  /** Starts; resolves when the first list is in the cache (or the informer was stopped). */
  public start(): Promise<void> {
    this.loop ??= this.run();
    return this.firstList.promise;
  }

  /** Starts; resolves when the first list is in the cache or has failed: it is retried, and `start` still waits. */
  public async tryStart(): Promise<void> {
    await Promise.race([this.start(), this.firstTry.promise]);
  }

  public async stop(): Promise<void> {
    this.stopping.abort();
    this.firstList.resolve();
    await this.loop;
  }

  /** Whether the cache contains a list and is kept up to date. If not, `staleness` has the cause. */
  public get synced(): boolean {
    return this.isListed && !this.staleness;
  }

  /** Whether the cache contains a list, which may be outdated: `synced` reports whether it is kept up to date. */
  public get listed(): boolean {
    return this.isListed;
  }

  /** Set when neither a list nor a watch has worked for a long time: for readiness and logs. */
  public get staleness(): Staleness | undefined {
    return this.freshness.staleness(performance.now());
  }

  /** Returns why the last list or watch failed; undefined after a successful one. */
  public get failure(): string | undefined {
    return this.freshness.failure;
  }

  /** Whether the cluster has this kind. */
  public get installed(): boolean {
    return this.isInstalled;
  }

  /** Version up to which everything has been seen. */
  public get resourceVersion(): string | undefined {
    return this.seenVersion;
  }

  /** Whether the cache contains the write that returned `version`, or a later one. */
  public hasSeen(version: string | undefined): boolean {
    return !version || !olderVersion(this.seenVersion, version);
  }

  /** Lists are numbered: the number begun so far, and the one in the cache. */
  public get lists(): { begun: number; held: number } {
    return { begun: this.begun, held: this.held };
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
    let refusals = 0;
    let todo: AfterFailure = 'relist';
    while (!signal.aborted) {
      const startedAt = performance.now();
      const lasted = (ms: number): boolean => performance.now() - startedAt > ms;
      try {
        if (todo === 'relist') {
          await this.relist();
          refusals = 0;
        } else if (todo === 'probe') {
          await this.client.requireVersion(this.resource, this.selectors, this.seenVersion ?? '');
        }
        todo = 'resume';
        const events = await this.follow();
        this.freshness.worked();
        refusals = 0;
        // a server whose history is shorter ignores a watcher from the future: it sends nothing, not even a bookmark
        if (events === 0) todo = 'probe';
        // a server that ends each stream immediately must not be requested in a tight loop
        wait = lasted(1000) ? 0 : nextWait(wait, first, max);
      } catch (error) {
        if (signal.aborted) break;
        const isMissing = this.options.optional === true && isNotFound(error);
        if (isMissing) {
          todo = 'relist';
          this.hold([], undefined);
        } else {
          todo = stricter(todo, afterFailure(error, refusals++));
          this.report(error);
          this.firstTry.resolve();
        }
        wait = lasted(max) ? first : nextWait(wait, first, max);
      }
      this.freshness.closed();
      // with jitter, so that not all clients of a restarted server connect at the same time
      if (wait) await sleep(wait * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }

  private report(error: unknown): void {
    this.options.onError?.(error);
    const stale = this.freshness.failed(errorText(error), performance.now());
    if (!stale) return;
    this.options.onError?.(
      new Error(
        `${this.resource.plural}: no list or watch has worked for ${Math.round(stale.forMs / 1000)} s, decisions are based on ` +
          `an outdated state (${stale.cause}); check the API server, the network and the roles of this program`,
        { cause: error },
      ),
    );
  }

  private get selectors(): Selectors {
    const { namespace, labelSelector, fieldSelector } = this.options;
    return { namespace, labelSelector, fieldSelector };
  }

  private async relist(): Promise<void> {
    const number = ++this.begun;
    // without a resourceVersion: the newest state, regardless of earlier versions
    const list = await this.client.list<T>(this.resource, {
      ...this.selectors,
      pageSize: this.options.pageSize,
      transform: this.transform,
      signal: this.stopping.signal,
    });
    if (this.stopping.signal.aborted) return;
    this.held = number;
    this.hold(list.items, list.metadata.resourceVersion ?? '');
  }

  /** Replaces the collection; without a version, the cluster does not have the kind. */
  private hold(items: readonly T[], version: string | undefined): void {
    const changes = this.cache.replace(items);
    this.isInstalled = version !== undefined;
    this.seenVersion = version ?? this.seenVersion;
    this.freshness.worked();
    for (const change of changes) this.notify(change);
    if (!this.isListed) {
      this.isListed = true;
      this.firstList.resolve();
    }
  }

  /** Reads one stream; returns its number of events. */
  private async follow(): Promise<number> {
    let events = 0;
    await this.client.watch<T>(
      this.resource,
      {
        ...this.selectors,
        resourceVersion: this.seenVersion,
        // with jitter, so that the streams of all informers do not end together
        timeoutSeconds: 300 + Math.floor(Math.random() * 300),
        onOpen: () => this.freshness.opened(performance.now()),
      },
      (event) => {
        if (this.stopping.signal.aborted) return;
        events += 1;
        this.advance(event.object.metadata.resourceVersion);
        const change = this.apply(event);
        if (change) this.notify(change);
      },
      this.stopping.signal,
    );
    return events;
  }

  private advance(version: string | undefined): void {
    if (!version) return;
    if (olderVersion(version, this.seenVersion)) {
      throw new BrokenStream(
        `watch ${this.resource.plural}: version ${version} came after ${this.seenVersion}; the history of the API ` +
          'server has changed, so everything is listed again',
      );
    }
    this.seenVersion = version;
    this.freshness.worked();
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

  private notify({ before, after }: Change<T>): void {
    // deleted and created again between two lists: handlers that track UIDs need both changes
    const replaced = before && after && before.metadata.uid !== after.metadata.uid;
    for (const handler of this.handlers) {
      if (before && (!after || replaced)) handler.delete?.(before);
      if (after && (!before || replaced)) handler.add?.(after);
      if (before && after && !replaced) handler.update?.(after, before);
    }
  }
}

const nextWait = (wait: number, first: number, max: number): number => Math.min(wait ? wait * 2 : first, max);

/** Removes the largest part of most objects, which no controller reads. */
function dropManagedFields<T extends KubeObject>(object: T): T {
  delete object.metadata.managedFields;
  return object;
}
