import type { Command } from 'commander';
import type { ImportFlags } from '../import/run';

/** import: turns manifests into code. */
export function addImport(program: Command): void {
  program
    .command('import <file...>')
    .usage('[libvirt] <file...> [options]')
    .summary('Turn manifests or libvirt domains into code')
    .description(
      'Turn manifests of any kind into TypeScript that declares the same objects: with constructs where these can ' +
        'express them, or as plain objects. The code is run and its objects are compared before it is written. ' +
        'With the word libvirt, files are domains as printed by `virsh dumpxml`. A file may be a folder, or - for ' +
        'standard input. Fields that a cluster sets (status, uid, managed fields, …) are omitted. Exits with 2 and ' +
        'writes nothing if a file could not be read.',
    )
    .option('-o, --output <file>', 'Write an app that runs with npx tsx (default: print it)')
    .option('--force', 'Overwrite an existing file')
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
