/** Content of a new snapshot. Pure. */
import { keys } from '../../../../api/keys';
import type { snapshot } from '../../../../api';
import { SNAPSHOT_API, simpleMetadata, type Claim, type Content, type Snapshot, type Vm } from '../types';
import { isOnline } from './source';
import type { Observed, VolumeState } from './observed';

/** Name of the content of a snapshot. */
export const contentName = ({ metadata, status }: Snapshot): string =>
  status?.virtualMachineSnapshotContentName ?? `vmsnapshot-content-${metadata.uid}`;

/** Volumes that cannot be included, with the cause and the remedy. */
export function excludedDisks({ vmi, volumes }: Observed): Map<string, string> {
  const excluded = new Map<string, string>();
  for (const [volume, { claim, support }] of volumes) {
    if (support.className !== undefined || !isOnline(vmi)) continue;
    const storage = claim?.spec.storageClassName;
    excluded.set(
      volume,
      `volume "${volume}" is not in the snapshot: StorageClass "${storage ?? ''}" has no VolumeSnapshotClass, and the disk of a ` +
        'running guest cannot be copied; stop the VM and take the snapshot again, or move the disk to a class with snapshots',
    );
  }
  return excluded;
}

export function contentOf(seen: Observed, vm: Vm): Content {
  const { snapshot: object, volumes } = seen;
  const { name, namespace, uid } = object.metadata;
  const excluded = excludedDisks(seen);
  const included = [...volumes].filter(([volume]) => !excluded.has(volume));
  return {
    apiVersion: SNAPSHOT_API,
    kind: 'VirtualMachineSnapshotContent',
    metadata: { name: contentName(object), namespace, finalizers: [keys.snapshotContentFinalizer] },
    spec: {
      virtualMachineSnapshotName: name,
      source: { virtualMachine: { metadata: simpleMetadata(vm), spec: vm.spec, status: {} } },
      volumeBackups: included.flatMap(([volume, state]) =>
        state.claim ? [backupOf(volume, state, state.claim, `vmsnapshot-${uid}-volume-${volume}`)] : [],
      ),
    },
  };
}

/** A backup without a VolumeSnapshot is a claim of its own, which an annotation names. */
function backupOf(volumeName: string, { support }: VolumeState, claim: Claim, name: string): snapshot.VolumeBackup {
  const metadata = simpleMetadata(claim);
  if (support.className !== undefined) {
    return { volumeName, volumeSnapshotName: name, persistentVolumeClaim: { metadata, spec: claim.spec } };
  }
  const annotations = { ...metadata.annotations, [keys.volumeCopy]: name };
  return { volumeName, persistentVolumeClaim: { metadata: { ...metadata, annotations }, spec: claim.spec } };
}
