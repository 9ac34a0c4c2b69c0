import { type Command, Option } from 'commander';
import type { DoctorFlags } from '../doctor/run';

/** doctor: problems of a cluster or the local engine, each with a remedy. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('Find problems of the cluster or the local engine, with a remedy for each')
    .description(
      'Check versions, the installation, certificates, webhooks, nodes, KVM, image pulls, storage and virtual machines ' +
        'of the cluster, and the local engine if it is the cluster. Nothing is changed. What needs a permission that you ' +
        'lack is listed and not checked. With --namespace, only virtual machines and claims of that namespace are checked. ' +
        'Exits with 1 if there is an error, and with 0 if there are only warnings.',
    )
    .addOption(new Option('-o, --output <format>', 'Output format').choices(['text', 'json']).default('text'))
    .option('--state-dir <dir>', 'Check the engine of this state folder (default: the engine that is the cluster)')
    .addHelpText(
      'after',
      `\nExamples:\n  ${program.name()} doctor\n  ${program.name()} doctor -o json --context production`,
    )
    .action(async (_: object, command: Command) => {
      const { runDoctor } = await import('../doctor/run');
      process.exitCode = await runDoctor(command.optsWithGlobals<DoctorFlags>());
    });
}
