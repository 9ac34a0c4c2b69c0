import { keys } from '../../../../api/keys';
import { semanticDeepEqual } from '../../../../api/kinds/shape';
import { except, isAlreadyExists, isConflict, isNotFound, isRefused, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import { podsOf } from '../claim-writers';
import type { StorageContext } from '../context';
import { refusedBy } from '../refused';
import { replacing } from '../replacing';
import { type Action, decide, type ObjectTransfer, type Observed, refused, targetOf } from './decide';

const fieldManager = 'virt-controller';
const LAG_RECHECK_MS = 500;

/** Reconciles one ObjectTransfer. */
export async function syncTransfer(context: StorageContext, name: string): Promise<Requeue | void> {
  const { caches, expectations } = context;
  const transfer = caches.transfers.get(name);
  const expected = `transfer ${name}`;
  if (!transfer) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const observed = await observe(context, transfer);
  const { actions, status, retryMs } = decide(observed);
  try {
    // what is recorded precedes what is changed
    for (const action of actions) await perform(context, expected, transfer, action);
    await writeStatus(context, expected, transfer, status);
    return retryMs ? { requeueAfterMs: retryMs } : undefined;
  } catch (error) {
    // not found: the namespace of the target
    if (!isRefused(error) && !isNotFound(error)) throw error;
    const problem = refusedBy(error, 'Refused');
    await writeStatus(context, expected, transfer, refused(observed, problem.message));
    return { requeueAfterMs: problem.retryMs };
  }
}

async function observe(context: StorageContext, transfer: ObjectTransfer): Promise<Observed> {
  const { caches, now } = context;
  const { kind, namespace, name } = transfer.spec.source;
  const { data, phase } = transfer.status ?? {};
  const from = `${namespace}/${name}`;
  const target = targetOf(transfer);
  const to = `${target.namespace}/${target.name}`;
  const claim = caches.claims.get(from);
  const held = claim?.metadata.annotations?.[keys.transferName];
  const holder = held === undefined || held === transfer.metadata.name ? undefined : caches.transfers.get(held);
  const volumeName = data?.pvName ?? claim?.spec.volumeName;
  return {
    transfer,
    dataVolume: kind === 'DataVolume' ? caches.dataVolumes.get(from) : undefined,
    claim,
    volume: volumeName === undefined ? undefined : caches.volumes.get(volumeName),
    ...(isActive(holder) && { holder: held }),
    users: claim && phase !== 'Running' ? await podsOf(context, claim) : [],
    target: { claim: caches.claims.get(to), dataVolume: caches.dataVolumes.get(to) },
    now: now(),
  };
}

const isActive = (transfer: ObjectTransfer | undefined): boolean =>
  transfer !== undefined && !['Complete', 'Error'].includes(transfer.status?.phase ?? '');

async function perform(
  { client, caches, expectations }: StorageContext,
  expected: string,
  transfer: ObjectTransfer,
  action: Action,
): Promise<void> {
  switch (action.do) {
    case 'createClaim': {
      const made = await client
        .create(resources.persistentVolumeClaims, action.claim, { fieldManager })
        .catch(except(isAlreadyExists));
      return expectations.expect(expected, caches.claims, made?.metadata.resourceVersion);
    }
    case 'createDataVolume': {
      const made = await client
        .create(resources.dataVolumes, action.dataVolume, { fieldManager })
        .catch(except(isAlreadyExists));
      return expectations.expect(expected, caches.dataVolumes, made?.metadata.resourceVersion);
    }
    case 'holdClaim': {
      const { namespace, name = '', resourceVersion } = action.claim.metadata;
      const body = { metadata: { resourceVersion, annotations: { [keys.transferName]: transfer.metadata.name } } };
      const made = await client
        .patch(resources.persistentVolumeClaims, { namespace, name }, body, 'merge', { fieldManager })
        .catch(gone);
      return expectations.expect(expected, caches.claims, made?.metadata.resourceVersion);
    }
    case 'deleteClaim': {
      const { namespace, name = '', uid } = action.claim.metadata;
      await client
        .delete(resources.persistentVolumeClaims, { namespace, name }, { preconditions: { uid } })
        .catch(gone);
      return;
    }
    case 'deleteDataVolume': {
      const { namespace, name = '', uid } = action.dataVolume.metadata;
      const options = { preconditions: { uid }, propagationPolicy: 'Orphan' } as const;
      await client.delete(resources.dataVolumes, { namespace, name }, options).catch(gone);
      return;
    }
    case 'changeVolume': {
      const { name = '', resourceVersion } = action.volume.metadata;
      const body = { metadata: { resourceVersion }, spec: action.spec };
      const made = await client.patch(resources.persistentVolumes, { name }, body, 'merge', { fieldManager });
      return expectations.expect(expected, caches.volumes, made.metadata.resourceVersion);
    }
    case 'setFinalizers': {
      const { name = '', uid, resourceVersion } = transfer.metadata;
      const body = { metadata: { uid, resourceVersion, finalizers: action.finalizers } };
      const made = await client
        .patch(resources.objectTransfers, { name }, body, 'merge', { fieldManager })
        .catch(except(isNotFound));
      return expectations.expect(expected, caches.transfers, made?.metadata.resourceVersion);
    }
  }
}

async function writeStatus(
  { client, caches, expectations }: StorageContext,
  expected: string,
  { metadata, status: before }: ObjectTransfer,
  status: NonNullable<ObjectTransfer['status']>,
): Promise<void> {
  if (semanticDeepEqual(before ?? {}, status)) return;
  const { name = '', uid } = metadata;
  const body = { metadata: { uid }, status: replacing(before, status) };
  const made = await client
    .patch<ObjectTransfer>(resources.objectTransfers, { name, subresource: 'status' }, body, 'merge', { fieldManager })
    .catch(except(isNotFound));
  expectations.expect(expected, caches.transfers, made?.metadata.resourceVersion);
}

/** For an object that no longer exists, or whose name another one has. */
const gone = except(isNotFound, isConflict);
