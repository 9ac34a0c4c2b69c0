import type { Command } from 'commander';
import { CliError } from '../errors';
import { integer } from '../options';
import { changeRunState } from '../run-state';

interface Options {
  force?: boolean;
  gracePeriod?: number;
  dryRun?: boolean;
}

export function addStop(program: Command): void {
  program
    .command('stop <vm>')
    .summary('Stop a virtual machine')
    .description('Stop a virtual machine: the guest shuts down, and is killed after its grace period.')
    .option('--force', 'Kill the guest without a shutdown; requires --grace-period=0. Data in the guest may be lost')
    .option('--grace-period <seconds>', 'Seconds that the guest has to shut down; requires --force', integer)
    .option('--dry-run', 'Only check whether the request would succeed')
    .addHelpText('after', `\nExample:\n  # Stop a virtual machine called 'myvm'\n  ${program.name()} stop myvm`)
    .action(async (name: string, options: Options, command: Command) => {
      const { force = false, gracePeriod, dryRun } = options;
      if (force !== (gracePeriod !== undefined)) {
        throw new CliError('--force and --grace-period require each other, for example: --force --grace-period=0');
      }
      if (gracePeriod !== undefined && gracePeriod < 0) throw new CliError('--grace-period must be 0 seconds or more');
      const doing = force ? 'force stopping' : 'stopping';
      await changeRunState(command, 'stop', doing, name, dryRun, gracePeriod === undefined ? {} : { gracePeriod });
    });
}
