/** Token buckets. Pure: the caller passes the time (milliseconds of a monotonic clock). */

/** Limit of at most `burst` at once, and `perSecond` on average. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

export interface Bucket {
  /** Negative if tokens were spent in advance. */
  readonly tokens: number;
  readonly at: number;
}

/** Spends `cost`, in advance if necessary, and returns how long to wait until it is covered (0: it is). */
export function spend(
  bucket: Bucket | undefined,
  { burst, perSecond }: Rate,
  cost: number,
  now: number,
): { bucket: Bucket; waitMs: number } {
  const { tokens, at } = bucket ?? { tokens: burst, at: now };
  const refilled = Math.min(burst, tokens + ((now - at) * perSecond) / 1_000);
  const left = refilled - cost;
  return { bucket: { tokens: left, at: now }, waitMs: left < 0 ? Math.ceil((-left * 1_000) / perSecond) : 0 };
}
