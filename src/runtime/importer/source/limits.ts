/** Limits on the patience of an import with its server. */
export interface HttpLimits {
  /** Longest wait for the headers of a response, in milliseconds. */
  readonly headersMs: number;
  /** Longest wait for the next bytes of a body. */
  readonly silenceMs: number;
  /** Time of waiting in which at least `leastBytes` must arrive. */
  readonly paceMs: number;
  readonly leastBytes: number;
  /** Attempts in a row with less than `leastBytes`, before the container ends and its kubelet waits longer between attempts. */
  readonly attempts: number;
  /** Time before the second attempt; it doubles with each further one. */
  readonly firstRetryMs: number;
}

export const LIMITS: HttpLimits = {
  headersMs: 30_000,
  silenceMs: 60_000,
  paceMs: 60_000,
  leastBytes: 60 << 10,
  attempts: 5,
  firstRetryMs: 500,
};
