import { resources, sourceOf } from '../../../kube';
import type { KubeObject } from '../../../../api';
import type { ProtectionContext } from '../context';
import type { Claim, Snapshot, StorageClass, Vm, Vmi, VolumeSnapshotClass } from '../types';
import { claimsOf, snapshotSupport, stateSelectorOf, type SnapshotSupport } from '../volumes';
import { guestCopyName } from '../guest-copy';
import { contentName } from './content-of';
import type { Observed, VolumeState } from './observed';

/** Reads what a snapshot depends on. A finished one reads its VM only while that is locked. */
export async function observe(context: ProtectionContext, snapshot: Snapshot): Promise<Observed> {
  const { client, caches, now } = context;
  const { namespace = '' } = snapshot.metadata;
  const content = caches.contents.get(`${namespace}/${contentName(snapshot)}`);
  const ref = { namespace, name: snapshot.spec.source.name };
  const vm = await client.find<Vm>(resources.virtualMachines, ref);
  const vmi = await client.find<Vmi>(resources.virtualMachineInstances, ref);
  const isNew = vm && !content && snapshot.status?.phase !== 'Succeeded' && snapshot.status?.phase !== 'Failed';
  const volumes = isNew ? await volumesOf(context, namespace, vm) : new Map<string, VolumeState>();
  const guestCopy = content && caches.backups.get(`${namespace}/${guestCopyName(content)}`);
  return { snapshot, content, guestCopy, vm, vmi, volumes, now: now() };
}

async function volumesOf(
  context: ProtectionContext,
  namespace: string,
  vm: Vm,
): Promise<ReadonlyMap<string, VolumeState>> {
  const { client } = context;
  const labelSelector = stateSelectorOf(vm.metadata.name ?? '');
  const { items } = await client.list<Claim>(resources.persistentVolumeClaims, { namespace, labelSelector });
  const state = items.find(({ metadata }) => !metadata.deletionTimestamp);
  const found = [...claimsOf(vm, state)].map(async ([volume, name]): Promise<[string, VolumeState]> => {
    const claim = await client.find<Claim>(resources.persistentVolumeClaims, { namespace, name });
    const importPhase = claim && (await importPhaseOf(context, claim));
    const support = claim ? await supportOf(context, claim) : {};
    return [volume, { name, claim, importPhase, support }];
  });
  return new Map(await Promise.all(found));
}

/** Phase of the DataVolume that controls the claim. */
async function importPhaseOf({ client }: ProtectionContext, { metadata }: Claim): Promise<string | undefined> {
  const owner = metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === 'DataVolume');
  if (!owner) return undefined;
  const { namespace } = metadata;
  const dataVolume = await client
    .find<KubeObject & { status?: { phase?: string } }>(resources.dataVolumes, { namespace, name: owner.name })
    .catch(() => undefined);
  return dataVolume?.metadata.uid === owner.uid ? (dataVolume?.status?.phase ?? '') : undefined;
}

/** VolumeSnapshotClass for the class of a claim. */
export async function supportOf({ client }: ProtectionContext, { spec }: Claim): Promise<SnapshotSupport> {
  const name = spec.storageClassName;
  if (!name) return {};
  const storageClass = await client.find<StorageClass>(resources.storageClasses, { name });
  const profile = await client.find<KubeObject & { spec?: { snapshotClass?: string } }>(resources.storageProfiles, {
    name,
  });
  const classes = (await sourceOf(client).list('VolumeSnapshotClass', undefined)) as VolumeSnapshotClass[];
  return snapshotSupport(storageClass, profile?.spec?.snapshotClass, classes);
}
