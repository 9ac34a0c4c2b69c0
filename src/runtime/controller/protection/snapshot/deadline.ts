import { parseDuration } from '../../../../api/duration';
import type { Snapshot } from '../types';

const DEFAULT_DEADLINE_MS = 5 * 60_000;

/** Time until the snapshot fails; undefined if it has no limit. */
export function deadlineLeft({ metadata, spec }: Snapshot, now: number): number | undefined {
  const limit = spec.failureDeadline === undefined ? DEFAULT_DEADLINE_MS : parseDuration(spec.failureDeadline);
  if (!limit) return undefined;
  return Date.parse(metadata.creationTimestamp ?? '') + limit - now;
}
