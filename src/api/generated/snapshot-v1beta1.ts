// Generated from api/schema/snapshot.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from './core-v1';
import type { VirtualMachineSpec, VirtualMachineStatus } from './kubevirt-v1';
import type { Duration, Time } from './meta-v1';

/**
 * Condition of the operation.
 */
export interface Condition {
  /**
   * Time of the last check.
   */
  lastProbeTime?: Time | null;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time | null;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Last error.
 */
export interface Error {
  /**
   * Human-readable reason.
   */
  message?: string;
  /**
   * Time of the error.
   */
  time?: Time;
}

/**
 * Claim at the time of the snapshot.
 */
export interface PersistentVolumeClaim {
  /**
   * Metadata of the claim.
   */
  metadata?: ObjectMeta;
  /**
   * Spec of the claim.
   */
  spec?: PersistentVolumeClaimSpec;
}

/**
 * Volumes that the snapshot includes and excludes.
 */
export interface SnapshotVolumesLists {
  /**
   * Volumes without a snapshot, because their storage does not support snapshots or they contain no persistent data.
   */
  excludedVolumes?: string[];
  /**
   * Volumes that were snapshotted.
   */
  includedVolumes?: string[];
}

/**
 * Indication of how consistent the snapshot is.
 */
export interface SourceIndication {
  /**
   * Type of the indication. Online: the VM was running. GuestAgent: its file systems were frozen. NoGuestAgent: its file systems were not frozen. QuiesceTimeout: freezing took too long. Paused: the VM was paused. PartialSnapshot: some volumes are missing.
   */
  indication: 'Online' | 'NoGuestAgent' | 'GuestAgent' | 'QuiesceTimeout' | 'Paused' | 'PartialSnapshot';
  /**
   * Human-readable explanation.
   */
  message: string;
}

/**
 * Object that was snapshotted.
 */
export interface SourceSpec {
  /**
   * VM at the time of the snapshot.
   */
  virtualMachine?: VirtualMachine;
}

/**
 * VM at the time of the snapshot.
 */
export interface VirtualMachine {
  /**
   * Metadata of the VM.
   */
  metadata?: ObjectMeta | null;
  /**
   * Spec of the VM.
   */
  spec?: VirtualMachineSpec;
  /**
   * Status of the VM.
   */
  status?: VirtualMachineStatus;
}

/**
 * Restore of a VM from a snapshot, into the same VM or a new one.
 */
export interface VirtualMachineRestore extends KubeObject {
  /**
   * Snapshot to restore and the target.
   */
  spec: VirtualMachineRestoreSpec;
  /**
   * Progress of the restore.
   */
  status?: VirtualMachineRestoreStatus;
}

/**
 * Snapshot to restore and the target.
 */
export interface VirtualMachineRestoreSpec {
  /**
   * JSON patches of the VM, applied before a missing target is created: `{"op": "replace", "path": "/metadata/name", "value": "copy"}`.
   */
  patches?: string[];
  /**
   * VM to restore: apiGroup kubevirt.io, kind VirtualMachine. Created if it does not exist. Immutable.
   */
  target: TypedLocalObjectReference;
  /**
   * Treatment of a running target: stop it, wait 5 minutes for it to stop, fail immediately, or wait without limit.
   */
  targetReadinessPolicy?: 'StopTarget' | 'WaitGracePeriod' | 'FailImmediate' | 'WaitEventually';
  /**
   * Name of the snapshot, in the same namespace.
   */
  virtualMachineSnapshotName: string;
  /**
   * Whether the restored claims are deleted with the VM. Default: Vm.
   */
  volumeOwnershipPolicy?: 'Vm' | 'None';
  /**
   * Changes of individual restored claims.
   */
  volumeRestoreOverrides?: VolumeRestoreOverride[];
  /**
   * Naming of the restored claims: new random names, the old names (the old claims are deleted first), or TARGET-VOLUME. Default: RandomizeNames.
   */
  volumeRestorePolicy?: 'RandomizeNames' | 'InPlace' | 'PrefixTargetName';
}

/**
 * Progress of the restore.
 */
export interface VirtualMachineRestoreStatus {
  /**
   * Whether the restore is complete.
   */
  complete?: boolean;
  /**
   * Current conditions.
   */
  conditions?: Condition[];
  /**
   * DataVolumes that were deleted because restored claims replaced them.
   */
  deletedDataVolumes?: string[];
  /**
   * Time at which the restore was complete.
   */
  restoreTime?: Time;
  /**
   * Restored volumes.
   */
  restores?: VolumeRestore[];
}

/**
 * Snapshot of a VM: its spec and its volumes.
 */
export interface VirtualMachineSnapshot extends KubeObject {
  /**
   * VM to snapshot and the time limit.
   */
  spec: VirtualMachineSnapshotSpec;
  /**
   * Progress of the snapshot.
   */
  status?: VirtualMachineSnapshotStatus;
}

/**
 * Content of a snapshot. Written by the controller.
 */
export interface VirtualMachineSnapshotContent extends KubeObject {
  /**
   * Spec of the VM and its claims at the time of the snapshot.
   */
  spec: VirtualMachineSnapshotContentSpec;
  /**
   * Progress of the volume snapshots.
   */
  status?: VirtualMachineSnapshotContentStatus;
}

/**
 * Spec of the VM and its claims at the time of the snapshot.
 */
export interface VirtualMachineSnapshotContentSpec {
  /**
   * VM that was snapshotted.
   */
  source: SourceSpec;
  /**
   * Name of the snapshot that owns this content.
   */
  virtualMachineSnapshotName?: string;
  /**
   * Volumes that were snapshotted.
   */
  volumeBackups?: VolumeBackup[];
}

/**
 * Progress of the volume snapshots.
 */
export interface VirtualMachineSnapshotContentStatus {
  /**
   * Time at which all volume snapshots had been taken.
   */
  creationTime?: Time | null;
  /**
   * Last error.
   */
  error?: Error;
  /**
   * Whether all volume snapshots are ready.
   */
  readyToUse?: boolean;
  /**
   * State of each VolumeSnapshot.
   */
  volumeSnapshotStatus?: VolumeSnapshotStatus[];
}

/**
 * VM to snapshot and the time limit.
 */
export interface VirtualMachineSnapshotSpec {
  /**
   * Whether deleting the snapshot also deletes its content. Default: Delete.
   */
  deletionPolicy?: 'Delete' | 'Retain';
  /**
   * Time after which an unfinished snapshot fails; 0 disables the limit. Default: 5m.
   */
  failureDeadline?: Duration;
  /**
   * VM to snapshot: apiGroup kubevirt.io, kind VirtualMachine. Immutable.
   */
  source: TypedLocalObjectReference;
}

/**
 * Progress of the snapshot.
 */
export interface VirtualMachineSnapshotStatus {
  /**
   * Current conditions.
   */
  conditions?: Condition[];
  /**
   * Time at which the snapshot was taken.
   */
  creationTime?: Time | null;
  /**
   * Last error.
   */
  error?: Error;
  /**
   * Deprecated: use sourceIndications. The same indications without messages.
   */
  indications?: ('Online' | 'NoGuestAgent' | 'GuestAgent' | 'QuiesceTimeout' | 'Paused' | 'PartialSnapshot')[];
  /**
   * Phase of the snapshot.
   */
  phase?: 'InProgress' | 'Succeeded' | 'Failed' | 'Deleting' | 'Unknown';
  /**
   * Whether the snapshot can be restored.
   */
  readyToUse?: boolean;
  /**
   * Volumes that the snapshot includes and excludes.
   */
  snapshotVolumes?: SnapshotVolumesLists;
  /**
   * Indications of the snapshot's consistency.
   */
  sourceIndications?: SourceIndication[];
  /**
   * UID of the VM.
   */
  sourceUID?: string;
  /**
   * Name of the VirtualMachineSnapshotContent with the snapshot's content.
   */
  virtualMachineSnapshotContentName?: string;
}

/**
 * Volume in a snapshot.
 */
export interface VolumeBackup {
  /**
   * Claim of the volume.
   */
  persistentVolumeClaim: PersistentVolumeClaim;
  /**
   * Name of the volume in the VM.
   */
  volumeName: string;
  /**
   * Name of the VolumeSnapshot with the volume's data.
   */
  volumeSnapshotName?: string;
}

/**
 * Restored volume.
 */
export interface VolumeRestore {
  /**
   * Name of the DataVolume that was restored with the claim, if any.
   */
  dataVolumeName?: string;
  /**
   * Name of the restored claim.
   */
  persistentVolumeClaim: string;
  /**
   * Name of the volume in the VM.
   */
  volumeName: string;
  /**
   * Name of the VolumeSnapshot that the volume was restored from.
   */
  volumeSnapshotName: string;
}

/**
 * Changes of a restored claim.
 */
export interface VolumeRestoreOverride {
  /**
   * Annotations to add.
   */
  annotations?: {
    [k: string]: string;
  };
  /**
   * Labels to add.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * Name of the claim. Default: as defined by volumeRestorePolicy.
   */
  restoreName?: string;
  /**
   * Name of the volume in the VM.
   */
  volumeName?: string;
}

/**
 * State of a VolumeSnapshot.
 */
export interface VolumeSnapshotStatus {
  /**
   * Time at which the snapshot was taken.
   */
  creationTime?: Time | null;
  /**
   * Last error.
   */
  error?: Error;
  /**
   * Whether the snapshot can be restored.
   */
  readyToUse?: boolean;
  /**
   * Name of the VolumeSnapshot.
   */
  volumeSnapshotName: string;
}
