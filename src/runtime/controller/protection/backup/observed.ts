import { keys } from '../../../../api/keys';
import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../../api';
import type { VirtualMachineBackup, VirtualMachineBackupTracker } from '../../../../api/generated/backup-v1alpha1';
import type { VirtualMachineExport } from '../../../../api/generated/export-v1';
import type { Claim } from '../types';

export type Backup = VirtualMachineBackup;
export type Tracker = VirtualMachineBackupTracker;

/** Everything observed about one backup at one moment. */
export interface Observed {
  readonly backup: Backup;
  readonly tracker?: Tracker;
  /** The VM that is backed up, and its instance. */
  readonly vm?: VirtualMachine;
  readonly vmi?: VirtualMachineInstance;
  /** Target of the backup; of one in mode Pull, for what the guest overwrites meanwhile. */
  readonly claim?: Claim;
  /** Export of a backup in mode Pull. */
  readonly vmExport?: VirtualMachineExport;
  readonly now: number;
}

type Conditions = NonNullable<Backup['status']>['conditions'];

const has = (conditions: Conditions, type: string): boolean =>
  conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

export const isComplete = ({ status }: Backup): boolean => has(status?.conditions, 'Complete');
export const hasFailed = ({ status }: Backup): boolean => has(status?.conditions, 'Failed');

/** Whether the backup is over: nothing is done for it any more. */
export const isOver = (backup: Backup): boolean => isComplete(backup) || hasFailed(backup);

/** Name of the snapshot content for which the backup copies a running guest; undefined for a backup of a user. */
export const snapshotContentOf = ({ metadata }: Backup): string | undefined =>
  metadata.ownerReferences?.find(({ kind, controller }) => controller && kind === 'VirtualMachineSnapshotContent')
    ?.name;

/** Names of the volumes that a backup, or the content of a snapshot, copies of a running guest; undefined if it names none. */
export const volumesOf = ({ metadata }: Pick<KubeObject, 'metadata'>): readonly string[] | undefined =>
  metadata.annotations?.[keys.guestCopies]?.split(',');

/** Path of the image of a volume in the claim of a complete backup in mode Push. */
export const imageOf = ({ metadata, spec, status }: Backup, volumeName: string): string =>
  `${spec.source.name}/${status?.checkpointName}/${metadata.name}-${volumeName}.qcow2`;

/** Name of the VM that is backed up; undefined while its tracker does not exist. */
export const vmNameOf = ({ spec }: Backup, tracker: Tracker | undefined): string | undefined =>
  spec.source.kind === 'VirtualMachineBackupTracker' ? tracker?.spec.source.name : spec.source.name;

/** Name of the volume with which the claim is attached to the launcher: a DNS label. */
export const volumeNameOf = ({ metadata }: KubeObject): string => `backup-${metadata.uid ?? ''}`;
