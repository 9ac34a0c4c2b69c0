import { ApiError, isFutureVersion, isThrottled } from './api-error';

/** The stream contains invalid data and cannot be read any further. */
export class BrokenStream extends Error {
  public override readonly name = 'BrokenStream';
}

/**
 * Next step after a failure. `resume`: watch again from where the stream ended. `probe`: check first whether the server still
 * knows that version. `relist`: the cache's content is not reliable.
 */
export type AfterFailure = 'resume' | 'probe' | 'relist';

/** Consecutive rejections that may have transient causes. */
const MAX_REFUSALS = 5;

/**
 * @param error error that ended a list, probe or watch
 * @param refusals number of consecutive rejections before this one
 */
export function afterFailure(error: unknown, refusals: number): AfterFailure {
  if (error instanceof BrokenStream) return 'relist';
  // the connection broke: the next server may be one whose store was restored from a backup
  if (!(error instanceof ApiError)) return 'probe';
  if (isFutureVersion(error)) return 'relist';
  // these errors do not depend on the requested version
  const passes = isThrottled(error) || error.code === 401 || error.code === 403 || error.code >= 500;
  return passes && refusals < MAX_REFUSALS ? 'resume' : 'relist';
}

const RANK: readonly AfterFailure[] = ['resume', 'probe', 'relist'];

/** The stronger of two steps: a failed list must not be followed by a mere resume. */
export const stricter = (a: AfterFailure, b: AfterFailure): AfterFailure =>
  RANK.indexOf(a) >= RANK.indexOf(b) ? a : b;
