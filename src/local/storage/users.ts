import { resources, type KubeClient } from '../../runtime/kube';
import { claimsOf } from '../claims';
import type { PersistentVolumeClaim, Pod } from '../core-v1';

/** Name of a Pod that uses a claim and has not ended; undefined if there is none. */
export async function userOf(
  client: KubeClient,
  { namespace, name }: Pick<PersistentVolumeClaim['metadata'], 'namespace' | 'name'>,
): Promise<string | undefined> {
  const { items } = await client.list<Pod>(resources.pods, { namespace });
  const user = items.find(
    (pod) =>
      pod.status?.phase !== 'Succeeded' &&
      pod.status?.phase !== 'Failed' &&
      claimsOf(pod).some((claim) => claim.name === name),
  );
  return user?.metadata.name;
}
