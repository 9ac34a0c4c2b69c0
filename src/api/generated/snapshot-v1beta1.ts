// Generated from api/schema/snapshot.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from './core-v1';
import type { VirtualMachineSpec, VirtualMachineStatus } from './kubevirt-v1';
import type { Duration, Time } from './meta-v1';

/**
 * One thing that is true or false about the operation.
 */
export interface Condition {
  /**
   * When it was last looked at.
   */
  lastProbeTime?: Time | null;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time | null;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  type: string;
}

/**
 * Why it failed last.
 */
export interface Error {
  /**
   * The reason, for people.
   */
  message?: string;
  /**
   * When it happened.
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
 * Which volumes the snapshot holds.
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
   * The same, for people.
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
   * What is restored, and how.
   */
  spec: VirtualMachineRestoreSpec;
  /**
   * How far the restore is.
   */
  status?: VirtualMachineRestoreStatus;
}

/**
 * What is restored, and how.
 */
export interface VirtualMachineRestoreSpec {
  /**
   * JSON patches of the VM, applied before a target that does not exist is created: `{"op": "replace", "path": "/metadata/name", "value": "copy"}`.
   */
  patches?: string[];
  /**
   * The VM that is restored: apiGroup kubevirt.io, kind VirtualMachine. It is created when there is none. Immutable.
   */
  target: TypedLocalObjectReference;
  /**
   * When the target runs: stop it, wait 5 minutes for it to stop, fail at once, or wait for ever.
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
 * How far the restore is.
 */
export interface VirtualMachineRestoreStatus {
  /**
   * Everything is restored.
   */
  complete?: boolean;
  /**
   * What is true or false at the moment.
   */
  conditions?: Condition[];
  /**
   * DataVolumes that were deleted because restored claims replace them.
   */
  deletedDataVolumes?: string[];
  /**
   * When the restore was complete.
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
   * What is snapshotted, and for how long it may take.
   */
  spec: VirtualMachineSnapshotSpec;
  /**
   * How far the snapshot is.
   */
  status?: VirtualMachineSnapshotStatus;
}

/**
 * What a snapshot holds. Written by the controller.
 */
export interface VirtualMachineSnapshotContent extends KubeObject {
  /**
   * The VM and its claims as they were.
   */
  spec: VirtualMachineSnapshotContentSpec;
  /**
   * How far the volume snapshots are.
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
 * How far the volume snapshots are.
 */
export interface VirtualMachineSnapshotContentStatus {
  /**
   * When all volume snapshots had been cut.
   */
  creationTime?: Time | null;
  /**
   * Why it failed last.
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
 * What is snapshotted, and for how long it may take.
 */
export interface VirtualMachineSnapshotSpec {
  /**
   * Whether the content goes with the snapshot. Default: Delete.
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
 * How far the snapshot is.
 */
export interface VirtualMachineSnapshotStatus {
  /**
   * What is true or false at the moment.
   */
  conditions?: Condition[];
  /**
   * When the snapshot was cut.
   */
  creationTime?: Time | null;
  /**
   * Why it failed last.
   */
  error?: Error;
  /**
   * Deprecated: use sourceIndications. The same circumstances without messages.
   */
  indications?: ('Online' | 'NoGuestAgent' | 'GuestAgent' | 'QuiesceTimeout' | 'Paused' | 'PartialSnapshot')[];
  /**
   * How far the snapshot is, in one word.
   */
  phase?: 'InProgress' | 'Succeeded' | 'Failed' | 'Deleting' | 'Unknown';
  /**
   * The snapshot can be restored.
   */
  readyToUse?: boolean;
  /**
   * Which volumes it holds.
   */
  snapshotVolumes?: SnapshotVolumesLists;
  /**
   * How consistent it is.
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
   * When it was cut.
   */
  creationTime?: Time | null;
  /**
   * Why it failed last.
   */
  error?: Error;
  /**
   * It can be restored.
   */
  readyToUse?: boolean;
  /**
   * Name of the VolumeSnapshot.
   */
  volumeSnapshotName: string;
}
