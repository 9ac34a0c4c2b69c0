import { type Command, Option } from 'commander';
import { each } from '../options';
import type { ValidateFlags } from '../validate/run';

/** validate: admission's verdict with line and column, without a cluster. */
export function addValidate(program: Command): void {
  program
    .command('validate <file...>')
    .summary('Check manifests as a cluster would, and say where each mistake is')
    .description(
      'Check manifests with the rules of admission, without a cluster. Each mistake is told with its line, what is ' +
        'allowed and what to do. A file may be a folder, or - for standard input; files that are checked together may ' +
        'name each other. Exits with 1 when something would be refused, with 2 when something could not be read.',
    )
    .option('--config <file>', 'KubeVirt object whose configuration holds (default: none, so every default)')
    .option('--with <file>', 'Objects that the cluster would hold: claims, instancetypes, … (repeatable)', each)
    .option(
      '--kubevirt-version <version>',
      'Also report kinds, fields and feature gates that this version of KubeVirt lacks, such as 1.6',
    )
    .addOption(new Option('-o, --output <format>', 'Instead of text').choices(['json']))
    .option('--quiet', 'Only say what is wrong')
    .addHelpText('after', `\nExample:\n  ${program.name()} validate manifests/`)
    .action(async (files: string[], flags: ValidateFlags) => {
      const { runValidate } = await import('../validate/run');
      process.exitCode = await runValidate(files, flags);
    });
}
