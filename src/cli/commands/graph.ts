import { type Command, Option } from 'commander';
import type { GraphFlags } from '../graph/run';

/** graph: draws the objects of manifests and their references. */
export function addGraph(program: Command): void {
  program
    .command('graph [file...]')
    .summary('Draw the objects of manifests and how they refer to each other')
    .description(
      'Draw virtual machines with their disks and interfaces, the objects that they refer to, and the Services and ' +
        'policies that select them. Objects that are not in the files have dashed boxes: the cluster must have them ' +
        'already. A file may be a folder (default: dist), or - for standard input. Requires no cluster.',
    )
    .addOption(new Option('-o, --output <format>', 'Format').choices(['svg', 'dot']).default('svg'))
    .option('--out <file>', 'Write to a file instead of standard output')
    .addHelpText('after', `\nExample:\n  ${program.name()} graph dist/ --out app.svg`)
    .action(async (files: string[], flags: GraphFlags) => {
      const { runGraph } = await import('../graph/run');
      await runGraph(files, flags);
    });
}
