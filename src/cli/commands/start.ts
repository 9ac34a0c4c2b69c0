import type { Command } from 'commander';
import { changeRunState } from '../run-state';

export function addStart(program: Command): void {
  program
    .command('start <vm>')
    .summary('Start a virtual machine')
    .description('Start a virtual machine.')
    .option('--paused', 'Start the guest paused; the unpause command resumes it')
    .option('--dry-run', 'Only check whether the request would succeed')
    .addHelpText('after', `\nExample:\n  # Start a virtual machine called 'myvm'\n  ${program.name()} start myvm`)
    .action((name: string, options: { paused?: boolean; dryRun?: boolean }, command: Command) =>
      changeRunState(command, 'start', 'starting', name, options.dryRun, options.paused ? { paused: true } : {}),
    );
}
