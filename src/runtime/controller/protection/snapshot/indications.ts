/** Indications of how consistent a snapshot is, with the messages of KubeVirt. Pure. */
import type { snapshot } from '../../../../api';
import type { Vmi } from '../types';
import { hasAgent, isOnline, isPaused } from './source';

type Indication = snapshot.SourceIndication['indication'];

const MESSAGES: Readonly<Record<Indication, string>> = {
  Online: 'Snapshot taken while the VM was running. Consistency depends on guest-agent quiescing.',
  GuestAgent: 'Guest agent was active and attempted to quiesce the filesystem for application consistency.',
  NoGuestAgent:
    'Guest agent was not available. Snapshot is crash-consistent and may not be application-consistent. VolumeSnapshots of ' +
    'several disks are taken one after another, while the guest writes; copies by QEMU show one point in time.',
  QuiesceTimeout:
    'The file systems were not frozen until all disks were snapshotted. Snapshot is crash-consistent and may not be ' +
    'application-consistent.',
  Paused: 'Snapshot taken while the VM was paused. Snapshot is crash-consistent and may not be application-consistent.',
  PartialSnapshot:
    'Not all snapshotable volumes were included in the snapshot. Check status.snapshotVolumes for excluded volumes and the ' +
    'events of the snapshot for the causes.',
};

/** Indications when a snapshot begins. */
export function indicationsOf(vmi: Vmi | undefined, isPartial: boolean): Indication[] {
  const partial: Indication[] = isPartial ? ['PartialSnapshot'] : [];
  if (!isOnline(vmi)) return partial;
  const kind: Indication = isPaused(vmi) ? 'Paused' : hasAgent(vmi) ? 'GuestAgent' : 'NoGuestAgent';
  return ['Online', kind, ...partial];
}

/** Both fields of the status. */
export const reported = (
  indications: readonly Indication[],
): Pick<snapshot.VirtualMachineSnapshotStatus, 'indications' | 'sourceIndications'> =>
  indications.length === 0
    ? {}
    : {
        indications: [...indications],
        sourceIndications: indications.map((indication) => ({ indication, message: MESSAGES[indication] })),
      };
