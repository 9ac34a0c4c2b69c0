import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { CliError } from '../errors';
import { parseForward, parseTarget } from '../target';

interface Options {
  stdio?: boolean;
  address: string;
}

export function addPortForward(program: Command): void {
  program
    .command('port-forward <target> <port...>')
    .summary('Forward local ports to a virtual machine')
    .description(
      `Forward local ports to a virtual machine.

The target is type/name[/namespace]; the type is vm or vmi, also as virtualmachine or virtualmachineinstance.
A port is [protocol/]localPort[:targetPort]; the protocol is tcp (default) or udp. Local port 0 is any free one.

The traffic passes through the Kubernetes API server into the virtual machine's own network namespace. For heavy \
traffic, use a Service.`,
    )
    .option('--stdio', 'Connect the port to standard input and output instead of a local port')
    .option('--address <address>', 'Address to listen on', '127.0.0.1')
    .addHelpText(
      'after',
      `
Examples:
  # Local port 8080 to port 8080 of 'myvm'
  ${program.name()} port-forward vm/myvm 8080
  # Local port 8080 to port 9090
  ${program.name()} port-forward vm/myvm 8080:9090
  # UDP, in another namespace
  ${program.name()} port-forward vm/myvm/mynamespace udp/5353:53`,
    )
    .action(async (text: string, ports: string[], options: Options, command: Command) => {
      const target = parseTarget(text);
      const forwards = ports.map(parseForward);
      if (options.stdio && forwards.length !== 1) throw new CliError('--stdio allows only one port');
      const { Connection } = await import('../connection');
      const connection = await Connection.open(command.optsWithGlobals<GlobalFlags>());
      const guest = { ...target, namespace: target.namespace ?? connection.namespace };
      if (options.stdio) {
        const { forwardStdio } = await import('../forward/stdio');
        await forwardStdio(connection, guest, forwards[0]);
      } else {
        const { forwardPorts } = await import('../forward/listen');
        await forwardPorts(connection, guest, forwards, options.address);
      }
    });
}
