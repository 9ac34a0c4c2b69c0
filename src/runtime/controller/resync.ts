/** Each key is looked at once in this time, whatever woke it before: a net for a wake-up that nobody thought of. */
export const RESYNC_MS = 10 * 60_000;
/** The keys are spread over so many steps of the period, so that a large cluster sees no wave of passes. */
export const SLICES = 100;

export interface ResyncSource {
  keys(): Iterable<string>;
  readonly queue: { add(key: string): void };
}

/** The keys whose turn it is. Pure: over `SLICES` steps in a row, each key comes once. */
export function* dueKeys(keys: Iterable<string>, step: number): Iterable<string> {
  for (const key of keys) if (hash(key) % SLICES === step % SLICES) yield key;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}

/** Adds every key of each source to its queue once in a period; ends with the returned function. */
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
