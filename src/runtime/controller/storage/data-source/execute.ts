import { semanticDeepEqual } from '../../../../api/kinds/shape';
import { except, isNotFound, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import { snapshotOf } from '../clone/observe';
import type { StorageContext } from '../context';
import { replacing } from '../replacing';
import type { DataSource } from '../types';
import { decide } from './decide';

const fieldManager = 'virt-controller';

/** Reconciles one DataSource. */
export async function syncDataSource(context: StorageContext, key: string): Promise<Requeue | void> {
  const { client, caches, now } = context;
  const dataSource = caches.dataSources.get(key);
  if (!dataSource || dataSource.metadata.deletionTimestamp) return;
  const { namespace = '', name = '', uid, resourceVersion } = dataSource.metadata;
  const pointer = dataSource.spec.source.dataSource;
  const target = pointer && caches.dataSources.get(`${pointer.namespace ?? namespace}/${pointer.name}`);
  const { pvc, snapshot } = target?.spec.source ?? dataSource.spec.source;
  const claimKey = pvc && `${pvc.namespace ?? namespace}/${pvc.name}`;
  const dataVolume = claimKey === undefined ? undefined : caches.dataVolumes.get(claimKey);
  const { status, labels, retryMs } = decide({
    dataSource,
    target,
    claim: claimKey === undefined ? undefined : caches.claims.get(claimKey),
    ...(dataVolume && { importPhase: dataVolume.status?.phase ?? '' }),
    snapshot: snapshot && (await snapshotOf(context, { ...snapshot, namespace: snapshot.namespace ?? namespace })),
    now: now(),
  });
  const hasNews = !semanticDeepEqual(dataSource.status ?? {}, status);
  if (hasNews || Object.keys(labels).length > 0) {
    const body = {
      metadata: { uid, resourceVersion, labels },
      // CDI's definition of the kind has no subresource for the status
      status: replacing(dataSource.status, status),
    };
    await client
      .patch<DataSource>(resources.dataSources, { namespace, name }, body, 'merge', { fieldManager })
      .catch(except(isNotFound));
  }
  return retryMs ? { requeueAfterMs: retryMs } : undefined;
}
