import * as core from '../constructs';
import { component } from './component';

/** Point-in-time copy of a VM and its disks. */
export class VirtualMachineSnapshot extends component(
  core.VirtualMachineSnapshot,
  'virt8s:protection:VirtualMachineSnapshot',
) {}

/** Restores a VM from a snapshot. */
export class VirtualMachineRestore extends component(
  core.VirtualMachineRestore,
  'virt8s:protection:VirtualMachineRestore',
) {}

/** Clones a VM. */
export class VirtualMachineClone extends component(core.VirtualMachineClone, 'virt8s:protection:VirtualMachineClone') {}

/** Offers disks of a VM for download. */
export class VirtualMachineExport extends component(
  core.VirtualMachineExport,
  'virt8s:protection:VirtualMachineExport',
) {}

/** Backs up the disks of a VM. */
export class VirtualMachineBackup extends component(
  core.VirtualMachineBackup,
  'virt8s:protection:VirtualMachineBackup',
) {}

/** Tracks the last backup of a VM, for incremental backups. */
export class VirtualMachineBackupTracker extends component(
  core.VirtualMachineBackupTracker,
  'virt8s:protection:VirtualMachineBackupTracker',
) {}

/** Migrates a guest to another node. */
export class VirtualMachineInstanceMigration extends component(
  core.VirtualMachineInstanceMigration,
  'virt8s:protection:VirtualMachineInstanceMigration',
) {}

/** Live migration settings for selected guests. */
export class MigrationPolicy extends component(core.MigrationPolicy, 'virt8s:protection:MigrationPolicy') {}

/** Number of guests that must stay ready during a drain. */
export class GuestDisruptionBudget extends component(
  core.GuestDisruptionBudget,
  'virt8s:protection:GuestDisruptionBudget',
) {}

/** Takes snapshots on a schedule and deletes old ones. */
export class SnapshotSchedule extends component(core.SnapshotSchedule, 'virt8s:protection:SnapshotSchedule') {}
