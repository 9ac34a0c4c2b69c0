import { semanticDeepEqual } from '../../../../api/kinds/shape';
import { keys } from '../../../../api/keys';
import { except, isAlreadyExists, isNotFound, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import { importSettings, type StorageContext } from '../context';
import { decide, wantedDigest, type Action } from './decide';
import { importName, pollName, type DataImportCron } from './names';

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
  const { actions, status, retryMs } = decide({
    cron,
    claim,
    poll: caches.pods.get(`${namespace}/${pollName(cron)}`),
    imports: caches.dataVolumes.byIndex('cron', key),
    named: digest === undefined ? undefined : caches.dataVolumes.get(`${namespace}/${importName(cron, digest)}`),
    dataSource: caches.dataSources.get(`${namespace}/${cron.spec.managedDataSource}`),
    settings: importSettings(context, undefined),
    now: now(),
  });
  // before the Pod with the digest is removed
  if (!semanticDeepEqual(cron.status ?? {}, status)) await writeStatus(context, expected, cron, status);
  for (const action of actions) await perform(context, expected, cron, action);
  return retryMs ? { requeueAfterMs: retryMs } : undefined;
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
