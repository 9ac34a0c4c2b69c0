// Generated from api/schema/backup.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineBackup, VirtualMachineBackupTracker } from '../../api/generated/backup-v1alpha1';
import type { ObjectProps } from './props';

/** Backs a running VM up. */
export class VirtualMachineBackupObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineBackup>) {
    super(scope, id, { ...props, apiVersion: 'backup.kubevirt.io/v1alpha1', kind: 'VirtualMachineBackup' });
  }
}

/** Remembers the last checkpoint of a VM, so that the next backup can be incremental. */
export class VirtualMachineBackupTrackerObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineBackupTracker>) {
    super(scope, id, { ...props, apiVersion: 'backup.kubevirt.io/v1alpha1', kind: 'VirtualMachineBackupTracker' });
  }
}
