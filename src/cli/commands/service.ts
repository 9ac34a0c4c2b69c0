import type { Command } from 'commander';
import type { ServiceFlags } from '../service/run';

/** service install|uninstall: the engine as a service of systemd. */
export function addService(program: Command): void {
  const service = program
    .command('service')
    .summary('Run the local engine as a service')
    .description('Run the local engine as a service of systemd, which starts it after a reboot.');
  service
    .command('install')
    .summary('Install and start the service')
    .description('Write the unit virt8s.service, enable it and start it. An engine that runs is taken over.')
    .option('--state-dir <dir>', 'State folder of the engine (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)')
    .option('--print', 'Print the unit and change nothing')
    .action(async (flags: ServiceFlags) => {
      const { installService } = await import('../service/run');
      installService(flags);
    });
  service
    .command('uninstall')
    .summary('Stop and remove the service')
    .description('Stop the engine with its virtual machines, and remove the unit. Objects and disks are kept.')
    .action(async () => {
      const { uninstallService } = await import('../service/run');
      uninstallService();
    });
}
