import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { buildScpArguments, parseScpTargets } from '../open-ssh';
import type { SshFlags } from '../open-ssh';
import { addSshFlags } from './ssh';

export function addScp(program: Command): void {
  addSshFlags(program.command('scp <source> <destination>'))
    .summary('Copy files from or to a virtual machine')
    .description(
      'Copy files from or to a virtual machine, with the local scp client through the API server. One of source and ' +
        'destination is [user@]vm/NAME[/NAMESPACE]:PATH (or vmi/…), the other a local path. Exits with the exit code of scp.',
    )
    .option('-r, --recursive', 'Copy directories with their contents')
    .option('--preserve', 'Preserve modification times, access times and modes')
    .addHelpText(
      'after',
      `
Examples:
  # Copy a file to the home directory of jdoe
  ${program.name()} scp myfile.bin jdoe@vm/myvm:myfile.bin
  # Copy a directory from 'myvm' in 'mynamespace'
  ${program.name()} scp --recursive jdoe@vm/myvm/mynamespace:logs ./logs`,
    )
    .action(
      async (
        source: string,
        destination: string,
        options: SshFlags & { recursive?: boolean; preserve?: boolean },
        command: Command,
      ) => {
        const targets = parseScpTargets(source, destination);
        const { resolveConfig } = await import('../../client/kubeconfig');
        const { runClient, proxyCommand } = await import('../run-ssh');
        const flags = command.optsWithGlobals<GlobalFlags>();
        const namespace =
          targets.remote.namespace ?? flags.namespace ?? (await resolveConfig(flags)).namespace ?? 'default';
        const args = buildScpArguments(
          { ...targets, remote: { ...targets.remote, namespace } },
          options,
          proxyCommand(flags),
        );
        await runClient('scp', args);
      },
    );
}
