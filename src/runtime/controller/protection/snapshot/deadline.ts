import { parseDuration } from '../../../../api/duration';
import { copyOf, type Content, type Snapshot } from '../types';

const DEFAULT_DEADLINE_MS = 5 * 60_000;

/**
 * Time until the snapshot fails; undefined if it has no limit. The time that a copy takes depends on the size of the disk: its
 * default limit is that of an error without a break.
 */
export function deadlineLeft(
  { metadata, spec }: Snapshot,
  content: Content | undefined,
  now: number,
): number | undefined {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  if (spec.failureDeadline !== undefined) {
    const limit = parseDuration(spec.failureDeadline);
    return limit ? created + limit - now : undefined;
  }
  const isCopying = content?.spec.volumeBackups?.some((backup) => copyOf(backup) !== undefined);
  if (!isCopying) return created + DEFAULT_DEADLINE_MS - now;
  const { time } = content?.status?.error ?? {};
  return time === undefined ? undefined : Date.parse(time) + DEFAULT_DEADLINE_MS - now;
}
