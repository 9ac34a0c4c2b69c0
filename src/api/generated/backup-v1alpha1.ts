// Generated from api/schema/backup.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { Condition, KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Duration, Time } from './meta-v1';

/**
 * Point in time since which changed blocks are known.
 */
export interface BackupCheckpoint {
  /**
   * Time at which the checkpoint was created.
   */
  creationTime?: Time;
  /**
   * Name of the checkpoint in libvirt.
   */
  name?: string;
  /**
   * Volumes that the checkpoint covers.
   */
  volumes?: BackupVolumeInfo[];
}

/**
 * Request body of the instance's backup subresource. Sent by the controller.
 */
export interface BackupOptions {
  /**
   * Client certificate for a pull, as PEM.
   */
  backupCert?: string;
  /**
   * Private key of the client certificate.
   */
  backupKey?: string;
  /**
   * Name of the VirtualMachineBackup object.
   */
  backupName?: string;
  /**
   * Start time of the backup.
   */
  backupStartTime?: Time;
  /**
   * Certificate authority that the client trusts, as PEM.
   */
  caCert?: string;
  /**
   * Requested action.
   */
  cmd?: 'Start' | 'Abort' | 'Export';
  /**
   * Address of the export server, for a pull.
   */
  exportServerAddr?: string;
  /**
   * Name in the export server's certificate.
   */
  exportServerName?: string;
  /**
   * Checkpoint to back up changes since. Default: a full backup.
   */
  incremental?: string;
  /**
   * Transfer mode. Push: write to a claim. Pull: serve over NBD.
   */
  mode?: 'Push' | 'Pull';
  /**
   * Whether to skip freezing the guest's file systems. Default: false.
   */
  skipQuiesce?: boolean;
  /**
   * Folder for the result, for a push.
   */
  targetPath?: string;
}

/**
 * Volume in a backup.
 */
export interface BackupVolumeInfo {
  /**
   * URL for reading the volume, for a pull.
   */
  dataEndpoint?: string;
  /**
   * URL for listing the volume's blocks, for a pull.
   */
  mapEndpoint?: string;
  /**
   * Name of the volume in the instance.
   */
  volumeName: string;
}

/**
 * Backup of a running VM.
 */
export interface VirtualMachineBackup extends KubeObject {
  /**
   * Source and destination of the backup. Immutable.
   */
  spec: VirtualMachineBackupSpec;
  /**
   * Progress of the backup.
   */
  status?: VirtualMachineBackupStatus;
}

/**
 * Source and destination of the backup. Immutable.
 */
export interface VirtualMachineBackupSpec {
  /**
   * Whether to make a full backup even if the tracker has a checkpoint. Default: false.
   */
  forceFullBackup?: boolean;
  /**
   * Transfer mode. Push: write to a claim. Pull: serve for download. Default: Push.
   */
  mode?: 'Push' | 'Pull';
  /**
   * Claim for the result. Required by Push.
   */
  pvcName?: string;
  /**
   * Whether to skip freezing the guest's file systems. Default: false.
   */
  skipQuiesce?: boolean;
  /**
   * Object to back up: kubevirt.io VirtualMachine (full backup) or backup.kubevirt.io VirtualMachineBackupTracker (incremental if the tracker has a checkpoint).
   */
  source: TypedLocalObjectReference;
  /**
   * Secret whose key token must be sent with downloads. Required by Pull.
   */
  tokenSecretRef?: string;
  /**
   * Lifetime of a pull backup, from its creation. Default: 2h.
   */
  ttlDuration?: Duration;
}

/**
 * Progress of the backup.
 */
export interface VirtualMachineBackupStatus {
  /**
   * Checkpoint that this backup created.
   */
  checkpointName?: string;
  /**
   * Current conditions.
   */
  conditions?: Condition[];
  /**
   * Certificate of the download server, for a pull.
   */
  endpointCert?: string;
  /**
   * UID of the export that serves a pull.
   */
  exportUID?: string;
  /**
   * Volumes that were backed up.
   */
  includedVolumes?: BackupVolumeInfo[];
  /**
   * Type of the finished backup.
   */
  type?: 'Full' | 'Incremental';
}

/**
 * Tracker of a VM's last checkpoint, for incremental backups.
 */
export interface VirtualMachineBackupTracker extends KubeObject {
  /**
   * VM whose checkpoints are tracked. Immutable.
   */
  spec: VirtualMachineBackupTrackerSpec;
  /**
   * Last checkpoint of the VM.
   */
  status?: VirtualMachineBackupTrackerStatus;
}

/**
 * VM whose checkpoints are tracked. Immutable.
 */
export interface VirtualMachineBackupTrackerSpec {
  /**
   * VM to track: apiGroup kubevirt.io, kind VirtualMachine.
   */
  source: TypedLocalObjectReference;
}

/**
 * Last checkpoint of the VM.
 */
export interface VirtualMachineBackupTrackerStatus {
  /**
   * Whether the checkpoint must be defined again in libvirt because the VM was restarted.
   */
  checkpointRedefinitionRequired?: boolean;
  /**
   * Checkpoint of the last backup.
   */
  latestCheckpoint?: BackupCheckpoint;
}
