import { type Command, Option } from 'commander';
import type { DiffFlags } from '../diff/run';
import { each } from '../options';

/** diff: shows the changes that manifests would make, and their effect on running guests. */
export function addDiff(program: Command): void {
  program
    .command('diff [file...]')
    .summary('Show what manifests would change, and which changes require a restart of the guest')
    .description(
      'Compare manifests with the objects of the cluster or of other files, field by field, after defaulting ' +
        'on both sides. For a running virtual machine, shows whether a change takes effect live, by a migration ' +
        'or by a restart, and what admission would reject. Values of Secrets are not shown. A file may be a folder ' +
        '(default: dist), or - for standard input. Exits with 0 if nothing changes, with 1 if something changes, with ' +
        '2 if an object would be rejected or an error occurred.',
    )
    .option('--against <path>', 'Compare with this file or folder instead of the cluster')
    .option('--prune', 'Also show existing objects that are not in the files')
    .option('-l, --selector <labels>', 'With --prune: label selector of objects in the cluster, for example app=web')
    .option(
      '--config <file>',
      "With --against: file of the KubeVirt object whose configuration applies (default: KubeVirt's defaults)",
    )
    .option('--with <file>', 'With --against: file of objects that the cluster would hold (repeatable)', each)
    .addOption(new Option('-o, --output <format>', 'Print this format instead of text').choices(['json']))
    .addHelpText(
      'after',
      `\nExamples:\n  ${program.name()} diff dist/\n  ${program.name()} diff dist/ --against released/ --prune`,
    )
    .action(async (files: string[], _: DiffFlags, command: Command) => {
      const { runDiff } = await import('../diff/run');
      process.exitCode = await runDiff(files, command.optsWithGlobals<DiffFlags>());
    });
}
