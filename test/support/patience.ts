/** Longest wait of a test. The limit only ends hangs: no test passes or fails because of the speed of the machine. */
export const PATIENCE_MS = 300_000;

/** Longest pause between two attempts, unless a test asks for longer ones. */
const LONGEST_PAUSE_MS = 500;

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
export async function eventually<T>(
  attempt: () => Promise<T> | T,
  { everyMs = 100, limitMs = PATIENCE_MS }: EventuallyOptions = {},
): Promise<T> {
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
