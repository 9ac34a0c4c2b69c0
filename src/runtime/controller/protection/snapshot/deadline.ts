import { parseDuration } from '../../../../api/duration';
import { copyOf, type Content, type Snapshot } from '../types';

const DEFAULT_DEADLINE_MS = 5 * 60_000;

/** Time until the snapshot fails; undefined if it has no limit. The time that a copy takes depends on the size of the disk. */
export function deadlineLeft(
  { metadata, spec }: Snapshot,
  content: Content | undefined,
  now: number,
): number | undefined {
  const isCopying =
    content?.spec.volumeBackups?.some((backup) => copyOf(backup) !== undefined) && !content.status?.error;
  if (spec.failureDeadline === undefined && isCopying) return undefined;
  const limit = spec.failureDeadline === undefined ? DEFAULT_DEADLINE_MS : parseDuration(spec.failureDeadline);
  if (!limit) return undefined;
  return Date.parse(metadata.creationTimestamp ?? '') + limit - now;
}
