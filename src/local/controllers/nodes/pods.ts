import { resources, type KubeClient } from '../../../runtime/kube';
import type { Pod } from '../../core-v1';
import { timestamp } from '../status';

/** Adds the condition that names the cause of a deletion. `phase`: also ends the Pod, because its node is gone. */
export async function announceDisruption(
  client: KubeClient,
  { metadata, status }: Pod,
  reason: string | undefined,
  message: string,
  phase?: 'Failed',
): Promise<void> {
  const { namespace, name = '', uid } = metadata;
  const known = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason,
    message,
    lastTransitionTime: known?.status === 'True' ? known.lastTransitionTime : timestamp(Date.now()),
  };
  const changes = { ...(reason ? { conditions: [condition] } : {}), ...(phase ? { phase } : {}) };
  if (!Object.keys(changes).length) return;
  const body = { metadata: { uid }, status: changes };
  await client.patch(resources.pods, { namespace, name, subresource: 'status' }, body, 'strategic');
}
