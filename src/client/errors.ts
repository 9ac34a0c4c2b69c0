import type { Status } from '../api';

/** The request never reached an API server, or was not understood here: one line that says what to do. */
export class ClientError extends Error {
  public override readonly name: string = 'ClientError';
}

/** One line for people, whatever was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s*\n\s*/g, '; ');
}

/** A Status in one line: its message, then the remedy that virt-api sends along. */
export function statusText(status: Status | undefined): string | undefined {
  if (!status?.message) return undefined;
  const remedies = status.details?.causes?.filter((cause) => cause.reason === 'Remedy').map((cause) => cause.message);
  return [status.message, ...(remedies ?? [])].join('; ');
}
