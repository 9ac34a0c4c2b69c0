import { keyOf, resources } from '../../kube';
import type { Informer } from '../../kube';
import type { cdi, KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../api';
import { isFinal } from '../instance/observed';
import type { Backup } from '../protection/backup/observed';
import type { Pod } from '../pod';
import type { VolumeSnapshot } from '../storage/types';
import type { ExportContext } from './context';
import { snapshotClaim, type ExportClaim, type VirtualMachineExport } from './names';
import { claimNamesOf, type Snapshot, type SnapshotContent, type SourceFacts } from './source';

/** Reads the objects that an export depends on. */
export async function observe(
  context: ExportContext,
  vmExport: VirtualMachineExport,
  pod: Pod | undefined,
): Promise<SourceFacts> {
  const { caches, client } = context;
  const { namespace = '' } = vmExport.metadata;
  const { kind, name } = vmExport.spec.source;
  const vm = kind === 'VirtualMachine' ? caches.vms.get(`${namespace}/${name}`) : undefined;
  const taken = kind === 'VirtualMachineSnapshot' ? await snapshotFacts(context, namespace, name) : undefined;
  const backups = taken?.content?.spec.volumeBackups ?? [];
  const names = [
    ...(kind === 'PersistentVolumeClaim' ? [name] : []),
    ...(vm ? claimNamesOf(vm).map(({ claimName }) => claimName) : []),
    ...backups.map((backup) => snapshotClaim(vmExport, backup)),
  ];
  const claims = await byName(names, (each) =>
    client.find<ExportClaim>(resources.persistentVolumeClaims, { namespace, name: each }),
  );
  const owners = [...claims.values()].flatMap(({ metadata }) =>
    (metadata.ownerReferences ?? [])
      .filter((each) => each.controller && each.kind === 'DataVolume')
      .map((each) => each.name),
  );
  const wanted = backups
    .filter((backup) => !claims.has(snapshotClaim(vmExport, backup)))
    .flatMap(({ volumeSnapshotName }) => volumeSnapshotName ?? []);
  const vmi = vm && caches.vmis.get(keyOf(vm));
  const backup =
    kind === 'VirtualMachineBackup' ? await client.find<Backup>(resources.backups, { namespace, name }) : undefined;
  const backupNode = backup && nodeOf(caches.vmis, backup);
  return {
    ...(backup && { backup }),
    ...(backupNode !== undefined && { backupNode }),
    ...(vm && { vm: vm as VirtualMachine }),
    isVmRunning: vmi !== undefined && !isFinal(vmi),
    ...taken,
    volumeSnapshots: await byName(wanted, (each) =>
      client.find<VolumeSnapshot>(resources.volumeSnapshots, { namespace, name: each }),
    ),
    claims,
    dataVolumes: await byName(owners, (each) =>
      client.find<cdi.DataVolume & KubeObject>(resources.dataVolumes, { namespace, name: each }),
    ),
    users: kind === 'VirtualMachineSnapshot' ? new Map() : await usersOf(context, namespace, names, pod),
  };
}

/** Node of the instance that a backup is in progress of. */
function nodeOf(vmis: Informer<VirtualMachineInstance>, { metadata }: Backup): string | undefined {
  const found = vmis.list().find((vmi) => {
    const { backupName, startTimestamp } = vmi.status?.changedBlockTracking?.backupStatus ?? {};
    const isItsOwn = backupName === metadata.name && startTimestamp === metadata.creationTimestamp;
    return isItsOwn && vmi.metadata.namespace === metadata.namespace && !isFinal(vmi);
  });
  return found?.status?.nodeName;
}

async function byName<T>(
  names: readonly string[],
  find: (name: string) => Promise<T | undefined>,
): Promise<ReadonlyMap<string, T>> {
  const found = await Promise.all(names.map(async (name) => [name, await find(name)] as const));
  return new Map(found.flatMap(([name, object]) => (object === undefined ? [] : [[name, object] as const])));
}

async function snapshotFacts(
  { client }: ExportContext,
  namespace: string,
  name: string,
): Promise<Pick<SourceFacts, 'snapshot' | 'content'>> {
  const snapshot = await client.find<Snapshot>(resources.snapshots, { namespace, name });
  const contentName = snapshot?.status?.virtualMachineSnapshotContentName;
  const content = contentName
    ? await client.find<SnapshotContent>(resources.snapshotContents, { namespace, name: contentName })
    : undefined;
  return { ...(snapshot && { snapshot }), ...(content && { content }) };
}

/** Instances and other Pods that use these claims. Pods are listed only before the exporter's exists. */
async function usersOf(
  { client, caches }: ExportContext,
  namespace: string,
  names: readonly string[],
  own: Pod | undefined,
): Promise<Map<string, string>> {
  const users = new Map<string, string>();
  for (const name of names) {
    const vmi = instanceUsing(caches.vmis, `${namespace}/${name}`);
    if (vmi) users.set(name, `VirtualMachineInstance ${vmi.metadata.name}`);
  }
  if (own || names.length === 0 || users.size > 0) return users;
  const { items } = await client.list<Pod>(resources.pods, { namespace });
  for (const pod of items) {
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') continue;
    for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
      const claimName = persistentVolumeClaim?.claimName ?? '';
      if (names.includes(claimName) && !persistentVolumeClaim?.readOnly)
        users.set(claimName, `Pod ${pod.metadata.name}`);
    }
  }
  return users;
}

const instanceUsing = (vmis: Informer<VirtualMachineInstance>, claim: string): VirtualMachineInstance | undefined =>
  vmis.byIndex('claim', claim).find((vmi) => !isFinal(vmi));
