import { claimSpecOf } from '../../../../api/cdi/claim';
import { semanticDeepEqual } from '../../../../api/kinds/shape';
import { keys } from '../../../../api/keys';
import { except, isAlreadyExists, isNotFound, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import { snapshotsOf } from '../clone/observe';
import { clusterOf, importSettings, type StorageContext } from '../context';
import { trustProxy } from '../proxy-authorities';
import type { VolumeSnapshot } from '../types';
import { decide, wantedDigest, type Action } from './decide';
import { importName, pollName, type DataImportCron } from './names';
import type { Snapshots } from './snapshots';

const fieldManager = 'virt-controller';
const LAG_RECHECK_MS = 1000;

/** Reconciles one DataImportCron. */
export async function syncImportCron(context: StorageContext, key: string): Promise<Requeue | void> {
  const { caches, expectations, now } = context;
  const cron = caches.importCrons.get(key);
  const expected = `dataimportcron ${key}`;
  if (!cron || cron.metadata.deletionTimestamp) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const { namespace = '' } = cron.metadata;
  const { pvc } = cron.spec.template.spec.source ?? {};
  const claim = pvc && caches.claims.get(`${pvc.namespace ?? namespace}/${pvc.name}`);
  const digest = wantedDigest({ cron, claim });
  const poll = caches.pods.get(`${namespace}/${pollName(cron)}`);
  const settings = importSettings(context, undefined);
  const { actions, status, retryMs } = decide({
    cron,
    claim,
    poll,
    imports: caches.dataVolumes.byIndex('cron', key),
    named: digest === undefined ? undefined : caches.dataVolumes.get(`${namespace}/${importName(cron, digest)}`),
    dataSource: caches.dataSources.get(`${namespace}/${cron.spec.managedDataSource}`),
    snapshots: await snapshotsFor(context, cron),
    ...(poll ? { settings } : await trustProxy(context, settings)),
    now: now(),
  });
  // before the Pod with the digest is removed
  if (!semanticDeepEqual(cron.status ?? {}, status)) await writeStatus(context, expected, cron, status);
  for (const action of actions) await perform(context, expected, cron, action);
  return retryMs ? { requeueAfterMs: retryMs } : undefined;
}

/** VolumeSnapshots of the imports, if the profile of their class asks for them and the class has any. */
async function snapshotsFor(context: StorageContext, cron: DataImportCron): Promise<Snapshots | undefined> {
  const { caches, client } = context;
  const { spec } = claimSpecOf(cron.spec.template, clusterOf(caches));
  if (caches.profiles.get(spec?.storageClassName ?? '')?.status?.dataImportCronSourceFormat !== 'snapshot') {
    return undefined;
  }
  const { className } = await snapshotsOf(context, { spec: spec! });
  if (className === undefined) return undefined;
  const { namespace, name } = cron.metadata;
  const labelSelector = `${keys.dataImportCron}=${name}`;
  const { items } = await client.list<VolumeSnapshot>(resources.volumeSnapshots, { namespace, labelSelector });
  return { className, taken: items };
}

async function perform(
  { client, caches, expectations }: StorageContext,
  expected: string,
  cron: DataImportCron,
  action: Action,
): Promise<void> {
  const { namespace, name = '', uid } = cron.metadata;
  switch (action.do) {
    case 'createPoll': {
      const made = await client.create(resources.pods, action.pod, { fieldManager }).catch(except(isAlreadyExists));
      return expectations.expect(expected, caches.pods, made?.metadata.resourceVersion);
    }
    case 'deletePoll': {
      const { metadata } = action.pod;
      await client
        .delete(resources.pods, { namespace, name: metadata.name ?? '' }, { preconditions: { uid: metadata.uid } })
        .catch(except(isNotFound));
      return;
    }
    case 'recordDigest': {
      const body = { metadata: { uid, annotations: { [keys.desiredDigest]: action.digest } } };
      const written = await client
        .patch(resources.dataImportCrons, { namespace, name }, body, 'merge', { fieldManager })
        .catch(except(isNotFound));
      return expectations.expect(expected, caches.importCrons, written?.metadata.resourceVersion);
    }
    case 'createImport': {
      const made = await client
        .create(resources.dataVolumes, action.dataVolume, { fieldManager })
        .catch(except(isAlreadyExists));
      return expectations.expect(expected, caches.dataVolumes, made?.metadata.resourceVersion);
    }
    case 'deleteImport':
      await client
        .delete(resources.dataVolumes, { namespace, name: action.dataVolume.metadata.name ?? '' })
        .catch(except(isNotFound));
      return;
    case 'createSnapshot':
      await client.create(resources.volumeSnapshots, action.snapshot, { fieldManager }).catch(except(isAlreadyExists));
      return;
    case 'deleteSnapshot':
      await client
        .delete(resources.volumeSnapshots, { namespace, name: action.snapshot.metadata.name ?? '' })
        .catch(except(isNotFound));
      return;
    case 'createDataSource': {
      const made = await client
        .create(resources.dataSources, action.dataSource, { fieldManager })
        .catch(except(isAlreadyExists));
      return expectations.expect(expected, caches.dataSources, made?.metadata.resourceVersion);
    }
    case 'updateDataSource': {
      const { metadata, spec } = action.dataSource;
      const { resourceVersion, labels } = metadata;
      // null: a merge would keep another source beside this one
      const source = { dataSource: null, snapshot: null, pvc: null, ...spec.source };
      const body = { metadata: { resourceVersion, labels }, spec: { source } };
      const target = { namespace, name: metadata.name ?? '' };
      const written = await client.patch(resources.dataSources, target, body, 'merge', { fieldManager });
      return expectations.expect(expected, caches.dataSources, written.metadata.resourceVersion);
    }
  }
}

async function writeStatus(
  { client, caches, expectations, recorder }: StorageContext,
  expected: string,
  cron: DataImportCron,
  status: NonNullable<DataImportCron['status']>,
): Promise<void> {
  const { namespace, name = '', uid, resourceVersion } = cron.metadata;
  const of = (given: DataImportCron['status']) => given?.conditions?.find(({ type }) => type === 'UpToDate');
  const [before, after] = [of(cron.status), of(status)];
  const isNews = after?.message !== before?.message && !EXPECTED.includes(after?.reason ?? '');
  if (after && isNews) recorder.warning(cron, after.reason ?? '', after.message ?? '');
  const written = await client
    .patch(
      resources.dataImportCrons,
      // CDI's definition of the kind has no subresource for the status
      { namespace, name },
      { metadata: { uid, resourceVersion }, status },
      'merge',
      { fieldManager },
    )
    .catch(except(isNotFound));
  expectations.expect(expected, caches.importCrons, written?.metadata.resourceVersion);
}

/** Reasons that need no event. */
const EXPECTED = ['NoDigest', 'Outdated', 'UpToDate', 'ContainerCreating'];
