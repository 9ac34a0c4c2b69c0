import type { Pod } from '../../core-v1';
import { allFailuresOf, finishedAt } from './pods';

/** Failures of a Job since its last success. */
export interface Backoff {
  readonly failures: number;
  readonly lastFailure: number;
}

export const NO_FAILURES: Backoff = { failures: 0, lastFailure: 0 };

const FIRST_MS = 10_000;
const MAX_MS = 600_000;

/** Counts Pods that ended since the last pass. Pure. */
export function countFailures(before: Backoff, succeeded: readonly Pod[], failed: readonly Pod[]): Backoff {
  const lastSuccess = Math.max(-Infinity, ...succeeded.map(finishedAt));
  const later = failed.map(finishedAt).filter((time) => time > lastSuccess);
  const start = succeeded.length ? NO_FAILURES : before;
  if (!later.length) return start;
  return { failures: start.failures + later.length, lastFailure: Math.max(...later) };
}

/** Time until another Pod may be created: 10 s after the first failure, doubled by each further one, 10 min at most. */
export function remainingMs({ failures, lastFailure }: Backoff, now: number): number {
  if (!failures) return 0;
  return Math.max(0, lastFailure + Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 32), MAX_MS) - now);
}

/** Time until the Pod of an index may be replaced. */
export const remainingForIndex = (replaced: Pod | undefined, now: number): number =>
  replaced ? remainingMs({ failures: allFailuresOf(replaced) + 1, lastFailure: finishedAt(replaced) }, now) : 0;
