// Generated from api/schema/backup.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineBackup, VirtualMachineBackupTracker } from '../../api/generated/backup-v1alpha1';
import type { ObjectProps } from './props';

/** Backup of a running VM. */
export class VirtualMachineBackupObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineBackup>) {
    super(scope, id, { ...props, apiVersion: 'backup.kubevirt.io/v1alpha1', kind: 'VirtualMachineBackup' });
  }
}

/** Tracker of a VM's last checkpoint, for incremental backups. */
export class VirtualMachineBackupTrackerObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineBackupTracker>) {
    super(scope, id, { ...props, apiVersion: 'backup.kubevirt.io/v1alpha1', kind: 'VirtualMachineBackupTracker' });
  }
}
