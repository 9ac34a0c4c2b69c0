import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { each, port } from '../options';
import { buildSshArguments } from '../open-ssh';
import type { SshFlags } from '../open-ssh';
import { parseSshTarget } from '../target';

/** Flags that ssh and scp share. */
export function addSshFlags(command: Command): Command {
  return command
    .option('-l, --username <user>', 'User to log in as (default: from ssh)')
    .option('-i, --identity-file <file>', 'Private key to log in with (default: from ssh)')
    .option('--known-hosts <file>', "File of known host keys (default: ssh's own)")
    .option('-p, --port <port>', 'Port of the guest', port, 22)
    .option(
      '-t, --local-ssh-opts <option>',
      'Additional option for the local client, for example -t "-o StrictHostKeyChecking=no" (repeatable)',
      each,
    );
}

export function addSsh(program: Command): void {
  addSshFlags(program.command('ssh <target>'))
    .summary('Open an SSH connection to a virtual machine')
    .description(
      'Open an SSH connection to a virtual machine, with the local ssh client through the API server. The target is ' +
        '[user@]vm/NAME[/NAMESPACE] or [user@]vmi/NAME[/NAMESPACE]. Exits with the exit code of ssh.',
    )
    .option('-c, --command <command>', 'Command to run in the guest instead of a shell')
    .addHelpText(
      'after',
      `
Examples:
  # Log in to 'myvm' as jdoe
  ${program.name()} ssh jdoe@vm/myvm
  # In namespace 'mynamespace', with a key, running one command
  ${program.name()} ssh -i ~/.ssh/id_ed25519 -c uptime jdoe@vm/myvm/mynamespace`,
    )
    .action(async (text: string, options: SshFlags & { command?: string }, command: Command) => {
      const target = parseSshTarget(text);
      const { resolveConfig } = await import('../../client/kubeconfig');
      const { runClient, proxyCommand } = await import('../run-ssh');
      const flags = command.optsWithGlobals<GlobalFlags>();
      const namespace = target.namespace ?? flags.namespace ?? (await resolveConfig(flags)).namespace ?? 'default';
      const args = buildSshArguments({ ...target, namespace }, options, proxyCommand(flags));
      await runClient('ssh', args);
    });
}
