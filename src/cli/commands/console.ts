import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { GlobalFlags } from '../connection';
import { parseTarget } from '../target';

const minutes = (value: string): number => {
  const number = Number(value);
  if (!(number >= 0)) throw new InvalidArgumentError('It must be a number of minutes.');
  return number;
};

export function addConsole(program: Command): void {
  program
    .command('console <vmi>')
    .summary('Connect to the serial console of a virtual machine')
    .description(
      'Connect to the serial console of a virtual machine. Ctrl+] disconnects. Piped input is sent to the ' +
        'guest; after its end, the command exits when the guest stops printing.',
    )
    .option('--timeout <minutes>', 'Minutes to wait for the virtual machine to be ready', minutes, 5)
    .addHelpText(
      'after',
      `
Examples:
  # Connect to the console of the virtual machine 'myvm':
  ${program.name()} console myvm
  # Wait one minute for it to be ready (default: 5)
  ${program.name()} console --timeout=1 myvm`,
    )
    .action(async (target: string, options: { timeout: number }, command: Command) => {
      const { Connection } = await import('../connection');
      const { runConsole } = await import('../console/run');
      const connection = await Connection.open(command.optsWithGlobals<GlobalFlags>());
      const { name, namespace } = target.includes('/') ? parseTarget(target) : { name: target, namespace: undefined };
      await runConsole({
        connection,
        name,
        namespace: namespace ?? connection.namespace,
        timeoutMs: options.timeout * 60_000,
        program: program.name(),
      });
    });
}
