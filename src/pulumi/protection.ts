import * as core from '../constructs';
import { component } from './component';

/** A point-in-time copy of a VM and its disks. */
export class VirtualMachineSnapshot extends component(
  core.VirtualMachineSnapshot,
  'virt8s:protection:VirtualMachineSnapshot',
) {}

/** Brings a VM back to a snapshot. */
export class VirtualMachineRestore extends component(
  core.VirtualMachineRestore,
  'virt8s:protection:VirtualMachineRestore',
) {}

/** A copy of a VM. */
export class VirtualMachineClone extends component(core.VirtualMachineClone, 'virt8s:protection:VirtualMachineClone') {}

/** Lets disks of a VM be downloaded. */
export class VirtualMachineExport extends component(
  core.VirtualMachineExport,
  'virt8s:protection:VirtualMachineExport',
) {}

/** A backup of the disks of a VM. */
export class VirtualMachineBackup extends component(
  core.VirtualMachineBackup,
  'virt8s:protection:VirtualMachineBackup',
) {}

/** What incremental backups of a VM start from. */
export class VirtualMachineBackupTracker extends component(
  core.VirtualMachineBackupTracker,
  'virt8s:protection:VirtualMachineBackupTracker',
) {}

/** Moves a guest to another node. */
export class VirtualMachineInstanceMigration extends component(
  core.VirtualMachineInstanceMigration,
  'virt8s:protection:VirtualMachineInstanceMigration',
) {}

/** How the guests that it matches migrate. */
export class MigrationPolicy extends component(core.MigrationPolicy, 'virt8s:protection:MigrationPolicy') {}

/** How many guests may be away at once. */
export class GuestDisruptionBudget extends component(
  core.GuestDisruptionBudget,
  'virt8s:protection:GuestDisruptionBudget',
) {}

/** Snapshots by the clock, and how many are kept. */
export class SnapshotSchedule extends component(core.SnapshotSchedule, 'virt8s:protection:SnapshotSchedule') {}
