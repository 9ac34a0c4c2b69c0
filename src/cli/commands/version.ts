import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { CliError, messageOf } from '../errors';
import { clientVersion } from '../version';

type Info = Record<string, unknown>;

/** Formats a version like Kubernetes' commands: `version.Info{GitVersion:"v1.0.0", …}`. */
const format = (info: Info): string => {
  const fields = Object.entries(info).map(
    ([name, value]) => `${name[0].toUpperCase()}${name.slice(1)}:"${String(value)}"`,
  );
  return `version.Info{${fields.join(', ')}}`;
};

export function addVersion(program: Command): void {
  program
    .command('version')
    .summary('Print the client and server version')
    .description('Print the version of this command and of virt-api.')
    .option('-c, --client', 'Print only the version of this command')
    .action(async (options: { client?: boolean }, command: Command) => {
      console.log(`Client Version: ${format(clientVersion)}`);
      if (options.client) return;
      const { Connection } = await import('../connection');
      const connection = await Connection.open(command.optsWithGlobals<GlobalFlags>());
      try {
        console.log(`Server Version: ${format(await connection.document<Info>('version'))}`);
      } catch (error) {
        throw new CliError(`cannot get the server's version: ${messageOf(error)}`);
      }
    });
}
