/** Period in which each key is reconciled at least once, in case an event that should wake it is missing. */
export const RESYNC_MS = 10 * 60_000;
/** Number of steps that the keys of a period are spread over, so that a large cluster has no burst of passes. */
export const SLICES = 100;

export interface ResyncSource {
  keys(): Iterable<string>;
  readonly queue: { add(key: string): void };
}

/** Keys of this step. Pure: in `SLICES` consecutive steps, each key is returned once. */
export function* dueKeys(keys: Iterable<string>, step: number): Iterable<string> {
  for (const key of keys) if (hash(key) % SLICES === step % SLICES) yield key;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}

/** Adds every key of each source to its queue once per period, until the returned function is called. */
export function startResync(
  sources: readonly ResyncSource[],
  { periodMs = RESYNC_MS, firstStep = Math.floor(Math.random() * SLICES) } = {},
): () => void {
  let step = firstStep;
  const timer = setInterval(() => {
    for (const { keys, queue } of sources) for (const key of dueKeys(keys(), step)) queue.add(key);
    step++;
  }, periodMs / SLICES);
  return () => clearInterval(timer);
}
