import { runInNewContext } from 'node:vm';

/**
 * Runs code whose cost must grow linearly with its input. Callers pass an input so large that a quadratic algorithm needs
 * thousands of times as long as a linear one; the limit lies far from both, so it does not depend on the machine's speed.
 * @throws ERR_SCRIPT_EXECUTION_TIMEOUT after two minutes
 */
export const bounded = <T>(run: () => T): T => runInNewContext('run()', { run }, { timeout: 120_000 }) as T;
