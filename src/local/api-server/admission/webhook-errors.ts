import { Status } from '../../../api/meta';
import { StatusError } from '../errors';

/** Rejection by a webhook: its own status, with a message that names the webhook. */
export function denial(name: string, given: Partial<Status> = {}): StatusError {
  const by = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = given.message || given.reason;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    ...given,
    status: !given.status || given.status === 'Success' ? 'Failure' : given.status,
    message: why ? `${by}: ${why}` : `${by} without explanation`,
    code: given.code && given.code >= 400 ? given.code : 400,
  });
}
