import { keyOf, resources } from '../../kube';
import type { Pod } from '../pod';
import type { StorageContext } from './context';
import type { StorageClaim } from './types';

/** Pods that may write the claim. They are not watched: nothing else needs them in memory. */
export async function writersOf(
  { client }: Pick<StorageContext, 'client'>,
  { metadata }: StorageClaim,
): Promise<string[]> {
  const { items } = await client.list<Pod>(resources.pods, { namespace: metadata.namespace });
  return items
    .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
    .filter(({ spec }) =>
      spec.volumes?.some(
        ({ persistentVolumeClaim: used }) => used?.claimName === metadata.name && used?.readOnly !== true,
      ),
    )
    .map((pod) => keyOf(pod));
}
