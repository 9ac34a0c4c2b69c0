import { setTimeout as sleep } from 'node:timers/promises';
import type { Container, Pod } from '../../core-v1';
import { signal } from '../runtime/crun';
import type { NodeContext } from './context';
import { tryHandler } from './probe';
import type { ContainerRecord } from './record';

/** Minimum grace period of the kubelet, even for a forced deletion. */
const LEAST_GRACE_MS = 2_000;

export interface KillInput {
  readonly pod: Pod;
  readonly container: Container;
  readonly record: ContainerRecord;
  readonly podIP: string;
  /** Time of SIGKILL; a second delete with a shorter grace period makes it earlier. */
  deadline(): number;
  /** Resolves at the next event: the end of the container, or a possible change of the deadline. */
  changed(): Promise<void>;
  ended(): Promise<boolean>;
}

/** Stops a container: preStop hook, stop signal, and SIGKILL after the deadline. */
export async function killContainer(context: NodeContext, input: KillInput): Promise<void> {
  const { container, record } = input;
  const hook = container.lifecycle?.preStop;
  if (hook) await preStop(context, input);
  const leastUntil = Date.now() + (hook ? LEAST_GRACE_MS : 0);
  signal(record.process, record.stopSignal.replace(/^(?!SIG)/, 'SIG') as NodeJS.Signals);
  for (;;) {
    // subscribe before the check, so that no event in between is missed
    const changed = input.changed();
    if (await input.ended()) return;
    const left = Math.max(input.deadline(), leastUntil) - Date.now();
    if (left <= 0) break;
    await waitFor(changed, left);
  }
  for (let tries = 0; tries < 20; tries++) {
    const changed = input.changed();
    if (await input.ended()) return;
    signal(record.process, 'SIGKILL');
    await waitFor(changed, 500);
  }
  // the runtime handles processes that survive SIGKILL (of a shared namespace, in a stuck mount)
  await context.runtime.delete(record.id);
}

async function preStop(context: NodeContext, input: KillInput): Promise<void> {
  const { pod, container, record, podIP } = input;
  const hook = container.lifecycle?.preStop ?? {};
  const left = Math.max(input.deadline() - Date.now(), LEAST_GRACE_MS);
  if (hook.sleep) {
    await waitFor(sleep(Math.min(hook.sleep.seconds * 1000, left)), left);
    return;
  }
  const { ok, message } = await tryHandler(
    hook,
    {
      podIP,
      container,
      exec: (command, timeout) => context.runtime.exec(record.id, context.paths.container(record.id), command, timeout),
    },
    left,
  );
  if (!ok) context.events.warning(pod, 'FailedPreStopHook', `PreStopHook failed: ${message}`);
}

export async function waitFor(event: Promise<void>, ms: number): Promise<void> {
  const stop = new AbortController();
  await Promise.race([event, sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
}
