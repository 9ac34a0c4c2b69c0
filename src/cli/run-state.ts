import type { Command } from 'commander';
import type { GlobalFlags } from './connection';
import { CliError, messageOf } from './errors';
import { parseTarget } from './target';

/** Runs start, stop or restart: sends one request and prints one line. */
export async function changeRunState(
  command: Command,
  verb: 'start' | 'stop' | 'restart',
  doing: string,
  target: string,
  dryRun: boolean | undefined,
  options: object,
): Promise<void> {
  const { Connection } = await import('./connection');
  const connection = await Connection.open(command.optsWithGlobals<GlobalFlags>());
  const { name, namespace } = target.includes('/') ? parseTarget(target) : { name: target, namespace: undefined };
  if (dryRun) console.log('Dry Run execution');
  try {
    await connection.act('vm', name, verb, { ...options, ...(dryRun ? { dryRun: ['All'] } : {}) }, namespace);
  } catch (error) {
    throw new CliError(`Error ${doing} VirtualMachine ${messageOf(error)}`);
  }
  console.log(`VM ${name} was scheduled to ${verb}`);
}
