import { type Command, Option } from 'commander';
import type { DiffFlags } from '../diff/run';
import { each } from '../options';

/** diff: what manifests would change, and what that does to guests that run. */
export function addDiff(program: Command): void {
  program
    .command('diff [file...]')
    .summary('Show what manifests would change, and whether guests take it over while they run')
    .description(
      'Compare manifests with what the cluster holds, or with other files: each field that changes, after defaulting ' +
        'on both sides. For a virtual machine that runs it is told whether a change takes effect live, by a migration ' +
        'or by a restart, and what admission would refuse. Values of Secrets are not shown. A file may be a folder ' +
        '(default: dist), or - for standard input. Exits with 0 when nothing changes, with 1 when something does, with ' +
        '2 when something would be refused or went wrong.',
    )
    .option('--against <path>', 'Compare with this file or folder instead of the cluster')
    .option('--prune', 'Also tell what is there and not in the files')
    .option('-l, --selector <labels>', 'With --prune: which objects of the cluster are meant, as in app=web')
    .option('--config <file>', 'With --against: KubeVirt object whose configuration holds (default: every default)')
    .option('--with <file>', 'With --against: objects that the cluster would hold (repeatable)', each)
    .addOption(new Option('-o, --output <format>', 'Instead of text').choices(['json']))
    .addHelpText(
      'after',
      `\nExamples:\n  ${program.name()} diff dist/\n  ${program.name()} diff dist/ --against released/ --prune`,
    )
    .action(async (files: string[], _: DiffFlags, command: Command) => {
      const { runDiff } = await import('../diff/run');
      process.exitCode = await runDiff(files, command.optsWithGlobals<DiffFlags>());
    });
}
