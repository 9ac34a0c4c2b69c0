import fc from 'fast-check';
import { isComplete } from './tier';

/**
 * Property tests with a fixed seed, so that every run of one commit tries the same cases. A failure prints its seed and
 * path. `npm run fuzz` runs all property tests with a random seed and more runs.
 */
export const seed = Number(process.env.VIRT8S_SEED ?? 1);

const { VIRT8S_RUNS } = process.env;

/**
 * Number of runs of a property whose cases are cheap or costly: `count` in a complete run, a quarter in others;
 * `VIRT8S_RUNS` multiplies `count`.
 */
export const runs = (count: number): number => Math.ceil(count * Number(VIRT8S_RUNS ?? (isComplete ? 1 : 0.25)));

fc.configureGlobal({ seed, numRuns: Math.ceil(100 * Number(VIRT8S_RUNS ?? 1)) });

export default fc;
