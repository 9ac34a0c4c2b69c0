import { ApiError, isFutureVersion, isThrottled } from './api-error';

/** The stream holds what no server would send: it cannot be followed any further. */
export class BrokenStream extends Error {
  public override readonly name = 'BrokenStream';
}

/**
 * How to go on after a failure. `resume`: watch again from where the stream ended. `probe`: ask first whether the server
 * still knows that version. `relist`: nothing that the cache holds is certain.
 */
export type AfterFailure = 'resume' | 'probe' | 'relist';

/** Refusals in a row that a server may give for reasons that pass by themselves. */
const MAX_REFUSALS = 5;

/**
 * @param error what ended a list, probe or watch
 * @param refusals how many the server has given in a row before this one
 */
export function afterFailure(error: unknown, refusals: number): AfterFailure {
  if (error instanceof BrokenStream) return 'relist';
  // a connection broke: whoever answers next may be a server whose store was restored from a backup
  if (!(error instanceof ApiError)) return 'probe';
  if (isFutureVersion(error)) return 'relist';
  // these say nothing about the version that was asked for
  const passes = isThrottled(error) || error.code === 401 || error.code === 403 || error.code >= 500;
  return passes && refusals < MAX_REFUSALS ? 'resume' : 'relist';
}

const RANK: readonly AfterFailure[] = ['resume', 'probe', 'relist'];

/** What is still to be done stays to be done: a failed list is not followed by a mere resume. */
export const stricter = (a: AfterFailure, b: AfterFailure): AfterFailure =>
  RANK.indexOf(a) >= RANK.indexOf(b) ? a : b;
