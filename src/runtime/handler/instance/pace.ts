/** How often a VMI's status is written while its phase stays: a guest may change its reports without end. Pure. */

/** A change is shown at once, unless there were this many writes in the time before. */
export const WRITE_BURST = 5;
const WRITE_WINDOW_MS = 30_000;

/** Milliseconds until the next write may be made; 0: now. What changes until then is written with it. */
export function writeDelay(writes: readonly number[], now: number): number {
  if (writes.length < WRITE_BURST) return 0;
  const age = now - writes[writes.length - WRITE_BURST]!;
  // a clock that was set back does not keep anything waiting for longer
  return Math.min(Math.max(WRITE_WINDOW_MS - age, 0), WRITE_WINDOW_MS);
}

/** The times of the last writes, with this one. */
export const withWrite = (writes: readonly number[], now: number): readonly number[] =>
  [...writes, now].slice(-WRITE_BURST);
