import { Change } from './change';

export type Listener = (change: Change) => void;

/** Listeners of every resource; no resource has this name. */
const ALL = '*';
/** Limits of the newest changes that are kept in memory, for watches. */
const RECENT = { count: 512, characters: 1 << 20 };

/** Delivers changes to listeners in order and keeps the newest ones. */
export class Changes {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly waiting: Change[] = [];
  private delivering = false;
  private recent: Change[] = [];
  private characters = 0;

  public constructor(
    private readonly onError: (error: unknown) => void,
    /** Number of changes that the history holds; older ones are not kept here either. */
    private readonly historyLength: number,
  ) {}

  public subscribe(resource: string, listener: Listener): () => void {
    const all = this.listeners.get(resource) ?? new Set();
    this.listeners.set(resource, all.add(listener));
    return () => {
      all.delete(listener);
      if (!all.size && this.listeners.get(resource) === all) this.listeners.delete(resource);
    };
  }

  public subscribeAll(listener: Listener): () => void {
    return this.subscribe(ALL, listener);
  }

  /** Delivers `changes`. When a listener writes, its change waits until every listener has seen these. */
  public publish(changes: readonly Change[]): void {
    for (const change of changes) this.keep(change);
    this.waiting.push(...changes);
    if (this.delivering) return;
    this.delivering = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) this.deliver(next);
    this.delivering = false;
  }

  /** Changes after `since`, oldest first; undefined if some are not in memory. */
  public after(since: number): readonly Change[] | undefined {
    const oldest = this.recent[0]?.rv;
    if (oldest === undefined || since < oldest - 1) return undefined;
    // from the end, because most watchers have seen all but the newest; versions of lost writes are missing
    let first = this.recent.length;
    while (first > 0 && this.recent[first - 1].rv > since) first--;
    return this.recent.slice(first);
  }

  public clear(): void {
    this.listeners.clear();
    this.recent = [];
    this.characters = 0;
  }

  private deliver(change: Change): void {
    for (const resource of [change.key.resource, ALL]) {
      for (const listener of [...(this.listeners.get(resource) ?? [])]) {
        try {
          listener(change);
        } catch (error) {
          // The write is committed: its answer and the other listeners do not depend on this one.
          this.onError(error);
        }
      }
    }
  }

  private keep(change: Change): void {
    this.recent.push(change);
    this.characters += change.size;
    const count = Math.min(RECENT.count, this.historyLength);
    while (this.recent.length > count || (this.characters > RECENT.characters && this.recent.length))
      this.characters -= this.recent.shift()!.size;
  }
}
