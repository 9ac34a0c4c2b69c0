import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { CliError, messageOf } from '../errors';
import { parseKind } from '../target';
import type { Kind } from '../target';
import type { VirtualMachine } from '../../api';

export function addPause(program: Command): void {
  for (const [verb, doing, what] of [
    ['pause', 'pausing', 'its vCPUs stop, its memory is kept'],
    ['unpause', 'unpausing', 'its vCPUs resume'],
  ] as const) {
    const title = `${verb[0].toUpperCase()}${verb.slice(1)}`;
    program
      .command(`${verb} <type> <name>`)
      .summary(`${title} a virtual machine`)
      .description(`${title} a virtual machine: ${what}. The type is vm or vmi.`)
      .option('--dry-run', 'Only check whether the request would succeed')
      .addHelpText(
        'after',
        `\nExample:\n  # ${title} a virtual machine called 'myvm'\n  ${program.name()} ${verb} vm myvm`,
      )
      .action((type: string, name: string, options: { dryRun?: boolean }, command: Command) =>
        run(command.optsWithGlobals<GlobalFlags>(), verb, doing, parseKind(type), name, options.dryRun ?? false),
      );
  }
}

async function run(
  flags: GlobalFlags,
  verb: string,
  doing: string,
  kind: Kind,
  name: string,
  dryRun: boolean,
): Promise<void> {
  const { Connection } = await import('../connection');
  const { ApiError } = await import('../../runtime/kube');
  const connection = await Connection.open(flags);
  if (dryRun) console.log('Dry Run execution');
  // the VMI has the name of its VM; distinguish a stopped VM, which has no VMI, from a missing VM
  const vm =
    kind === 'vm'
      ? await orExplain(connection.get<VirtualMachine>('vm', name), 'getting VirtualMachine', name)
      : undefined;
  try {
    await connection.act('vmi', name, verb, dryRun ? { dryRun: ['All'] } : {});
  } catch (error) {
    const stopped = vm && error instanceof ApiError && error.code === 404;
    throw new CliError(
      `Error ${doing} VirtualMachineInstance ${name}: ` +
        (stopped ? `VirtualMachine ${name} is not running` : messageOf(error)),
    );
  }
  console.log(`VMI ${name} was scheduled to ${verb}`);
}

function orExplain<T>(promise: Promise<T>, doing: string, name: string): Promise<T> {
  return promise.catch((error: unknown) => {
    throw new CliError(`Error ${doing} ${name}: ${messageOf(error)}`);
  });
}
