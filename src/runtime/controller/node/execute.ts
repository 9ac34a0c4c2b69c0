import type { VirtualMachineInstance } from '../../../api';
import { isConflict, isNotFound, resources } from '../../kube';
import type { Requeue } from '../../kube';
import type { Context } from '../context';
import { hasEnded } from '../instance/observed';
import { enterPhase, isoTime } from '../instance/phase';
import { reasons } from '../../../api/reasons';
import { cachedLauncher, storedLauncher } from '../launcher-pod';
import { decide, SCHEDULABLE } from './decide';
import type { Action } from './decide';

const fieldManager = 'virt-controller';

/** Reconciles one node. */
export async function syncNode(context: Context, name: string): Promise<Requeue | void> {
  const { caches, client, recorder, heartbeats } = context;
  const node = caches.nodes.get(name);
  if (!node) return heartbeats.forget(name);
  let requeueAfterMs: number | undefined;
  const now = context.now();
  const vmis = caches.vmis.byIndex('node', name);
  const silence = heartbeats.silenceOf(node);
  for (const action of decide({ node, vmis, podOf: (vmi) => cachedLauncher(context, vmi), silence })) {
    switch (action.do) {
      case 'recheck':
        requeueAfterMs = action.afterMs;
        break;
      case 'markUnschedulable': {
        const { resourceVersion } = node.metadata;
        const body = { metadata: { resourceVersion, labels: { [SCHEDULABLE]: 'false' } } };
        const patch = client.patch(resources.nodes, { name }, body, 'merge', { fieldManager });
        if (await isDone(patch)) recorder.warning(node, reasons.nodeUnresponsive, action.message);
        break;
      }
      case 'failVmi':
        await failVmi(context, action, now);
        break;
      case 'doubtVmi':
        await doubtVmi(context, action, now);
    }
  }
  return { requeueAfterMs };
}

async function failVmi(
  context: Context,
  { vmi, message }: Extract<Action, { do: 'failVmi' }>,
  now: number,
): Promise<void> {
  // a guest whose Pod is missing only from the cache must not be started a second time
  const stored = await storedLauncher(context, vmi);
  if (stored && !hasEnded(stored)) return;
  const status = { ...enterPhase(vmi, 'Failed', now), reason: reasons.nodeUnresponsive };
  const conditions = withUnresponsive(vmi, ['Ready', 'Synchronized'], message, now);
  await report(context, vmi, { ...status, conditions }, message);
}

async function doubtVmi(
  context: Context,
  { vmi, message }: Extract<Action, { do: 'doubtVmi' }>,
  now: number,
): Promise<void> {
  await report(context, vmi, { conditions: withUnresponsive(vmi, ['Ready'], message, now) }, message);
}

/** Conditions of the VMI, in which these types are False. */
function withUnresponsive(
  { status }: VirtualMachineInstance,
  types: readonly string[],
  message: string,
  now: number,
): object[] {
  return [
    ...(status?.conditions ?? []).filter(({ type }) => !types.includes(type)),
    ...types.map((type) => ({
      type,
      status: 'False',
      reason: reasons.nodeUnresponsive,
      message,
      lastProbeTime: null,
      lastTransitionTime: isoTime(now),
    })),
  ];
}

async function report(context: Context, vmi: VirtualMachineInstance, status: object, message: string): Promise<void> {
  const { namespace, name = '', resourceVersion, uid } = vmi.metadata;
  const body = { metadata: { resourceVersion, uid }, status };
  const ref = { namespace, name };
  const patch = context.client.patch(resources.virtualMachineInstances, ref, body, 'merge', { fieldManager });
  if (await isDone(patch)) context.recorder.warning(vmi, reasons.nodeUnresponsive, message);
}

/** Returns false when the object was changed or deleted: the handler may be back, and the next pass reads it again. */
const isDone = (write: Promise<unknown>): Promise<boolean> =>
  write.then(
    () => true,
    (error: unknown) => (isConflict(error) || isNotFound(error) ? false : Promise.reject(error)),
  );
