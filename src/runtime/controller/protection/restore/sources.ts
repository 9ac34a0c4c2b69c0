/** Whether the data of a volume in a snapshot can be restored. Pure. */
import { copyOf, type VolumeBackup } from '../types';
import type { Observed } from './observed';

export interface SourceProblem {
  readonly reason: string;
  readonly message: string;
  /** Whether the data does not exist any more. */
  readonly isLost: boolean;
}

/** Returns the cause for which the volume cannot be restored now. */
export function sourceProblem(
  { volumeSnapshots, copies }: Pick<Observed, 'volumeSnapshots' | 'copies'>,
  backup: VolumeBackup,
): SourceProblem | undefined {
  const copy = copyOf(backup);
  if (copy !== undefined) {
    const claim = copies.get(copy);
    const title = `PersistentVolumeClaim "${copy}" with the copy of volume "${backup.volumeName}"`;
    if (!claim) return lost('VolumeCopyMissing', `${title} does not exist`);
    if (claim.metadata.deletionTimestamp) return lost('VolumeCopyMissing', `${title} is being deleted`);
    if (claim.status?.phase === 'Lost') return lost('VolumeCopyMissing', `${title} has lost its volume`);
    return claim.status?.phase === 'Bound' ? undefined : notReady('VolumeCopyNotReady', `${title} is not bound`);
  }
  const name = backup.volumeSnapshotName ?? '';
  const title = `VolumeSnapshot "${name}"`;
  const taken = volumeSnapshots.get(name);
  if (!taken) return lost('VolumeSnapshotMissing', `${title} does not exist`);
  if (taken.metadata.deletionTimestamp) return lost('VolumeSnapshotMissing', `${title} is being deleted`);
  if (taken.status?.readyToUse === true) return undefined;
  const cause = taken.status?.error?.message;
  return notReady('VolumeSnapshotNotReady', `${title} is not ready to use${cause ? ` (${cause})` : ''}`);
}

const lost = (reason: string, what: string): SourceProblem => ({
  reason,
  message: `${what}; the snapshot is lost, restore another one`,
  isLost: true,
});

const notReady = (reason: string, what: string): SourceProblem => ({
  reason,
  message: `${what}; the volume is restored when it is`,
  isLost: false,
});
