import fc from 'fast-check';

/**
 * Property tests with a fixed seed, so that every run of one commit tries the same cases. A failure prints its seed and
 * path. `npm run fuzz` runs all property tests with a random seed and more runs.
 */
export const seed = Number(process.env.VIRT8S_SEED ?? 1);

/** Number of runs of a property whose cases are cheap or costly; `VIRT8S_RUNS` multiplies it. */
export const runs = (count: number): number => Math.ceil(count * Number(process.env.VIRT8S_RUNS ?? 1));

fc.configureGlobal({ seed, numRuns: runs(100) });

export default fc;
