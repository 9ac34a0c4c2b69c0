import type { Command } from 'commander';

/** init: a new project. */
export function addInit(program: Command): void {
  program
    .command('init [kind] [dir]')
    .summary('Make a new project')
    .description(
      'Make a project that declares virtual machines, with a test, and builds at once. KIND is cdk8s (default), which ' +
        'writes manifests, or pulumi. DIR is new or empty (default: this one). A virt8s that was never released is put ' +
        'into the project as an archive.',
    )
    .addHelpText('after', `\nExample:\n  ${program.name()} init cdk8s shop`)
    .action(async (kind?: string, dir?: string) => {
      const { runInit } = await import('../init/run');
      runInit(kind, dir);
    });
}
