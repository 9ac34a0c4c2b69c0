import { ClientError } from '../client/errors';

export { messageOf, statusText } from '../client/errors';

/** Ends the command with one line on standard error and this exit code. */
export class CliError extends ClientError {
  public override readonly name = 'CliError';

  public constructor(
    message: string,
    public readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** Exit code if a manifest could not be read. */
export const UNREADABLE = 2;
