import { keys } from '../../../../api/keys';
import { semanticDeepEqual } from '../../../../api/kinds/shape';
import { except, isAlreadyExists, isNotFound, isRefused, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import { contentKindOf, type ContentKind } from '../content';
import { sourceResources, type StorageContext } from '../context';
import { refusedBy } from '../refused';
import { replacing } from '../replacing';
import type { StorageClaim } from '../types';
import { cloneFacts } from './clone-facts';
import { decide, sourceName, type Action, type DataVolume, type Decision, type Observed } from './decide';
import { eventOf } from './events';
import { notServed } from './served';

const fieldManager = 'virt-controller';
const LAG_RECHECK_MS = 1000;

/** Reconciles one DataVolume. */
export async function syncDataVolume(context: StorageContext, key: string): Promise<Requeue | void> {
  const { caches, cluster, expectations, recorder, now } = context;
  const dataVolume = caches.dataVolumes.get(key);
  const expected = `datavolume ${key}`;
  if (!dataVolume) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const claim = caches.claims.get(key);
  const kind = contentKindOf(dataVolume.spec);
  const className = claim?.spec.storageClassName;
  const observed: Observed = {
    dataVolume,
    claim,
    storageClass: className === undefined ? undefined : caches.classes.get(className),
    source: kind && caches.sources[kind].get(`${dataVolume.metadata.namespace}/${sourceName(dataVolume, kind)}`),
    clone: needsCloneFacts(dataVolume, claim) ? await cloneFacts(context, dataVolume) : undefined,
    cluster,
    now: now(),
  };
  const { status, retryMs } = await act(context, expected, observed);
  const event = eventOf(dataVolume, status);
  if (event) recorder.record(dataVolume, event.type, event.reason, event.message);
  if (!semanticDeepEqual(dataVolume.status ?? {}, status)) await writeStatus(context, expected, dataVolume, status);
  return retryMs ? { requeueAfterMs: retryMs } : undefined;
}

/** Decides again if the API server refuses the claim. */
async function act(context: StorageContext, expected: string, observed: Observed): Promise<Decision> {
  const decision = decide(observed);
  try {
    for (const action of decision.actions) await perform(context, expected, action);
    return decision;
  } catch (error) {
    if (!isRefused(error) || observed.claim) throw error;
    return decide({ ...observed, refused: refusedBy(error, 'ErrClaimNotValid') });
  }
}

const needsCloneFacts = ({ metadata, spec }: DataVolume, claim: StorageClaim | undefined): boolean =>
  !claim && !metadata.deletionTimestamp && !notServed(spec) && contentKindOf(spec) === 'VolumeCloneSource';

async function perform(
  { client, caches, expectations }: StorageContext,
  expected: string,
  action: Action,
): Promise<void> {
  const { namespace, name = '' } = action.object.metadata;
  switch (action.do) {
    case 'createSource': {
      const made = await client
        .create(sourceResources[action.object.kind as ContentKind], action.object, { fieldManager })
        .catch(except(isAlreadyExists));
      return expectations.expect(
        expected,
        caches.sources[action.object.kind as ContentKind],
        made?.metadata.resourceVersion,
      );
    }
    case 'createClaim': {
      const made = await client
        .create(resources.persistentVolumeClaims, action.object, { fieldManager })
        .catch(except(isAlreadyExists));
      return expectations.expect(expected, caches.claims, made?.metadata.resourceVersion);
    }
    case 'adoptClaim': {
      const { resourceVersion, ownerReferences = [] } = action.object.metadata;
      // a restore releases what it has filled
      const others = ownerReferences.filter(({ kind }) => kind !== 'VirtualMachineRestore');
      const annotations = { [keys.populatedFor]: action.owner.name };
      const body = { metadata: { resourceVersion, annotations, ownerReferences: [...others, action.owner] } };
      const written = await client
        .patch(resources.persistentVolumeClaims, { namespace, name }, body, 'merge', { fieldManager })
        .catch(except(isNotFound));
      return expectations.expect(expected, caches.claims, written?.metadata.resourceVersion);
    }
    case 'deleteSource':
      await client
        .delete(sourceResources[action.object.kind as ContentKind], { namespace, name })
        .catch(except(isNotFound));
  }
}

async function writeStatus(
  { client, caches, expectations }: StorageContext,
  expected: string,
  { metadata, status: before }: DataVolume,
  status: object,
): Promise<void> {
  const { namespace, name = '', uid, resourceVersion } = metadata;
  const body = { metadata: { uid, resourceVersion }, status: replacing(before, status) };
  const written = await client
    .patch(resources.dataVolumes, { namespace, name, subresource: 'status' }, body, 'merge', { fieldManager })
    .catch(except(isNotFound));
  expectations.expect(expected, caches.dataVolumes, written?.metadata.resourceVersion);
}
