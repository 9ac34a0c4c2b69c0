import { isRefused, keyOf, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import { importSettings, type StorageContext } from '../context';
import { contents } from '../content';
import { perform as performPopulation } from '../population/execute';
import { importPodName } from '../population/import-pod';
import { primeName } from '../population/prime';
import { waitsForConsumer } from '../population/decide';
import { refusedBy } from '../refused';
import type { CloneFill, StorageClaim } from '../types';
import { cleanUp, decide, problemActions, type Action, type Observed } from './decide';
import { ownerOf, snapshotOf, snapshotsOf, startOf } from './observe';
import { begunFrom } from './prime';

const fieldManager = 'virt-controller';

/** Reconciles a claim whose content is a clone. */
export async function syncClone(
  context: StorageContext,
  expected: string,
  claim: StorageClaim,
): Promise<Requeue | void> {
  try {
    return await run(context, expected, claim, decide(await observe(context, claim)));
  } catch (error) {
    if (!isRefused(error)) throw error;
    return run(context, expected, claim, problemActions(claim, refusedBy(error, 'CloneFailed')));
  }
}

/** Removes claims and Pods that served an earlier claim of this name. */
export async function removeOrphans(context: StorageContext, key: string, claim?: StorageClaim): Promise<void> {
  const { caches } = context;
  for (const prime of caches.claims.byIndex('target', key)) {
    if (claim && prime.metadata.name === primeName(claim)) continue;
    const pod = caches.pods.get(`${prime.metadata.namespace}/${importPodName(prime.metadata.name ?? '')}`);
    for (const action of cleanUp({ prime, pod })) await performPopulation(context, `population ${key}`, action);
  }
}

async function observe(context: StorageContext, claim: StorageClaim): Promise<Observed> {
  const { caches, progress } = context;
  const described = fillOf(context, claim);
  const name = primeName(claim);
  // only in the namespace of the source: a claim of that name in another one is not ours
  const prime = described
    ? caches.claims.get(`${described.from.namespace}/${name}`)
    : caches.claims.byIndex('target', keyOf(claim)).find(({ metadata }) => metadata.name === name);
  const fill = described && prime ? { ...described, from: begunFrom(prime, described.from) } : described;
  const pod = prime && caches.pods.get(`${prime.metadata.namespace}/${importPodName(name)}`);
  const className = claim.spec.storageClassName;
  const storageClass = className === undefined ? undefined : caches.classes.get(className);
  const isOpen = !claim.spec.volumeName && !claim.metadata.deletionTimestamp;
  const restored = isOpen && prime?.status?.phase !== 'Bound' ? prime?.spec.dataSource : undefined;
  const takesSnapshot = restored?.kind === 'VolumeSnapshot' && fill?.from.kind === 'PersistentVolumeClaim';
  return {
    claim,
    fill,
    waitsForConsumer: waitsForConsumer({ claim, storageClass }),
    start: fill && !prime && isOpen ? await startOf(context, claim, fill) : undefined,
    prime,
    volume: prime?.spec.volumeName ? caches.volumes.get(prime.spec.volumeName) : undefined,
    pod,
    progress: pod && progress.get(pod.metadata.uid ?? ''),
    source: fill && caches.claims.get(`${fill.from.namespace}/${fill.from.name}`),
    ...(takesSnapshot && {
      snapshot: await snapshotOf(context, { namespace: fill.from.namespace, name: restored.name }),
      snapshotClass: (await snapshotsOf(context, claim)).className,
    }),
    settings: importSettings(context, className),
  };
}

function fillOf({ caches }: StorageContext, claim: StorageClaim): CloneFill | undefined {
  const key = `${claim.metadata.namespace}/${claim.spec.dataSourceRef?.name}`;
  const object = caches.sources.VolumeCloneSource.get(key);
  return object && contents.VolumeCloneSource.fillOf(object);
}

async function run(
  context: StorageContext,
  expected: string,
  claim: StorageClaim,
  actions: readonly Action[],
): Promise<Requeue | void> {
  let requeue: Requeue | undefined;
  for (const action of actions) {
    switch (action.do) {
      case 'recheck':
        requeue = { requeueAfterMs: action.afterMs };
        break;
      case 'warn':
        warn(context, claim, action);
        break;
      case 'createSnapshot':
        await context.client.create(resources.volumeSnapshots, action.snapshot, { fieldManager });
        break;
      default:
        await performPopulation(context, expected, action);
    }
  }
  return requeue;
}

/** A DataVolume reports the problems of its claim itself, from its conditions; a fallback is in none. */
function warn(
  context: StorageContext,
  claim: StorageClaim,
  { reason, message, isFallback }: Extract<Action, { do: 'warn' }>,
): void {
  const owner = isFallback ? ownerOf(context, claim) : undefined;
  for (const object of [claim, ...(owner ? [owner] : [])]) context.recorder.warning(object, reason, message);
}
