import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { CliError, messageOf } from '../errors';

const QUERIES = [
  ['guestosinfo', 'guestosinfo', 'guest agent info', 'Return what the guest agent reports about the operating system.'],
  ['fslist', 'filesystemlist', 'filesystems', 'Return the mounted filesystems of the guest.'],
  ['userlist', 'userlist', 'users', 'Return the users that are logged in to the guest.'],
] as const;

export function addGuestAgent(program: Command): void {
  for (const [name, subresource, what, text] of QUERIES) {
    program
      .command(`${name} <vmi>`)
      .summary(text.replace(/\.$/, ''))
      .description(`${text} Requires the guest agent.`)
      .addHelpText('after', `\nExample:\n  ${program.name()} ${name} myvm`)
      .action(async (vmi: string, _options: object, command: Command) => {
        const { Connection } = await import('../connection');
        const connection = await Connection.open(command.optsWithGlobals<GlobalFlags>());
        try {
          console.log(JSON.stringify(await connection.query('vmi', vmi, subresource), undefined, 2));
        } catch (error) {
          throw new CliError(`Error listing ${what} of VirtualMachineInstance ${vmi}: ${messageOf(error)}`);
        }
      });
  }
}
