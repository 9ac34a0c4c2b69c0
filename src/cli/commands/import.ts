import type { Command } from 'commander';
import type { ImportFlags } from '../import/run';

/** import: manifests as code. */
export function addImport(program: Command): void {
  program
    .command('import <file...>')
    .usage('[libvirt] <file...> [options]')
    .summary('Turn manifests, or domains of libvirt, into code')
    .description(
      'Turn manifests of any kind into TypeScript that declares the same objects: by constructs where these say it ' +
        'all, else as they are. What is written was run first, and its objects were compared with the given ones. ' +
        'After the word libvirt, files are domains as `virsh dumpxml` prints them. A file may be a folder, or - for ' +
        'standard input. What only a cluster writes (status, uid, managed fields, …) is left out. Exits with 2 when ' +
        'something could not be read; then nothing is written.',
    )
    .option('-o, --output <file>', 'Write an app that npx tsx runs (default: print it)')
    .option('--force', 'Replace the file if it exists')
    .addHelpText(
      'after',
      `\nExamples:\n  ${program.name()} import vm.yaml -o app.ts && npx tsx app.ts` +
        `\n  ${program.name()} import libvirt domain.xml`,
    )
    .action(async (files: string[], flags: ImportFlags) => {
      const { runImport } = await import('../import/run');
      process.exitCode = await runImport(files, flags, program.name());
    });
}
