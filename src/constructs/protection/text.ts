import type { Duration, JsonPatch } from 'cdk8s';

const units = [
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
  [1, 'ms'],
] as const;

/** Formats a duration as Kubernetes does, in the largest unit that needs no fraction. */
export function durationText(duration: Duration): string {
  const milliseconds = duration.toMilliseconds();
  if (milliseconds === 0) return '0s';
  const [size, unit] = units.find(([each]) => milliseconds % each === 0) ?? [1, 'ms'];
  return `${milliseconds / size}${unit}`;
}

/** Formats patches as snapshots and clones expect them: each one as JSON text. */
export function patchTexts(patches: readonly JsonPatch[] | undefined): string[] | undefined {
  return patches?.map((patch) => JSON.stringify(patch._toJson()));
}
