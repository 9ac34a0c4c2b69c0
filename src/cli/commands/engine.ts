import type { Command } from 'commander';
import type { UpFlags } from '../engine';
import { nodeCount, port } from '../options';

interface Flags {
  stateDir?: string;
}

/** up, status and down: manage the engine of this machine. */
export function addEngine(program: Command): void {
  program
    .command('up')
    .summary('Start the local engine')
    .description(
      'Start the local engine: a Kubernetes API with this machine as its node, or with several nodes on this machine. It keeps running ' +
        'in the background. After a crash or a reboot, up recovers the existing objects and disks. If the engine runs ' +
        'programs of another version, up replaces them; virtual machines keep running.',
    )
    .option('--state-dir <dir>', 'State folder of the engine (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)')
    .option(
      '--port <port>',
      'Port of the API server on 127.0.0.1, or 0 to take that of the last start or a free one (default: that of the last start, or 7443)',
      port,
    )
    .option('--nodes <number>', 'Number of nodes on this machine (default: that of the last start, or 1)', nodeCount)
    .option('--bare', 'Start without the platform: apply the manifests of VirtPlatform, and its components run as Pods')
    .option(
      '--ingress-http-port <port>',
      'Port for Ingresses (default: the previous port, or 80, or 10080 if 80 is in use)',
      port,
    )
    .option(
      '--ingress-https-port <port>',
      'Port for Ingresses with TLS (default: the previous port, or 443, or 10443 if 443 is in use)',
      port,
    )
    .option('--install', 'Install missing Debian packages')
    .option(
      '--foreground',
      'Stay until the engine ends; SIGTERM stops it with its virtual machines and keeps their disks',
    )
    .option('--quiet', 'Print only errors')
    .addHelpText(
      'after',
      `\nExample:\n  ${program.name()} up && kubectl --kubeconfig /var/lib/virt8s/admin.kubeconfig get nodes`,
    )
    .action(async (options: UpFlags) => {
      const { runUp } = await import('../engine');
      await runUp(options);
    });
  program
    .command('status')
    .summary('Show the local engine')
    .description('Show whether the local engine is up, and its address. Exits with 1 if it is down.')
    .option('--state-dir <dir>', 'State folder of the engine (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)')
    .option('-o, --output <format>', 'Format: json')
    .option('--quiet', 'Print nothing; only set the exit code')
    .action(async (options: Flags & { output?: string; quiet?: boolean }) => {
      const { runStatus } = await import('../engine');
      await runStatus(options);
    });
  program
    .command('down')
    .summary('Stop the local engine and everything that it runs')
    .description(
      'Stop the local engine with all its virtual machines, from any state, and remove everything it created, unless ' +
        '--keep-state.',
    )
    .option('--state-dir <dir>', 'State folder of the engine (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)')
    .option('--keep-state', 'Keep objects and disks: the next `up` starts the virtual machines again')
    .option('--quiet', 'Print only errors')
    .action(async (options: Flags & { keepState?: boolean; quiet?: boolean }) => {
      const { runDown } = await import('../engine');
      await runDown(options);
    });
}
