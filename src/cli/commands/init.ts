import type { Command } from 'commander';

/** init: a new project. */
export function addInit(program: Command): void {
  program
    .command('init [kind] [dir]')
    .summary('Create a project')
    .description(
      'Create a project that declares virtual machines, with a test. It builds without changes. KIND is cdk8s ' +
        '(default), which writes manifests, or pulumi. DIR is new or empty (default: the current folder). If this ' +
        'version of virt8s is not released, the project contains it as an archive.',
    )
    .addHelpText('after', `\nExample:\n  ${program.name()} init cdk8s shop`)
    .action(async (kind?: string, dir?: string) => {
      const { runInit } = await import('../init/run');
      runInit(kind, dir);
    });
}
