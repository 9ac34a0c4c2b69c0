import { ClientError } from '../client/errors';

export { messageOf, statusText } from '../client/errors';

/** Ends the command: one line on stderr and this exit code. */
export class CliError extends ClientError {
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
