import type { Status } from '../api';

/** Ends the command: one line on stderr and this exit code. */
export class CliError extends Error {
  public override readonly name = 'CliError';

  public constructor(
    message: string,
    public readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** Exit code of the commands that read manifests, when one could not be read. */
export const UNREADABLE = 2;

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
