import { type Command, Option } from 'commander';
import { each } from '../options';
import type { ValidateFlags } from '../validate/run';

/** validate: checks manifests with the rules of admission, without a cluster. */
export function addValidate(program: Command): void {
  program
    .command('validate <file...>')
    .summary('Check manifests as a cluster would, and locate each mistake')
    .description(
      'Check manifests with the rules of admission, without a cluster. Reports each mistake with its line, what is ' +
        'allowed and what to do. A file may be a folder, or - for standard input. Objects may refer to objects of ' +
        'other files. Exits with 1 if an object would be rejected, with 2 if a file could not be read.',
    )
    .option('--config <file>', "File of the KubeVirt object whose configuration applies (default: KubeVirt's defaults)")
    .option('--with <file>', 'File of objects that the cluster would hold: claims, instancetypes, … (repeatable)', each)
    .addOption(new Option('-o, --output <format>', 'Instead of text').choices(['json']))
    .option('--quiet', 'Print only mistakes')
    .addHelpText('after', `\nExample:\n  ${program.name()} validate manifests/`)
    .action(async (files: string[], flags: ValidateFlags) => {
      const { runValidate } = await import('../validate/run');
      process.exitCode = await runValidate(files, flags);
    });
}
