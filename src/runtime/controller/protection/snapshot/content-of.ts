/** Content of a new snapshot. Pure. */
import { keys } from '../../../../api/keys';
import { namedClaim } from '../../pod';
import type { snapshot } from '../../../../api';
import { SNAPSHOT_API, simpleMetadata, type Claim, type Content, type Snapshot, type Vm, type Vmi } from '../types';
import { STATE } from '../volumes';
import { guestCopies, guestCopyBytes } from './guest-copy';
import { indicationsOf } from './indications';
import { isOnline } from './source';
import type { Observed, VolumeState } from './observed';

/** Name of the content of a snapshot. */
export const contentName = ({ metadata, status }: Snapshot): string =>
  status?.virtualMachineSnapshotContentName ?? `vmsnapshot-content-${metadata.uid}`;

/** Volumes that cannot be included, with the cause and the remedy. */
export function excludedDisks(seen: Observed): Map<string, string> {
  const { vmi, volumes } = seen;
  const copies = guestCopies(seen);
  const excluded = new Map<string, string>();
  for (const [volume, state] of volumes) {
    const { claim, support } = state;
    if (support.className !== undefined || !isOnline(vmi) || copies.has(volume) || !isInGuest(vmi, volume, state.name))
      continue;
    const storage = claim?.spec.storageClassName;
    excluded.set(
      volume,
      `volume "${volume}" is not in the snapshot: StorageClass "${storage ?? ''}" has no VolumeSnapshotClass, and QEMU ` +
        'copies only disks that a running guest can write; stop the VM and take the snapshot again, or move the disk to a class with snapshots',
    );
  }
  return excluded;
}

export function contentOf(seen: Observed, vm: Vm): Content {
  const { snapshot: object, volumes } = seen;
  const { name, namespace, uid } = object.metadata;
  const excluded = excludedDisks(seen);
  const copies = guestCopies(seen);
  const freezes = indicationsOf(seen.vmi, false).includes('GuestAgent');
  const included = [...volumes].filter(([volume]) => !excluded.has(volume));
  return {
    apiVersion: SNAPSHOT_API,
    kind: 'VirtualMachineSnapshotContent',
    metadata: {
      name: contentName(object),
      namespace,
      finalizers: [keys.snapshotContentFinalizer],
      annotations: {
        ...(freezes && { [keys.freezesGuest]: 'true' }),
        ...(copies.size > 0 && {
          [keys.guestCopies]: [...copies.keys()].join(','),
          [keys.guestCopyBytes]: String(guestCopyBytes(copies)),
        }),
      },
    },
    spec: {
      virtualMachineSnapshotName: name,
      source: { virtualMachine: { metadata: simpleMetadata(vm), spec: vm.spec, status: {} } },
      volumeBackups: included.flatMap(([volume, state]) =>
        state.claim
          ? [
              backupOf(
                volume,
                state.claim,
                `vmsnapshot-${uid}-volume-${volume}`,
                takesSnapshot(state) && !copies.has(volume),
              ),
            ]
          : [],
      ),
    },
  };
}

const takesSnapshot = ({ support }: VolumeState): boolean => support.className !== undefined;

/** A volume that was added to the VM, or got another claim, is in the guest after its next start. */
const isInGuest = ({ spec }: Vmi, volume: string, claim: string): boolean =>
  volume.startsWith(STATE) ||
  (spec.volumes?.some((each) => each.name === volume && namedClaim(each) === claim) ?? false);

/** A backup without a VolumeSnapshot is a claim of its own, which an annotation names. */
function backupOf(volumeName: string, claim: Claim, name: string, isSnapshot: boolean): snapshot.VolumeBackup {
  const metadata = simpleMetadata(claim);
  if (isSnapshot) {
    return { volumeName, volumeSnapshotName: name, persistentVolumeClaim: { metadata, spec: claim.spec } };
  }
  const annotations = { ...metadata.annotations, [keys.volumeCopy]: name };
  return { volumeName, persistentVolumeClaim: { metadata: { ...metadata, annotations }, spec: claim.spec } };
}
