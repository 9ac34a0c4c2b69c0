import { setTimeout as sleep } from 'node:timers/promises';
import type { VirtualMachine, VirtualMachineInstance } from '../../api';
import { ApiError } from '../../runtime/kube';
import type { Connection } from '../connection';
import { CliError, messageOf } from '../errors';
import type { GuestSocket } from '../../client/guest-socket';

export interface Wanted {
  readonly connection: Connection;
  readonly name: string;
  readonly namespace: string;
  /** Subresource: `console`, `vnc` … */
  readonly stream: string;
  readonly timeoutMs: number;
  readonly program: string;
  readonly signal?: AbortSignal;
}

const RETRY_MS = 500;

/** Opens a stream of a guest. Waits while the guest is starting; fails at once if nothing will start it. */
export async function openWhenReady(wanted: Wanted): Promise<GuestSocket> {
  const { connection, name, namespace, stream, timeoutMs, signal } = wanted;
  const deadline = Date.now() + timeoutMs;
  let reported = '';
  for (;;) {
    let why: unknown;
    try {
      return await connection.socket('vmi', name, stream, namespace);
    } catch (error) {
      why = error;
    }
    const hopeless = await hopelessBecause(wanted, why);
    if (hopeless) throw new CliError(`Can't access VMI ${name}: ${hopeless}`);
    if (Date.now() + RETRY_MS > deadline) {
      const cause = await troubleOf(wanted);
      throw new CliError(
        `Can't access VMI ${name}: ${cause ?? messageOf(why)} (waited ${Math.round(timeoutMs / 1000)} s)`,
      );
    }
    if (process.stderr.isTTY && messageOf(why) !== reported) {
      reported = messageOf(why);
      process.stderr.write(`Waiting for ${name}: ${reported}\n`);
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}

/** Reason why waiting is pointless; undefined if the guest may still start. */
async function hopelessBecause(wanted: Wanted, why: unknown): Promise<string | undefined> {
  const { connection, name, namespace, program } = wanted;
  // the node's virt-handler, or a proxy in front of it, is restarting
  if (why instanceof ApiError && why.code === 503) return undefined;
  const phase = why instanceof ApiError && why.code === 400 ? /phase is (\w+)/.exec(why.message)?.[1] : undefined;
  const absent = why instanceof ApiError && why.code === 404;
  const ended = phase === 'Succeeded' || phase === 'Failed';
  if (!absent && !ended) return phase ? undefined : messageOf(why);
  const vm = await connection.get<VirtualMachine>('vm', name, namespace).catch(() => undefined);
  if (!vm) return messageOf(why);
  return willRun(vm, phase) ? undefined : `virtual machine ${name} is stopped; run: ${program} start ${name}`;
}

/** Whether the controller will start the guest without a user's request. Pure. */
export function willRun(vm: VirtualMachine, ended: string | undefined): boolean {
  const strategy = vm.spec.runStrategy ?? (vm.spec.running ? 'Always' : 'Halted');
  if (strategy === 'Halted') return false;
  if (strategy === 'Always') return true;
  if (vm.status?.stateChangeRequests?.some(({ action }) => action === 'Start')) return true;
  if (ended) return strategy === 'RerunOnFailure' && ended === 'Failed';
  return vm.status?.printableStatus !== 'Stopped';
}

/** Reason from the VMI's status why it does not run. */
async function troubleOf({ connection, name, namespace }: Wanted): Promise<string | undefined> {
  const vmi = await connection.get<VirtualMachineInstance>('vmi', name, namespace).catch(() => undefined);
  const failed = vmi?.status?.conditions?.find(({ type, status }) => type === 'Synchronized' && status === 'False');
  return failed?.message;
}
