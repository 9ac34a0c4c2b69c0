// Generated from api/schema/snapshot.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from './core-v1';
import type { VirtualMachineSpec, VirtualMachineStatus } from './kubevirt-v1';
import type { Duration, Time } from './meta-v1';

export interface Condition {
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface Error {
  message?: string;
  time?: Time;
}

export interface PersistentVolumeClaim {
  metadata?: ObjectMeta;
  spec?: PersistentVolumeClaimSpec;
}

export interface SnapshotVolumesLists {
  excludedVolumes?: string[];
  includedVolumes?: string[];
}

export interface SourceIndication {
  indication: 'Online' | 'NoGuestAgent' | 'GuestAgent' | 'QuiesceTimeout' | 'Paused' | 'PartialSnapshot';
  message: string;
}

export interface SourceSpec {
  virtualMachine?: VirtualMachine;
}

export interface VirtualMachine {
  metadata?: ObjectMeta | null;
  spec?: VirtualMachineSpec;
  status?: VirtualMachineStatus;
}

export interface VirtualMachineRestore extends KubeObject {
  spec: VirtualMachineRestoreSpec;
  status?: VirtualMachineRestoreStatus;
}

export interface VirtualMachineRestoreSpec {
  patches?: string[];
  target: TypedLocalObjectReference;
  targetReadinessPolicy?: 'StopTarget' | 'WaitGracePeriod' | 'FailImmediate' | 'WaitEventually';
  virtualMachineSnapshotName: string;
  volumeOwnershipPolicy?: 'Vm' | 'None';
  volumeRestoreOverrides?: VolumeRestoreOverride[];
  volumeRestorePolicy?: 'RandomizeNames' | 'InPlace' | 'PrefixTargetName';
}

export interface VirtualMachineRestoreStatus {
  complete?: boolean;
  conditions?: Condition[];
  deletedDataVolumes?: string[];
  restoreTime?: Time;
  restores?: VolumeRestore[];
}

export interface VirtualMachineSnapshot extends KubeObject {
  spec: VirtualMachineSnapshotSpec;
  status?: VirtualMachineSnapshotStatus;
}

export interface VirtualMachineSnapshotContent extends KubeObject {
  spec: VirtualMachineSnapshotContentSpec;
  status?: VirtualMachineSnapshotContentStatus;
}

export interface VirtualMachineSnapshotContentSpec {
  source: SourceSpec;
  virtualMachineSnapshotName?: string;
  volumeBackups?: VolumeBackup[];
}

export interface VirtualMachineSnapshotContentStatus {
  creationTime?: Time | null;
  error?: Error;
  readyToUse?: boolean;
  volumeSnapshotStatus?: VolumeSnapshotStatus[];
}

export interface VirtualMachineSnapshotSpec {
  deletionPolicy?: 'Delete' | 'Retain';
  failureDeadline?: Duration;
  source: TypedLocalObjectReference;
}

export interface VirtualMachineSnapshotStatus {
  conditions?: Condition[];
  creationTime?: Time | null;
  error?: Error;
  indications?: ('Online' | 'NoGuestAgent' | 'GuestAgent' | 'QuiesceTimeout' | 'Paused' | 'PartialSnapshot')[];
  phase?: 'InProgress' | 'Succeeded' | 'Failed' | 'Deleting' | 'Unknown';
  readyToUse?: boolean;
  snapshotVolumes?: SnapshotVolumesLists;
  sourceIndications?: SourceIndication[];
  sourceUID?: string;
  virtualMachineSnapshotContentName?: string;
}

export interface VolumeBackup {
  persistentVolumeClaim: PersistentVolumeClaim;
  volumeName: string;
  volumeSnapshotName?: string;
}

export interface VolumeRestore {
  dataVolumeName?: string;
  persistentVolumeClaim: string;
  volumeName: string;
  volumeSnapshotName: string;
}

export interface VolumeRestoreOverride {
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
  restoreName?: string;
  volumeName?: string;
}

export interface VolumeSnapshotStatus {
  creationTime?: Time | null;
  error?: Error;
  readyToUse?: boolean;
  volumeSnapshotName: string;
}
