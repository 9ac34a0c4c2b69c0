import { isConflict, isNotFound, resources } from '../../kube';
import type { Requeue } from '../../kube';
import type { Context } from '../context';
import { enterPhase, isoTime } from '../instance/phase';
import { reasons } from '../instance/reasons';
import { decide, SCHEDULABLE } from './decide';

const fieldManager = 'virt-controller';

/** One pass over one node. */
export async function syncNode(context: Context, name: string): Promise<Requeue | void> {
  const { caches, client, recorder } = context;
  const node = caches.nodes.get(name);
  if (!node) return;
  let requeueAfterMs: number | undefined;
  const seen = {
    node,
    vmis: caches.vmis.byIndex('node', name),
    podsOf: ({ metadata }: { metadata: { uid?: string } }) => caches.pods.byIndex('vmi', metadata.uid ?? ''),
    now: context.now(),
  };
  for (const action of decide(seen)) {
    switch (action.do) {
      case 'recheck':
        requeueAfterMs = action.afterMs;
        break;
      case 'markUnschedulable':
        await client.patch(resources.nodes, { name }, { metadata: { labels: { [SCHEDULABLE]: 'false' } } }, 'merge', {
          fieldManager,
        });
        recorder.warning(node, reasons.nodeUnresponsive, action.message);
        break;
      case 'failVmi': {
        const { namespace, name: vmiName = '', resourceVersion, uid } = action.vmi.metadata;
        const status = { ...enterPhase(action.vmi, 'Failed', seen.now), reason: reasons.nodeUnresponsive };
        const conditions = [
          ...(action.vmi.status?.conditions ?? []).filter(({ type }) => type !== 'Ready' && type !== 'Synchronized'),
          ...['Ready', 'Synchronized'].map((type) => ({
            type,
            status: 'False',
            reason: reasons.nodeUnresponsive,
            message: action.message,
            lastProbeTime: null,
            lastTransitionTime: isoTime(seen.now),
          })),
        ];
        const body = { metadata: { resourceVersion, uid }, status: { ...status, conditions } };
        await client
          .patch(resources.virtualMachineInstances, { namespace, name: vmiName }, body, 'merge', { fieldManager })
          // the handler is back, or the VMI is gone: the next pass sees it
          .catch((error: unknown) => (isConflict(error) || isNotFound(error) ? undefined : Promise.reject(error)));
        recorder.warning(action.vmi, reasons.nodeUnresponsive, action.message);
      }
    }
  }
  return { requeueAfterMs };
}
