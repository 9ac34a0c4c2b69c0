import { isUploadTarget } from '../../../../api/cdi/upload';
import { except, isAlreadyExists, isConflict, isNotFound, isRefused, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import { importSettings, type StorageContext } from '../context';
import { removeOrphans, syncClone } from '../clone/execute';
import type { Problem } from '../clone/plan';
import { writersOf } from '../claim-writers';
import { contentKindOfClaim, contents, type ContentKind } from '../content';
import { trustProxy } from '../proxy-authorities';
import { refusedBy } from '../refused';
import type { ImportFill, StorageClaim, UploadFill } from '../types';
import { decide, isDone, refusedActions, type Action, type Observed } from './decide';
import { importPodName, pullProblem, usesNetwork } from './import-pod';
import { primeName } from './prime';
import type { ImportSettings } from './worker-pod';
import { decideUpload, startsUpload, usedBy } from './upload-target';

const fieldManager = 'virt-controller';
const LAG_RECHECK_MS = 1000;

/** Reconciles one claim. */
export async function syncPopulation(context: StorageContext, key: string): Promise<Requeue | void> {
  const { caches, expectations, progress } = context;
  const claim = caches.claims.get(key);
  const expected = `population ${key}`;
  await removeOrphans(context, key, claim);
  const kind = claim && contentKindOfClaim(claim);
  if (!claim || (!kind && !isUploadTarget(claim))) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  if (kind === 'VolumeCloneSource') return syncClone(context, expected, claim);
  const { namespace } = claim.metadata;
  const prime = caches.claims.get(`${namespace}/${primeName(claim)}`);
  const pod = caches.pods.get(`${namespace}/${importPodName(primeName(claim))}`);
  const className = claim.spec.storageClassName;
  const fill = kind && fillOf(context, kind, claim);
  const { settings, problem } = await prepare(context, { claim, prime, pod, fill });
  const observed = {
    claim,
    storageClass: className === undefined ? undefined : caches.classes.get(className),
    pod,
    progress: pod && progress.get(pod.metadata.uid ?? ''),
    settings,
  };
  if (!kind && startsUpload(observed)) {
    const inUse = usedBy(await writersOf(context, claim));
    if (inUse) return report(context, expected, claim, inUse);
  }
  if (problem) return report(context, expected, claim, problem);
  const volume = prime?.spec.volumeName ? caches.volumes.get(prime.spec.volumeName) : undefined;
  const actions = kind ? decide({ ...observed, fill, prime, volume }) : decideUpload(observed);
  try {
    for (const action of actions) await perform(context, expected, action);
  } catch (error) {
    if (!isRefused(error)) throw error;
    return report(context, expected, claim, refusedBy(error, 'ErrStartingPod'));
  }
}

/** Settings of the importer, and the cause for which it cannot start. */
async function prepare(
  context: StorageContext,
  { claim, prime, pod, fill }: Pick<Observed, 'claim' | 'prime' | 'pod' | 'fill'>,
): Promise<{ readonly settings: ImportSettings; readonly problem?: Problem }> {
  const settings = importSettings(context, claim.spec.storageClassName);
  if (fill?.kind !== 'import' || claim.spec.volumeName || claim.metadata.deletionTimestamp) return { settings };
  const problem = prime ? undefined : pullProblem(fill, settings);
  if (problem) return { settings, problem };
  const isStarted = pod !== undefined || (prime !== undefined && isDone(prime));
  return isStarted || !usesNetwork(fill) ? { settings } : trustProxy(context, settings);
}

/** Shows on the claim why its content does not arrive. */
async function report(
  context: StorageContext,
  expected: string,
  claim: StorageClaim,
  problem: Problem,
): Promise<Requeue | void> {
  for (const action of refusedActions(claim, problem)) {
    await perform(context, expected, action);
    context.recorder.warning(claim, problem.reason, problem.message);
  }
  return problem.retryMs ? { requeueAfterMs: problem.retryMs } : undefined;
}

function fillOf(
  { caches }: StorageContext,
  kind: Exclude<ContentKind, 'VolumeCloneSource'>,
  claim: StorageClaim,
): ImportFill | UploadFill | undefined {
  const object = caches.sources[kind].get(`${claim.metadata.namespace}/${claim.spec.dataSourceRef?.name}`);
  return object && contents[kind].fillOf(object);
}

/** Executes an action. */
export async function perform(
  { client, caches, expectations }: StorageContext,
  expected: string,
  action: Action,
): Promise<void> {
  switch (action.do) {
    case 'createPrime': {
      const made = await client.create(resources.persistentVolumeClaims, action.claim, { fieldManager }).catch(once);
      return expectations.expect(expected, caches.claims, made?.metadata.resourceVersion);
    }
    case 'createPod': {
      const made = await client.create(resources.pods, action.pod, { fieldManager }).catch(once);
      return expectations.expect(expected, caches.pods, made?.metadata.resourceVersion);
    }
    case 'deletePod': {
      const { namespace, name = '', uid } = action.pod.metadata;
      await client.delete(resources.pods, { namespace, name }, { preconditions: { uid } }).catch(gone);
      return;
    }
    case 'deletePrime': {
      const { namespace, name = '', uid } = action.claim.metadata;
      await client
        .delete(resources.persistentVolumeClaims, { namespace, name }, { preconditions: { uid } })
        .catch(gone);
      return;
    }
    case 'handOver': {
      const { name = '', resourceVersion } = action.volume.metadata;
      const { namespace, name: claimName, uid } = action.to.metadata;
      const claimRef = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        namespace,
        name: claimName,
        uid,
        resourceVersion: null,
      };
      const body = { metadata: { resourceVersion }, spec: { claimRef } };
      const made = await client.patch(resources.persistentVolumes, { name }, body, 'merge', { fieldManager });
      return expectations.expect(expected, caches.volumes, made.metadata.resourceVersion);
    }
    case 'annotate': {
      const { namespace, name = '', uid } = action.claim.metadata;
      const body = { metadata: { uid, annotations: action.annotations } };
      const made = await client
        .patch(resources.persistentVolumeClaims, { namespace, name }, body, 'merge', { fieldManager })
        .catch(gone);
      return expectations.expect(expected, caches.claims, made?.metadata.resourceVersion);
    }
  }
}

/** For an object that an earlier pass, whose answer was lost, created. */
const once = except(isAlreadyExists);
/** For an object that no longer exists, or whose name another one has. */
const gone = except(isNotFound, isConflict);
