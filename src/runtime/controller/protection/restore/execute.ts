import { isRefused, resources } from '../../../kube';
import type { KubeObject } from '../../../../api';
import type { Requeue } from '../../../kube';
import type { ProtectionContext } from '../context';
import { performAll } from '../perform';
import { contentName } from '../snapshot/content-of';
import type { Claim, Content, Restore, StorageClass, Vm, Vmi, VolumeSnapshot } from '../types';
import { stateSelectorOf } from '../volumes';
import { decide, decideRefused } from './decide';
import { claimName } from './names';
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
    const isFinal = isRefused(error) && !actions.some((action) => action.do === 'stopVm');
    if (!isFinal || restore.metadata.deletionTimestamp) throw error;
    return performAll(context, expected, namespace, decideRefused(seen, (error as Error).message));
  }
}

async function observe(context: ProtectionContext, restore: Restore): Promise<Observed> {
  const { client, caches, now } = context;
  const { namespace = '' } = restore.metadata;
  const { target, virtualMachineSnapshotName } = restore.spec;
  const snapshot = caches.snapshots.get(`${namespace}/${virtualMachineSnapshotName}`);
  const content = snapshot && caches.contents.get(`${namespace}/${contentName(snapshot)}`);
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

type Disks = Pick<Observed, 'claims' | 'immediate' | 'volumeSnapshots' | 'dataVolumes'>;

async function disksOf(
  { client }: ProtectionContext,
  restore: Restore,
  content: Content | undefined,
  vm: Vm | undefined,
): Promise<Disks> {
  const { namespace = '' } = restore.metadata;
  const claims = new Map<string, Claim>();
  const volumeSnapshots = new Map<string, VolumeSnapshot>();
  const dataVolumes = new Map<string, KubeObject>();
  const immediate = new Set<string>();
  for (const backup of content?.spec.volumeBackups ?? []) {
    const name = claimName(restore, backup);
    const claim = await client.find<Claim>(resources.persistentVolumeClaims, { namespace, name });
    if (claim) claims.set(name, claim);
    const taken = backup.volumeSnapshotName;
    const volumeSnapshot =
      taken === undefined
        ? undefined
        : await client.find<VolumeSnapshot>(resources.volumeSnapshots, { namespace, name: taken });
    if (taken !== undefined && volumeSnapshot) volumeSnapshots.set(taken, volumeSnapshot);
    const className = backup.persistentVolumeClaim.spec?.storageClassName;
    const storageClass = className && (await client.find<StorageClass>(resources.storageClasses, { name: className }));
    if (storageClass && storageClass.volumeBindingMode !== 'WaitForFirstConsumer') immediate.add(className);
  }
  const owners = [...claims.values()].flatMap(({ metadata }) =>
    (metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'DataVolume').map(({ name }) => name),
  );
  const templates = (vm?.spec.dataVolumeTemplates ?? []).flatMap((template) => template?.metadata?.name ?? []);
  const names = new Set([...owners, ...templates, ...(restore.status?.deletedDataVolumes ?? [])]);
  for (const name of names) {
    const dataVolume = await client.find(resources.dataVolumes, { namespace, name }).catch(() => undefined);
    if (dataVolume) dataVolumes.set(name, dataVolume);
  }
  return { claims, immediate, volumeSnapshots, dataVolumes };
}
