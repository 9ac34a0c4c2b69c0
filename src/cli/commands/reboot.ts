import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { CliError, messageOf } from '../errors';

export function addReboot(program: Command): void {
  add(program, {
    command: 'soft-reboot',
    action: 'softreboot',
    done: 'soft reboot',
    doing: 'soft rebooting',
    text: 'Reboot the guest of a virtual machine instance, through its guest agent or its ACPI power button.',
  });
  add(program, {
    command: 'reset',
    action: 'reset',
    done: 'reset',
    doing: 'resetting',
    text: 'Reset a virtual machine instance like a reset button: the guest does not shut down.',
  });
}

interface Reboot {
  command: string;
  action: string;
  done: string;
  doing: string;
  text: string;
}

function add(program: Command, { command, action, done, doing, text }: Reboot): void {
  program
    .command(`${command} <vmi>`)
    .summary(`${command === 'reset' ? 'Reset' : 'Soft reboot'} a virtual machine instance`)
    .description(text)
    .addHelpText('after', `\nExample:\n  ${program.name()} ${command} myvm`)
    .action(async (name: string, _options: object, self: Command) => {
      const { Connection } = await import('../connection');
      const connection = await Connection.open(self.optsWithGlobals<GlobalFlags>());
      try {
        await connection.act('vmi', name, action);
      } catch (error) {
        throw new CliError(`Error ${doing} VirtualMachineInstance ${name}: ${messageOf(error)}`);
      }
      console.log(`VMI ${name} was scheduled to ${done}`);
    });
}
