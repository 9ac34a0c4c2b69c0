/** Longest wait of a test. The limit only ends hangs: no test passes or fails because of the speed of the machine. */
export const PATIENCE_MS = 300_000;

/** Longest pause between two attempts, unless a test asks for longer ones. */
const LONGEST_PAUSE_MS = 500;

type Attempt<T> = () => Promise<T> | T;

export interface EventuallyOptions {
  /** Shortest pause between two attempts, in milliseconds. */
  readonly everyMs?: number;
  /** Longer wait, for benchmarks. */
  readonly limitMs?: number;
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/**
 * Repeats an attempt until it succeeds, and throws its last error after `PATIENCE_MS`. The pauses become longer, because
 * attempts may run kubectl, and would take the CPU from the guest that they wait for.
 */
export function eventually<T>(attempt: Attempt<T>, options?: EventuallyOptions): Promise<T>;
/** @deprecated Pass no limit. */
export function eventually<T>(limitMs: number, attempt: Attempt<T>, everyMs?: number): Promise<T>;
export async function eventually<T>(
  first: number | Attempt<T>,
  second?: EventuallyOptions | Attempt<T>,
  third?: number,
): Promise<T> {
  const attempt = typeof first === 'function' ? first : (second as Attempt<T>);
  const { everyMs = 100, limitMs = PATIENCE_MS } = typeof second === 'object' ? second : { everyMs: third };
  for (const start = Date.now(); ;) {
    try {
      return await attempt();
    } catch (error) {
      const passed = Date.now() - start;
      if (passed > limitMs) throw error;
      await sleep(Math.max(everyMs, Math.min(passed / 10, LONGEST_PAUSE_MS)));
    }
  }
}
