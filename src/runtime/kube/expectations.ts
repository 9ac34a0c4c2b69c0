/** A cache that can tell whether it has caught up with a write: `Informer`. */
export interface Follower {
  hasSeen(version: string | undefined): boolean;
  /** Lists are numbered: how many were begun, and which one the cache holds. */
  readonly lists: { readonly begun: number; readonly held: number };
}

interface Pending {
  readonly follower: Follower;
  readonly version: string;
  /** A list with a higher number was begun after the write, so it shows what became of it. */
  readonly list: number;
  readonly until: number;
}

const TTL_MS = 5 * 60_000;

/**
 * Own writes that a cache may not show yet. A controller that has written expects the version that the server answered;
 * until the cache has seen it, a decision would rest on the past (and make a second Pod), so the key waits. Versions
 * alone are not enough: after the API server's store was restored from a backup, that version may never come.
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

  /** The caches show all that was written for this key (or five minutes have passed: nothing waits forever). */
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
