import { errorText } from '../../../api/error-text';
/** gRPC status codes that a peer may send. */
export const GrpcStatus = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcStatusCode = (typeof GrpcStatus)[keyof typeof GrpcStatus];

/** `DEADLINE_EXCEEDED` for 4; `code 99` for a code that gRPC does not define. */
function statusName(code: number): string {
  return Object.entries(GrpcStatus).find(([, value]) => value === code)?.[0] ?? `code ${code}`;
}

/** A call that did not end with OK. A server handler throws it to choose the code for its caller. */
export class GrpcError extends Error {
  public constructor(
    public readonly code: number,
    /** The peer's message, without the method and code that `message` adds. */
    public readonly details: string,
    /** `kubevirt.cmd.v1.Cmd/Ping`, if it failed at the client. */
    public readonly method?: string,
  ) {
    super(`${method ? `${method}: ` : ''}${statusName(code)}: ${details}`);
    this.name = 'GrpcError';
  }
}

/** Error that a server sends for an exception: its own code if it is a GrpcError, else UNKNOWN. */
export function errorOf(thrown: unknown): GrpcError {
  if (thrown instanceof GrpcError) return thrown;
  return new GrpcError(GrpcStatus.UNKNOWN, errorText(thrown));
}
