import { keyOf, resources } from '../../kube';
import type { Pod } from '../pod';
import type { StorageContext } from './context';
import type { StorageClaim } from './types';

/** Pods that may write the claim. */
export const writersOf = (context: Pick<StorageContext, 'client'>, claim: StorageClaim): Promise<string[]> =>
  podsOf(context, claim, ({ readOnly }) => readOnly !== true);

type Use = NonNullable<NonNullable<Pod['spec']['volumes']>[number]['persistentVolumeClaim']>;

/** Pods that use the claim and have not ended. They are not watched: nothing else needs them in memory. */
export async function podsOf(
  { client }: Pick<StorageContext, 'client'>,
  { metadata }: StorageClaim,
  counts: (use: Use) => boolean = () => true,
): Promise<string[]> {
  const { items } = await client.list<Pod>(resources.pods, { namespace: metadata.namespace });
  return items
    .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
    .filter(({ spec }) =>
      spec.volumes?.some(
        ({ persistentVolumeClaim: use }) => use !== undefined && use.claimName === metadata.name && counts(use),
      ),
    )
    .map((pod) => keyOf(pod));
}
