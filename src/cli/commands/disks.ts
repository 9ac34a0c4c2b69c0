import { type Command, Option } from 'commander';
import type { GlobalFlags } from '../connection';

export function addDisks(program: Command): void {
  program
    .command('disks <vm>')
    .summary('List the disks of a virtual machine')
    .description(
      'List the disks of a virtual machine: device in the guest, volume, claim and the source of its data, with sizes. ' +
        'Also works while the machine is stopped, except for sizes that only a running guest has. The space in use is ' +
        'that of the file systems in the guest, and requires the guest agent.',
    )
    .addOption(new Option('-o, --output <format>', 'Output format').choices(['table', 'json']).default('table'))
    .addHelpText('after', `\nExample:\n  ${program.name()} disks myvm`)
    .action(async (name: string, { output }: { output: 'table' | 'json' }, command: Command) => {
      const { listDisks } = await import('../disks/run');
      console.log(await listDisks(name, output, command.optsWithGlobals<GlobalFlags>()));
    });
}
