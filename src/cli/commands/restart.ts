import type { Command } from 'commander';
import { CliError } from '../errors';
import { integer } from '../options';
import { changeRunState } from '../run-state';

interface Options {
  force?: boolean;
  gracePeriod?: number;
  dryRun?: boolean;
}

export function addRestart(program: Command): void {
  program
    .command('restart <vm>')
    .summary('Restart a virtual machine')
    .description('Restart a virtual machine: the guest shuts down and starts again.')
    .option('--force', 'Kill the guest without a shutdown; requires --grace-period=0. Data in the guest may be lost')
    .option('--grace-period <seconds>', 'Only 0 is allowed, with --force', integer)
    .option('--dry-run', 'Only check whether the request would succeed')
    .addHelpText('after', `\nExample:\n  # Restart a virtual machine called 'myvm'\n  ${program.name()} restart myvm`)
    .action(async (name: string, options: Options, command: Command) => {
      const { force = false, gracePeriod, dryRun } = options;
      if (gracePeriod !== undefined && !force) throw new CliError('Can not set gracePeriod without --force=true');
      if (force && gracePeriod === undefined)
        throw new CliError('Can not force restart without gracePeriod: add --grace-period=0');
      const doing = force ? 'force restarting' : 'restarting';
      const body = gracePeriod === undefined ? {} : { gracePeriodSeconds: gracePeriod };
      await changeRunState(command, 'restart', doing, name, dryRun, body);
    });
}
