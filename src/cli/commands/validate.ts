import { type Command, Option } from 'commander';
import { each } from '../options';
import type { ValidateFlags } from '../validate/run';

/** validate: findings of admission with line and column, without a cluster. */
export function addValidate(program: Command): void {
  program
    .command('validate <file...>')
    .summary('Check manifests as a cluster would, and locate each mistake')
    .description(
      'Check manifests with the rules of admission, without a cluster. Each finding names its line, what is allowed and ' +
        'what to do. A file may be a folder, or - for standard input; files that are checked together may refer to each ' +
        'other. Exits with 1 if an object would be rejected, with 2 if a file could not be read. SARIF is for code hosts.',
    )
    .option('--config <file>', "File of the KubeVirt object whose configuration applies (default: KubeVirt's defaults)")
    .option('--with <file>', 'File of objects that the cluster would hold: claims, instancetypes, … (repeatable)', each)
    .option(
      '--kubevirt-version <version>',
      'Also report kinds, fields and feature gates that this version of KubeVirt lacks, such as 1.6',
    )
    .addOption(
      new Option('-o, --output <format>', 'Format of the findings').choices(['text', 'json', 'sarif']).default('text'),
    )
    .option('--quiet', 'Print findings only, no summary')
    .addHelpText(
      'after',
      `\nExamples:\n  ${program.name()} validate manifests/\n  ${program.name()} validate -o sarif manifests/ > virt8s.sarif`,
    )
    .action(async (files: string[], flags: ValidateFlags) => {
      const { runValidate } = await import('../validate/run');
      process.exitCode = await runValidate(files, flags);
    });
}
