import type { Status } from '../../api/meta';

/** The API server rejected a request. `code` is the HTTP status, `reason` Kubernetes' own (`NotFound`, `AlreadyExists` …). */
export class ApiError extends Error {
  public override readonly name = 'ApiError';

  public constructor(
    public readonly code: number,
    public readonly reason: string,
    message: string,
    public readonly status?: Status,
  ) {
    super(message);
  }

  /** Remedy, if the platform provides one. */
  public get remedy(): string | undefined {
    return this.status?.details?.causes?.find(({ reason }) => reason === 'Remedy')?.message;
  }

  /** Creates the error from the body of a rejected request; `what` names the request. */
  public static of(code: number, body: string, what: string): ApiError {
    const status = parseStatus(body);
    const text = status?.message ?? (body.slice(0, 400).trim() || `HTTP ${code}`);
    return new ApiError(status?.code ?? code, status?.reason ?? reasonOf(code), `${what}: ${text}`, status);
  }

  /** Creates the error from the ERROR event of a watch. */
  public static ofStatus(status: Status, what: string): ApiError {
    const code = status.code ?? 500;
    return new ApiError(code, status.reason ?? reasonOf(code), `${what}: ${status.message ?? `HTTP ${code}`}`, status);
  }
}

const isCode =
  (...codes: number[]) =>
  (error: unknown): boolean =>
    error instanceof ApiError && codes.includes(error.code);

/** The object does not exist. */
export const isNotFound = isCode(404);
/** The resourceVersion or a uid precondition was stale. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 409 && error.reason !== 'AlreadyExists';
/** An object with this name exists. */
export const isAlreadyExists = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 409 && error.reason === 'AlreadyExists';
/** The resourceVersion of a watch or list page is too old. */
export const isGone = isCode(410);
/** A list or watch requested a version that the server has not reached: its store was restored from a backup. */
export const isFutureVersion = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 504 &&
  // servers before Kubernetes 1.19 send no cause
  (error.message.includes('Too large resource version') ||
    (error.status?.details?.causes ?? []).some(({ reason }) => reason === 'ResourceVersionTooLarge'));
/** The server is overloaded. */
export const isThrottled = isCode(429);
/** The request is invalid or was rejected by admission: a retry gives the same answer. */
export const isRefused = isCode(400, 403, 413, 422);

/** Handles a rejection: undefined if one of these functions expects the error, which is thrown again otherwise. */
export const except =
  (...expected: readonly ((error: unknown) => boolean)[]) =>
  (error: unknown): undefined => {
    if (!expected.some((is) => is(error))) throw error;
  };

function parseStatus(body: string): Status | undefined {
  try {
    const parsed = JSON.parse(body) as Partial<Status>;
    return parsed?.kind === 'Status' ? (parsed as Status) : undefined;
  } catch {
    return undefined;
  }
}

function reasonOf(code: number): string {
  const reasons: Record<number, string> = {
    400: 'BadRequest',
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'NotFound',
    405: 'MethodNotAllowed',
    409: 'Conflict',
    410: 'Expired',
    413: 'RequestEntityTooLarge',
    415: 'UnsupportedMediaType',
    422: 'Invalid',
    429: 'TooManyRequests',
    503: 'ServiceUnavailable',
    504: 'Timeout',
  };
  return reasons[code] ?? (code >= 500 ? 'InternalError' : 'Unknown');
}
