import { isRefused, resources } from '../../../kube';
import type { KubeObject } from '../../../../api';
import type { Requeue } from '../../../kube';
import { podsOf } from '../../storage/claim-writers';
import { refusedBy } from '../../storage/refused';
import type { ProtectionContext } from '../context';
import { performAll } from '../perform';
import { contentName } from '../snapshot/content-of';
import {
  copyOf,
  type Claim,
  type Content,
  type Restore,
  type StorageClass,
  type Vm,
  type Vmi,
  type VolumeSnapshot,
} from '../types';
import { stateSelectorOf } from '../volumes';
import { decide, decideRefused } from './decide';
import { claimName, isMarked } from './names';
import type { Observed } from './observed';

const LAG_RECHECK_MS = 500;

/** Reconciles one VirtualMachineRestore. */
export async function syncRestore(context: ProtectionContext, key: string): Promise<Requeue | void> {
  const { caches, expectations } = context;
  const restore = caches.restores.get(key);
  const expected = `restore ${key}`;
  if (!restore) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const isDone = restore.status?.complete === true && !restore.metadata.deletionTimestamp;
  if (isDone) return;
  const seen = await observe(context, restore);
  const namespace = restore.metadata.namespace ?? '';
  const actions = decide(seen);
  try {
    return await performAll(context, expected, namespace, actions);
  } catch (error) {
    // a VM that cannot be stopped now, because a snapshot has just locked it, can be stopped later
    const isReported = isRefused(error) && !actions.some((action) => action.do === 'stopVm');
    if (!isReported || restore.metadata.deletionTimestamp) throw error;
    const isPatch = actions.some((action) => action.do === 'patchVm');
    return performAll(context, expected, namespace, decideRefused(seen, refusedBy(error, 'Refused'), isPatch));
  }
}

async function observe(context: ProtectionContext, restore: Restore): Promise<Observed> {
  const { client, caches, now } = context;
  const { namespace = '' } = restore.metadata;
  const { target, virtualMachineSnapshotName } = restore.spec;
  const snapshot = caches.snapshots.get(`${namespace}/${virtualMachineSnapshotName}`);
  // read: a content that is being deleted must not be restored, unless its controller keeps it for this restore
  const content =
    snapshot && (await client.find<Content>(resources.snapshotContents, { namespace, name: contentName(snapshot) }));
  const ref = { namespace, name: target.name };
  const vm = await client.find<Vm>(resources.virtualMachines, ref);
  const vmi = await client.find<Vmi>(resources.virtualMachineInstances, ref);
  const labelSelector = stateSelectorOf(target.name);
  const { items: stateClaims } = await client.list<Claim>(resources.persistentVolumeClaims, {
    namespace,
    labelSelector,
  });
  return {
    restore,
    snapshot,
    content,
    vm,
    vmi,
    stateClaims,
    ...(await disksOf(context, restore, content, vm)),
    now: now(),
  };
}

type Disks = Pick<Observed, 'claims' | 'claimUsers' | 'copies' | 'immediate' | 'volumeSnapshots' | 'dataVolumes'>;

async function disksOf(
  { client }: ProtectionContext,
  restore: Restore,
  content: Content | undefined,
  vm: Vm | undefined,
): Promise<Disks> {
  const { namespace = '' } = restore.metadata;
  const backups = content?.spec.volumeBackups ?? [];
  const findClaim = (name: string) => client.find<Claim>(resources.persistentVolumeClaims, { namespace, name });
  const names = [
    ...backups.map((backup) => claimName(restore, backup)),
    // also without the content, for a restore that is deleted
    ...(restore.status?.restores ?? []).map(({ persistentVolumeClaim }) => persistentVolumeClaim),
  ];
  const claims = await findAll(new Set(names), findClaim);
  const claimUsers = new Map<string, string[]>();
  if (restore.spec.volumeRestorePolicy === 'InPlace') {
    for (const [name, claim] of claims) {
      if (!isMarked(claim, restore)) claimUsers.set(name, await podsOf({ client }, claim));
    }
  }
  const immediate = new Set<string>();
  for (const className of new Set(backups.flatMap((each) => each.persistentVolumeClaim.spec?.storageClassName ?? []))) {
    const storageClass = await client.find<StorageClass>(resources.storageClasses, { name: className });
    if (storageClass && storageClass.volumeBindingMode !== 'WaitForFirstConsumer') immediate.add(className);
  }
  const owners = [...claims.values()].flatMap(({ metadata }) =>
    (metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'DataVolume').map(({ name }) => name),
  );
  const templates = (vm?.spec.dataVolumeTemplates ?? []).flatMap((template) => template?.metadata?.name ?? []);
  const dataVolumes = new Set([...owners, ...templates, ...(restore.status?.deletedDataVolumes ?? [])]);
  return {
    claims,
    claimUsers,
    copies: await findAll(
      backups.flatMap((backup) => copyOf(backup) ?? []),
      findClaim,
    ),
    immediate,
    volumeSnapshots: await findAll(
      backups.flatMap(({ volumeSnapshotName }) => volumeSnapshotName ?? []),
      (name) => client.find<VolumeSnapshot>(resources.volumeSnapshots, { namespace, name }),
    ),
    dataVolumes: await findAll(dataVolumes, (name) =>
      client.find<KubeObject>(resources.dataVolumes, { namespace, name }),
    ),
  };
}

/** The objects with these names that exist, by name. */
async function findAll<T>(
  names: Iterable<string>,
  find: (name: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  for (const name of names) {
    const object = await find(name);
    if (object) found.set(name, object);
  }
  return found;
}
