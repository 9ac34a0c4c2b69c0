import type { Status } from '../api';

/** Error before a request reached an API server. Its message is one line with the remedy. */
export class ClientError extends Error {
  public override readonly name: string = 'ClientError';
}

/** Message of any thrown value, in one line. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s*\n\s*/g, '; ');
}

/** Status in one line: its message, then virt-api's remedy. */
export function statusText(status: Status | undefined): string | undefined {
  if (!status?.message) return undefined;
  const remedies = status.details?.causes?.filter((cause) => cause.reason === 'Remedy').map((cause) => cause.message);
  return [status.message, ...(remedies ?? [])].join('; ');
}
