/** A cache that reports whether it has caught up with a write: `Informer`. */
export interface Follower {
  hasSeen(version: string | undefined): boolean;
  /** Lists are numbered: the number begun so far, and the one in the cache. */
  readonly lists: { readonly begun: number; readonly held: number };
}

interface Pending {
  readonly follower: Follower;
  readonly version: string;
  /** A list with a higher number was begun after the write, so it contains the result. */
  readonly list: number;
  readonly until: number;
}

const TTL_MS = 5 * 60_000;

/**
 * Tracks own writes that a cache may not show yet. After a write, a controller expects the version that the server returned;
 * until the cache has reached it, a decision would be based on outdated objects (and create a second Pod), so the key waits.
 * Versions are not sufficient: after a restore of the API server's store, the expected version may never come.
 */
export class Expectations {
  private readonly pending = new Map<string, Pending[]>();

  public constructor(private readonly now: () => number = Date.now) {}

  /** `version`: resourceVersion of the answer to a create, patch, replace or delete. */
  public expect(key: string, follower: Follower, version: string | undefined): void {
    if (!version || follower.hasSeen(version)) return;
    const entry = { follower, version, list: follower.lists.begun, until: this.now() + TTL_MS };
    this.pending.set(key, [...(this.pending.get(key) ?? []), entry]);
  }

  /** Whether the caches show all writes for this key (or five minutes have passed, as a limit). */
  public satisfied(key: string): boolean {
    const entries = this.pending.get(key);
    if (!entries) return true;
    const left = entries.filter(
      ({ follower, version, list, until }) =>
        !follower.hasSeen(version) && follower.lists.held <= list && until > this.now(),
    );
    if (left.length) this.pending.set(key, left);
    else this.pending.delete(key);
    return left.length === 0;
  }

  public forget(key: string): void {
    this.pending.delete(key);
  }
}
