// Generated from api/schema/backup.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { Condition, KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Duration, Time } from './meta-v1';

export interface BackupCheckpoint {
  creationTime?: Time;
  name?: string;
  volumes?: BackupVolumeInfo[];
}

export interface BackupOptions {
  backupCert?: string;
  backupKey?: string;
  backupName?: string;
  backupStartTime?: Time;
  caCert?: string;
  cmd?: 'Start' | 'Abort' | 'Export';
  exportServerAddr?: string;
  exportServerName?: string;
  incremental?: string;
  mode?: 'Push' | 'Pull';
  skipQuiesce?: boolean;
  targetPath?: string;
}

export interface BackupVolumeInfo {
  dataEndpoint?: string;
  mapEndpoint?: string;
  volumeName: string;
}

export interface VirtualMachineBackup extends KubeObject {
  spec: VirtualMachineBackupSpec;
  status?: VirtualMachineBackupStatus;
}

export interface VirtualMachineBackupSpec {
  forceFullBackup?: boolean;
  mode?: 'Push' | 'Pull';
  pvcName?: string;
  skipQuiesce?: boolean;
  source: TypedLocalObjectReference;
  tokenSecretRef?: string;
  ttlDuration?: Duration;
}

export interface VirtualMachineBackupStatus {
  checkpointName?: string;
  conditions?: Condition[];
  endpointCert?: string;
  exportUID?: string;
  includedVolumes?: BackupVolumeInfo[];
  type?: 'Full' | 'Incremental';
}

export interface VirtualMachineBackupTracker extends KubeObject {
  spec: VirtualMachineBackupTrackerSpec;
  status?: VirtualMachineBackupTrackerStatus;
}

export interface VirtualMachineBackupTrackerSpec {
  source: TypedLocalObjectReference;
}

export interface VirtualMachineBackupTrackerStatus {
  checkpointRedefinitionRequired?: boolean;
  latestCheckpoint?: BackupCheckpoint;
}
