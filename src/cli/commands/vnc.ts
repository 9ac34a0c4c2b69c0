import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { port } from '../options';

export interface VncFlags {
  readonly proxyOnly?: boolean;
  readonly address: string;
  readonly port: number;
  readonly vncPath?: string;
}

export function addVnc(program: Command): void {
  program
    .command('vnc <vmi>')
    .summary('Open a VNC connection to a virtual machine')
    .description(
      'Open a VNC connection to a virtual machine. Starts a viewer of this machine (remote-viewer or vncviewer) on ' +
        'a local port. With --proxy-only, prints the port as JSON for a viewer of your choice.',
    )
    .option('--proxy-only', 'Only open the local port and print it')
    .option('--address <address>', 'Address to listen on', '127.0.0.1')
    .option('--port <port>', 'Local port; 0 is any free port', port, 0)
    .option('--vnc-path <file>', 'Viewer to start, with ADDRESS:PORT as its argument')
    .addHelpText(
      'after',
      `
Examples:
  # Look at 'myvm'
  ${program.name()} vnc myvm
  # Only open port 5900
  ${program.name()} vnc --proxy-only --port 5900 myvm`,
    )
    .action(async (name: string, options: VncFlags, command: Command) => {
      const { Connection } = await import('../connection');
      const { runVnc } = await import('../forward/vnc');
      await runVnc(await Connection.open(command.optsWithGlobals<GlobalFlags>()), name, options);
    });
}
