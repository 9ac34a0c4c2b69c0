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
  const { caches, client, recorder } = context;
  const node = caches.nodes.get(name);
  if (!node) return;
  let requeueAfterMs: number | undefined;
  const now = context.now();
  const vmis = caches.vmis.byIndex('node', name);
  for (const action of decide({ node, vmis, podOf: (vmi) => cachedLauncher(context, vmi), now })) {
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
  const { namespace, name = '', resourceVersion, uid } = vmi.metadata;
  const status = { ...enterPhase(vmi, 'Failed', now), reason: reasons.nodeUnresponsive };
  const conditions = [
    ...(vmi.status?.conditions ?? []).filter(({ type }) => type !== 'Ready' && type !== 'Synchronized'),
    ...['Ready', 'Synchronized'].map((type) => ({
      type,
      status: 'False',
      reason: reasons.nodeUnresponsive,
      message,
      lastProbeTime: null,
      lastTransitionTime: isoTime(now),
    })),
  ];
  const body = { metadata: { resourceVersion, uid }, status: { ...status, conditions } };
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
