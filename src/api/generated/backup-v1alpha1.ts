// Generated from api/schema/backup.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { Condition, KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Duration, Time } from './meta-v1';

/**
 * A point in time since which changes are known.
 */
export interface BackupCheckpoint {
  /**
   * When it was made.
   */
  creationTime?: Time;
  /**
   * Its name in libvirt.
   */
  name?: string;
  /**
   * The volumes that it covers.
   */
  volumes?: BackupVolumeInfo[];
}

/**
 * What the backup subresource of an instance takes. For the controller.
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
   * When the backup began.
   */
  backupStartTime?: Time;
  /**
   * Whom the client trusts, as PEM.
   */
  caCert?: string;
  /**
   * What is asked for.
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
   * Checkpoint since which changes are wanted. Default: a full backup.
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
   * What is backed up, and where to. Immutable.
   */
  spec: VirtualMachineBackupSpec;
  /**
   * How far the backup is.
   */
  status?: VirtualMachineBackupStatus;
}

/**
 * What is backed up, and where to. Immutable.
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
   * How long a pull lives, from its creation. Default: 2h.
   */
  ttlDuration?: Duration;
}

/**
 * How far the backup is.
 */
export interface VirtualMachineBackupStatus {
  /**
   * Checkpoint that this backup made.
   */
  checkpointName?: string;
  /**
   * What is true or false at the moment.
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
   * What it became.
   */
  type?: 'Full' | 'Incremental';
}

/**
 * Remembers the last checkpoint of a VM, so that the next backup can be incremental.
 */
export interface VirtualMachineBackupTracker extends KubeObject {
  /**
   * Whose checkpoints. Immutable.
   */
  spec: VirtualMachineBackupTrackerSpec;
  /**
   * What it remembers.
   */
  status?: VirtualMachineBackupTrackerStatus;
}

/**
 * Whose checkpoints. Immutable.
 */
export interface VirtualMachineBackupTrackerSpec {
  /**
   * The VM: apiGroup kubevirt.io, kind VirtualMachine.
   */
  source: TypedLocalObjectReference;
}

/**
 * What it remembers.
 */
export interface VirtualMachineBackupTrackerStatus {
  /**
   * The VM was restarted, and libvirt must be told the checkpoint again.
   */
  checkpointRedefinitionRequired?: boolean;
  /**
   * Checkpoint of the last backup.
   */
  latestCheckpoint?: BackupCheckpoint;
}
