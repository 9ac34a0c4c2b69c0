import { setTimeout as sleep } from 'node:timers/promises';
import type { VirtualMachine } from '../../api';
import { ApiError } from '../../runtime/kube';
import type { Connection } from '../connection';
import { CliError, messageOf } from '../errors';
import type { GuestSocket } from '../stream';

export interface Wanted {
  readonly connection: Connection;
  readonly name: string;
  readonly namespace: string;
  /** `console`, `vnc` … */
  readonly stream: string;
  readonly timeoutMs: number;
  readonly program: string;
  readonly signal?: AbortSignal;
}

const RETRY_MS = 500;

/** Opens a stream of a guest, and waits for one that is being started; says at once when nothing is on the way. */
export async function openWhenReady(wanted: Wanted): Promise<GuestSocket> {
  const { connection, name, namespace, stream, timeoutMs, signal } = wanted;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    let why: unknown;
    try {
      return await connection.socket('vmi', name, stream, namespace);
    } catch (error) {
      why = error;
    }
    await refuseHopeless(wanted, why);
    if (Date.now() + RETRY_MS > deadline) {
      throw new CliError(`Can't access VMI ${name}: ${messageOf(why)} (waited ${Math.round(timeoutMs / 1000)} s)`);
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}

/** 400: the guest has no such line yet. 404: there is no guest, which is final unless its VM is about to start one. */
async function refuseHopeless({ connection, name, namespace, program }: Wanted, why: unknown): Promise<void> {
  if (why instanceof ApiError) {
    // "phase is Scheduling instead of Running": it comes; "no serial consoles are present" never changes
    if (why.code === 400 && /phase is/.test(why.message)) return;
    if (why.code === 503) return;
    if (why.code === 404) {
      const vm = await connection.get<VirtualMachine>('vm', name, namespace).catch(() => undefined);
      if (!vm) throw new CliError(`Can't access VMI ${name}: ${why.message}`);
      const stopped = vm.spec.runStrategy === 'Halted' || vm.spec.running === false;
      if (!stopped && vm.status?.printableStatus !== 'Stopped') return;
      throw new CliError(`Can't access VMI ${name}: virtual machine ${name} is stopped; run: ${program} start ${name}`);
    }
  }
  throw new CliError(`Can't access VMI ${name}: ${messageOf(why)}`);
}
