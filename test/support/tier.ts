/** Whether this run contains everything (`scripts/test --all`); other runs take samples of what is large. */
export const isComplete = process.env.VIRT8S_TEST_TIER === 'all';

/** Everything in a complete run; otherwise each `step`th value, which are the same ones in every run. */
export function sampleOf<T>(values: readonly T[], step: number): readonly T[] {
  return isComplete ? values : values.filter((_, index) => index % step === 0);
}
