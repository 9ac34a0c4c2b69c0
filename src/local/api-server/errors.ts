import { Status, StatusCause } from '../../api/meta';

type Details = NonNullable<Status['details']>;

/** Rejection of a request: the HTTP response. Messages and reasons are those of Kubernetes. */
export class StatusError extends Error {
  public constructor(public readonly status: Status) {
    super(status.message ?? status.reason);
  }

  public get code(): number {
    return this.status.code ?? 500;
  }
}

/** `deployments.apps`, or `pods` in the core group. */
export function qualified(group: string, resource: string): string {
  return group ? `${resource}.${group}` : resource;
}

/** Subject of an error: a resource (`pods`) in its group. */
export interface Subject {
  readonly group: string;
  readonly resource: string;
}

const of = (subject: Subject) => qualified(subject.group, subject.resource);

function failure(code: number, reason: string, message: string, details?: Details): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details ? { details } : {}),
    code,
  });
}

/** Drops what Kubernetes omits when empty. */
function about(subject: Subject | undefined, name?: string, more: Details = {}): Details {
  return {
    ...(name ? { name } : {}),
    ...(subject?.group ? { group: subject.group } : {}),
    ...(subject?.resource ? { kind: subject.resource } : {}),
    ...more,
  };
}

export const errors = {
  notFound: (subject: Subject, name: string) =>
    failure(404, 'NotFound', `${of(subject)} ${JSON.stringify(name)} not found`, about(subject, name)),

  alreadyExists: (subject: Subject, name: string) =>
    failure(409, 'AlreadyExists', `${of(subject)} ${JSON.stringify(name)} already exists`, about(subject, name)),

  generateNameConflict: (subject: Subject, name: string) =>
    failure(
      409,
      'AlreadyExists',
      `${of(subject)} ${JSON.stringify(name)} already exists, the server was not able to generate a unique name for the object`,
      about(subject, name, { retryAfterSeconds: 1 }),
    ),

  conflict: (subject: Subject, name: string, why: string) =>
    failure(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${of(subject)} ${JSON.stringify(name)}: ${why}`,
      about(subject, name),
    ),

  applyConflict: (message: string, causes: StatusCause[]) => failure(409, 'Conflict', message, { causes }),

  /** `group` and `kind` (not the resource), as in `Deployment.apps "x" is invalid`. */
  invalid: (group: string, kind: string, name: string, causes: StatusCause[]) => {
    const lines = [...new Set(causes.map((cause) => (cause.field ? `${cause.field}: ` : '') + cause.message))];
    const joined = lines.length > 1 ? `[${lines.join(', ')}]` : lines[0];
    const what = `${qualified(group, kind)} ${JSON.stringify(name)} is invalid`;
    return failure(422, 'Invalid', joined ? `${what}: ${joined}` : what, {
      ...(name ? { name } : {}),
      ...(group ? { group } : {}),
      ...(kind ? { kind } : {}),
      ...(causes.length ? { causes } : {}),
    });
  },

  badRequest: (message: string) => failure(400, 'BadRequest', message),

  unauthorized: () => failure(401, 'Unauthorized', 'Unauthorized'),

  forbidden: (subject: Subject, name: string, why: string, causes?: StatusCause[]) => {
    let message = `${of(subject)} ${JSON.stringify(name)} is forbidden: ${why}`;
    if (!subject.resource) message = `forbidden: ${why}`;
    else if (!name) message = `${of(subject)} is forbidden: ${why}`;
    return failure(403, 'Forbidden', message, about(subject, name, causes ? { causes } : {}));
  },

  methodNotSupported: (subject: Subject, action: string) =>
    failure(
      405,
      'MethodNotAllowed',
      `${action} is not supported on resources of kind ${JSON.stringify(of(subject))}`,
      about(subject),
    ),

  methodNotAllowed: () =>
    failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),

  noSuchResource: () => failure(404, 'NotFound', 'the server could not find the requested resource', {}),

  notAcceptable: (accepted: readonly string[]) =>
    failure(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`),

  unsupportedMediaType: (accepted: readonly string[]) =>
    failure(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    ),

  /** Kubernetes' router answers for built-in kinds, before the handler that knows the accepted types. */
  notAcceptableRoute: (served: readonly string[]) =>
    failure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${served.join(', ')}`, {}),

  unsupportedMediaTypeRoute: () => failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {}),

  expired: (message: string) => failure(410, 'Expired', message),

  tooLarge: (message: string) => failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`),

  tooManyRequests: (message: string, causes?: StatusCause[], retryAfterSeconds?: number) =>
    failure(429, 'TooManyRequests', message, {
      ...(causes ? { causes } : {}),
      ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
    }),

  timeout: (message: string, causes?: StatusCause[], retryAfterSeconds?: number) =>
    failure(504, 'Timeout', `Timeout: ${message}`, {
      ...(causes ? { causes } : {}),
      ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
    }),

  unavailable: (message: string) => failure(503, 'ServiceUnavailable', message),

  insufficientStorage: (message: string) => failure(507, 'InsufficientStorage', message),

  internal: (message: string) =>
    failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }),

  /** Error that Kubernetes reports without a reason. */
  unknown: (message: string) =>
    new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }),

  /** A patch that is well formed but does not fit the object. */
  unprocessable: (message: string) => failure(422, 'Invalid', message, {}),
};

/** Message for a write that conflicts with another write. */
export const OPTIMISTIC_LOCK =
  'the object has been modified; please apply your changes to the latest version and try again';
