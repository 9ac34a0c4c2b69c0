/**
 * Runs `work` `count` times in batches of 1, 2, 4 …, so that a cause that affects every call (a quota, say) costs one
 * failed request instead of `count`. After a batch with a failure, throws the first error.
 */
export async function inGrowingBatches(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let done = 0, size = 1; done < count; size *= 2) {
    const batch = Math.min(size, count - done);
    const results = await Promise.allSettled(Array.from({ length: batch }, (_, i) => work(done + i)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    done += batch;
  }
}

/** Runs `work` for all items at once; after all have ended, throws the first error. */
export async function forAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failed = (await Promise.allSettled(items.map(work))).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Error of an attempt, which is thrown after the status was written; undefined if it succeeded. */
export const failureOf = (attempt: Promise<unknown>): Promise<{ readonly error: unknown } | undefined> =>
  attempt.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
