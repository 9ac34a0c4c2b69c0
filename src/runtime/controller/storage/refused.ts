/** Objects that the API server refuses to create: by a quota, or a policy of the namespace. Pure. */
import { errorText } from '../../../api/error-text';
import type { Problem } from './clone/plan';

/** No event reports that a quota or policy has changed. */
const RETRY_MS = 30_000;
const MOST = 1000;

/** Problem for the user's object. A quota has CDI's reason, and every other cause the given one. */
export function refusedBy(error: unknown, reason: string): Problem {
  const message = errorText(error).slice(0, MOST);
  return /exceeded quota/i.test(message)
    ? { reason: 'ErrExceededQuota', message: `${message}; raise the quota, or delete what uses it`, retryMs: RETRY_MS }
    : { reason, message, retryMs: RETRY_MS };
}
