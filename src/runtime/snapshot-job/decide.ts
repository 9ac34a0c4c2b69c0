/** A snapshot of a schedule. */
export interface Taken {
  readonly name: string;
  /** Time of the request, in seconds since 1970. */
  readonly time: number;
  /** Whether it can be restored. False if it failed or is in progress. */
  readonly isUsable: boolean;
}

/** Limits, or `Infinity`. */
export interface Retention {
  /** Number of usable snapshots to keep. */
  readonly keep: number;
  /** Age at which snapshots are deleted, in seconds. */
  readonly maxAge: number;
}

/** Snapshots to delete. The newest usable one is always kept, and a failed one never replaces a usable one. Pure. */
export function outdated(all: readonly Taken[], { keep, maxAge }: Retention, now: number): string[] {
  const newestFirst = [...all].sort((a, b) => b.time - a.time);
  let usable = 0;
  const isOutdated = ({ time, isUsable }: Taken): boolean => {
    const isOld = now - time > maxAge;
    // an unusable snapshot that is older than a usable one has failed
    if (!isUsable) return usable > 0 || isOld;
    usable += 1;
    return usable > keep || (usable > 1 && isOld);
  };
  return newestFirst.filter(isOutdated).map(({ name }) => name);
}
