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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
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
   * The reason, for people.
   */
  message?: string;
  /**
   * Time of the error.
   */
  time?: Time;
}

/**
 * A claim as it was when the snapshot was taken.
 */
export interface PersistentVolumeClaim {
  /**
   * The claim's metadata.
   */
  metadata?: ObjectMeta;
  /**
   * The claim's spec.
   */
  spec?: PersistentVolumeClaimSpec;
}

/**
 * Volumes that the snapshot includes and excludes.
 */
export interface SnapshotVolumesLists {
  /**
   * Volumes that have no snapshot: their storage cannot make one, or they keep nothing.
   */
  excludedVolumes?: string[];
  /**
   * Volumes that were snapshotted.
   */
  includedVolumes?: string[];
}

/**
 * A circumstance that tells how consistent the snapshot is.
 */
export interface SourceIndication {
  /**
   * Online: the VM ran. GuestAgent: its file systems were frozen. NoGuestAgent: they were not. QuiesceTimeout: freezing took too long. Paused: the VM was paused. PartialSnapshot: some volumes are missing.
   */
  indication: 'Online' | 'NoGuestAgent' | 'GuestAgent' | 'QuiesceTimeout' | 'Paused' | 'PartialSnapshot';
  /**
   * Explanation for people.
   */
  message: string;
}

/**
 * The object that was snapshotted.
 */
export interface SourceSpec {
  /**
   * The VM as it was.
   */
  virtualMachine?: VirtualMachine;
}

/**
 * A VM as it was when the snapshot was taken.
 */
export interface VirtualMachine {
  /**
   * The VM's metadata.
   */
  metadata?: ObjectMeta | null;
  /**
   * The VM's spec.
   */
  spec?: VirtualMachineSpec;
  /**
   * The VM's status.
   */
  status?: VirtualMachineStatus;
}

/**
 * Puts a VM back to a snapshot, or makes a new VM from one.
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
   * JSON patches of the VM, applied before a target that does not exist is created: `{"op": "replace", "path": "/metadata/name", "value": "copy"}`.
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
   * The snapshot, in the same namespace.
   */
  virtualMachineSnapshotName: string;
  /**
   * Whether the restored claims go with the VM. Default: Vm.
   */
  volumeOwnershipPolicy?: 'Vm' | 'None';
  /**
   * Changes of single restored claims.
   */
  volumeRestoreOverrides?: VolumeRestoreOverride[];
  /**
   * Names of the restored claims: new random ones, the old ones (which are deleted first), or TARGET-VOLUME. Default: RandomizeNames.
   */
  volumeRestorePolicy?: 'RandomizeNames' | 'InPlace' | 'PrefixTargetName';
}

/**
 * Progress of the restore.
 */
export interface VirtualMachineRestoreStatus {
  /**
   * Whether everything is restored.
   */
  complete?: boolean;
  /**
   * Current conditions.
   */
  conditions?: Condition[];
  /**
   * DataVolumes that were deleted because restored claims replace them.
   */
  deletedDataVolumes?: string[];
  /**
   * Time at which the restore was complete.
   */
  restoreTime?: Time;
  /**
   * The restored volumes.
   */
  restores?: VolumeRestore[];
}

/**
 * Takes a snapshot of a VM: its spec and its volumes.
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
   * The VM and its claims as they were.
   */
  spec: VirtualMachineSnapshotContentSpec;
  /**
   * Progress of the volume snapshots.
   */
  status?: VirtualMachineSnapshotContentStatus;
}

/**
 * The VM and its claims as they were.
 */
export interface VirtualMachineSnapshotContentSpec {
  /**
   * The VM that was snapshotted.
   */
  source: SourceSpec;
  /**
   * The snapshot that this belongs to.
   */
  virtualMachineSnapshotName?: string;
  /**
   * The volumes that were snapshotted.
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
   * All volume snapshots are ready.
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
   * The snapshot fails when it takes longer; 0 waits for ever. Default: 5m.
   */
  failureDeadline?: Duration;
  /**
   * The VM: apiGroup kubevirt.io, kind VirtualMachine. Immutable.
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
   * Deprecated: use sourceIndications. The same circumstances without messages.
   */
  indications?: ('Online' | 'NoGuestAgent' | 'GuestAgent' | 'QuiesceTimeout' | 'Paused' | 'PartialSnapshot')[];
  /**
   * Phase of the snapshot.
   */
  phase?: 'InProgress' | 'Succeeded' | 'Failed' | 'Deleting' | 'Unknown';
  /**
   * The snapshot can be restored.
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
   * The VirtualMachineSnapshotContent that holds it.
   */
  virtualMachineSnapshotContentName?: string;
}

/**
 * One volume in a snapshot.
 */
export interface VolumeBackup {
  /**
   * The claim behind the volume.
   */
  persistentVolumeClaim: PersistentVolumeClaim;
  /**
   * The volume's name in the VM.
   */
  volumeName: string;
  /**
   * The VolumeSnapshot that holds its data.
   */
  volumeSnapshotName?: string;
}

/**
 * One restored volume.
 */
export interface VolumeRestore {
  /**
   * The DataVolume that came with it, if any.
   */
  dataVolumeName?: string;
  /**
   * The restored claim.
   */
  persistentVolumeClaim: string;
  /**
   * The volume's name in the VM.
   */
  volumeName: string;
  /**
   * The VolumeSnapshot that it came from.
   */
  volumeSnapshotName: string;
}

/**
 * Changes of one restored claim.
 */
export interface VolumeRestoreOverride {
  /**
   * Annotations that are added.
   */
  annotations?: {
    [k: string]: string;
  };
  /**
   * Labels that are added.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * Name of the claim. Default: what volumeRestorePolicy says.
   */
  restoreName?: string;
  /**
   * The volume's name in the VM.
   */
  volumeName?: string;
}

/**
 * State of one VolumeSnapshot.
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
