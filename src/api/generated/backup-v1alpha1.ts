// Generated from api/schema/backup.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { Condition, KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Duration, Time } from './meta-v1';

/**
 * A point in time since which changes are known.
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
   * The volumes that it covers.
   */
  volumes?: BackupVolumeInfo[];
}

/**
 * Request body of the backup subresource of an instance. Sent by the controller.
 */
export interface BackupOptions {
  /**
   * Client certificate for a pull, as PEM.
   */
  backupCert?: string;
  /**
   * Key of that certificate.
   */
  backupKey?: string;
  /**
   * Name of the VirtualMachineBackup.
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
   * Push writes to a claim, Pull serves over NBD.
   */
  mode?: 'Push' | 'Pull';
  /**
   * Do not freeze the guest's file systems. Default: false.
   */
  skipQuiesce?: boolean;
  /**
   * Folder for the result, for a push.
   */
  targetPath?: string;
}

/**
 * A volume in a backup.
 */
export interface BackupVolumeInfo {
  /**
   * URL that reads it, for a pull.
   */
  dataEndpoint?: string;
  /**
   * URL that lists its blocks, for a pull.
   */
  mapEndpoint?: string;
  /**
   * The volume's name in the instance.
   */
  volumeName: string;
}

/**
 * Backs a running VM up.
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
   * A full backup, even when the tracker knows a checkpoint. Default: false.
   */
  forceFullBackup?: boolean;
  /**
   * Push writes to a claim, Pull serves for download. Default: Push.
   */
  mode?: 'Push' | 'Pull';
  /**
   * Claim for the result. Needed by Push.
   */
  pvcName?: string;
  /**
   * Do not freeze the guest's file systems. Default: false.
   */
  skipQuiesce?: boolean;
  /**
   * kubevirt.io VirtualMachine (full backup) or backup.kubevirt.io VirtualMachineBackupTracker (incremental when it knows a checkpoint).
   */
  source: TypedLocalObjectReference;
  /**
   * Secret whose key token downloads must present. Needed by Pull.
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
   * Checkpoint that this backup made.
   */
  checkpointName?: string;
  /**
   * Current conditions.
   */
  conditions?: Condition[];
  /**
   * Certificate of the download's server, for a pull.
   */
  endpointCert?: string;
  /**
   * UID of the export that serves a pull.
   */
  exportUID?: string;
  /**
   * The volumes that were backed up.
   */
  includedVolumes?: BackupVolumeInfo[];
  /**
   * Type of the finished backup.
   */
  type?: 'Full' | 'Incremental';
}

/**
 * Remembers the last checkpoint of a VM, so that the next backup can be incremental.
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
   * The VM: apiGroup kubevirt.io, kind VirtualMachine.
   */
  source: TypedLocalObjectReference;
}

/**
 * Last checkpoint of the VM.
 */
export interface VirtualMachineBackupTrackerStatus {
  /**
   * Whether libvirt must be given the checkpoint again because the VM was restarted.
   */
  checkpointRedefinitionRequired?: boolean;
  /**
   * Checkpoint of the last backup.
   */
  latestCheckpoint?: BackupCheckpoint;
}
