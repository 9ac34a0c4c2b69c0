import type { Command } from 'commander';

interface Flags {
  stateDir?: string;
}

const actions = {
  stop: 'Stop a node as if its power failed',
  start: 'Start a stopped node',
  disconnect: "Unplug a node's network link",
  connect: "Plug a node's network link in again",
} as const;

/** node list|stop|start|disconnect|connect: try drain and failover on one machine. */
export function addNode(program: Command): void {
  const node = program
    .command('node')
    .summary('Manage the nodes of the local engine')
    .description(
      'Manage the further nodes of a local engine that was started with `up --nodes`. The first node is this machine.',
    );
  const stateDir = [
    '--state-dir <dir>',
    'State folder of the engine (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)',
  ] as const;
  node
    .command('list')
    .summary('List the nodes')
    .description('List the further nodes of the local engine.')
    .option(...stateDir)
    .action(async (options: Flags) => {
      const { runNodeList } = await import('../node');
      await runNodeList(options);
    });
  for (const [action, summary] of Object.entries(actions) as [keyof typeof actions, string][]) {
    node
      .command(`${action} <name>`)
      .summary(summary)
      .description(`${summary}.`)
      .option(...stateDir)
      .action(async (name: string, options: Flags) => {
        const { runNode } = await import('../node');
        await runNode(action, name, options);
      });
  }
}
