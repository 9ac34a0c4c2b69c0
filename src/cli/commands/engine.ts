import type { Command } from 'commander';
import { port } from '../options';

interface Flags {
  stateDir?: string;
}

/** up, status and down: the engine of this machine. */
export function addEngine(program: Command): void {
  program
    .command('up')
    .summary('Start the local engine')
    .description(
      'Start the local engine: a Kubernetes API with one node on this machine, in which virtual machines run. It goes ' +
        'on in the background. After a crash or a reboot, up takes over what is there.',
    )
    .option('--state-dir <dir>', 'Where the engine keeps everything (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)')
    .option('--port <port>', 'Port of its API server on 127.0.0.1 (default: as before, or 7443)', port)
    .option('--quiet', 'Only say what failed')
    .addHelpText(
      'after',
      `\nExample:\n  ${program.name()} up && kubectl --kubeconfig /var/lib/virt8s/admin.kubeconfig get nodes`,
    )
    .action(async (options: Flags & { port?: number; quiet?: boolean }) => {
      const { runUp } = await import('../engine');
      await runUp(options);
    });
  program
    .command('status')
    .summary('Show the local engine')
    .description('Show whether the local engine is up, and where. Exits with 1 when it is not.')
    .option('--state-dir <dir>', 'Where the engine keeps everything (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)')
    .option('-o, --output <format>', 'json')
    .option('--quiet', 'Only answer by the exit code')
    .action(async (options: Flags & { output?: string; quiet?: boolean }) => {
      const { runStatus } = await import('../engine');
      await runStatus(options);
    });
  program
    .command('down')
    .summary('Stop the local engine and everything that it runs')
    .description(
      'Stop the local engine with all its virtual machines, from any state, and remove everything that it made, unless ' +
        '--keep-state.',
    )
    .option('--state-dir <dir>', 'Where the engine keeps everything (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)')
    .option('--keep-state', 'Keep objects and disks: the next up starts the virtual machines again')
    .option('--quiet', 'Only say what failed')
    .action(async (options: Flags & { keepState?: boolean; quiet?: boolean }) => {
      const { runDown } = await import('../engine');
      await runDown(options);
    });
}
