/** Limits how often a VMI's status is written while its phase stays: a guest may change its reports endlessly. Pure. */

/** A change is written immediately unless this many writes were made in the window. */
export const WRITE_BURST = 5;
const WRITE_WINDOW_MS = 30_000;

/** Milliseconds until the next write is allowed; 0 if it is now. Changes until then are written together. */
export function writeDelay(writes: readonly number[], now: number): number {
  if (writes.length < WRITE_BURST) return 0;
  const age = now - writes[writes.length - WRITE_BURST]!;
  // a clock that was set back must not extend the wait
  return Math.min(Math.max(WRITE_WINDOW_MS - age, 0), WRITE_WINDOW_MS);
}

/** Times of the last writes, including this one. */
export const withWrite = (writes: readonly number[], now: number): readonly number[] =>
  [...writes, now].slice(-WRITE_BURST);
