/**
 * References for which the kind matters: a construct, an imported object, or `{ name: 'existing' }`. In TypeScript, an
 * object of another kind does not compile because its `kind` differs; `storage/reference.ts` repeats the check at run
 * time for callers without a type checker.
 */
import type { INamedObject } from './resource';

/** A VirtualMachine. */
export interface IVirtualMachine extends INamedObject {
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: 'VirtualMachine';
}

/** A VirtualMachineInstance, or the VirtualMachine that runs it, which has the same name. */
export interface IVirtualMachineInstance extends INamedObject {
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: 'VirtualMachineInstance' | 'VirtualMachine';
}

/** An instance type. Without a kind, the name refers to a VirtualMachineClusterInstancetype. */
export interface IInstancetype extends INamedObject {
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: 'VirtualMachineInstancetype' | 'VirtualMachineClusterInstancetype';
}

/** A preference. Without a kind, the name refers to a VirtualMachineClusterPreference. */
export interface IPreference extends INamedObject {
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: 'VirtualMachinePreference' | 'VirtualMachineClusterPreference';
}

/** A DataVolume. */
export interface IDataVolume extends INamedObject {
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: 'DataVolume';
}

/** A DataSource. */
export interface IDataSource extends INamedObject {
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: 'DataSource';
}

/** A VirtualMachineSnapshot. */
export interface IVirtualMachineSnapshot extends INamedObject {
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: 'VirtualMachineSnapshot';
}

/** A VirtualMachineBackup. */
export interface IVirtualMachineBackup extends INamedObject {
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: 'VirtualMachineBackup';
}

/** A VirtualMachineBackupTracker. */
export interface IVirtualMachineBackupTracker extends INamedObject {
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: 'VirtualMachineBackupTracker';
}
