/** Copies that QEMU makes of the disks of a running guest, all at one point in time. Pure. */
import { isBackedUp } from '../../../../api/backup-volumes';
import { quantityValue } from '../../../../api/quantity';
import { namedClaim } from '../../pod';
import { isOnline } from './source';
import type { Observed, VolumeState } from './observed';

/** Part of a disk that the description of its image needs at most, and the file system around it. */
const OVERHEAD = 1.1;
const LEAST_BYTES = 64 << 20;

/**
 * Volumes that QEMU copies, by name. If the storage of one disk cannot take a snapshot while the guest runs, QEMU copies all of
 * them: otherwise they would show different points in time.
 */
export function guestCopies(seen: Observed): ReadonlyMap<string, VolumeState> {
  const inGuest = [...seen.volumes].filter(([name, state]) => isCopied(seen, name, state));
  const isNeeded = inGuest.some(([, { support }]) => support.className === undefined || support.isOffline);
  return new Map(isNeeded ? inGuest : []);
}

/** Volume that QEMU has to copy and that is being attached to the guest. */
export function attaching(seen: Observed): string | undefined {
  return [...guestCopies(seen).keys()].find((name) => {
    const status = seen.vmi?.status?.volumeStatus?.find((each) => each.name === name);
    return status?.hotplugVolume !== undefined && status.phase !== 'Ready';
  });
}

/** Whether the guest can write the volume as a disk, and QEMU can copy it. */
function isCopied({ vmi }: Observed, name: string, { name: claim }: VolumeState): boolean {
  if (!isOnline(vmi)) return false;
  const volume = vmi.spec.volumes?.find((each) => each.name === name);
  const found = vmi.spec.domain.devices.disks?.find((each) => each.name === name);
  if (!volume || !isBackedUp(volume) || namedClaim(volume) !== claim || volume.persistentVolumeClaim?.readOnly)
    return false;
  return found !== undefined && !found.cdrom && !found.lun && !found.disk?.readonly;
}

/** Size of a claim that holds the images of all copies. */
export function guestCopyBytes(copies: ReadonlyMap<string, VolumeState>): number {
  const disks = [...copies.values()].map(({ claim }) =>
    Math.max(
      Number(quantityValue(claim?.status?.capacity?.storage ?? '0')),
      Number(quantityValue(claim?.spec.resources?.requests?.storage ?? '0')),
    ),
  );
  const all = disks.reduce((sum, bytes) => sum + bytes, 0);
  return Math.ceil(all * OVERHEAD) + LEAST_BYTES;
}
