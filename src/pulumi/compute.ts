import type * as pulumi from '@pulumi/pulumi';
import * as core from '../constructs';
import { component } from './component';
import { guestComponent } from './guest';
import type { Fields } from './inputs';
import { lifted, type LiftedClass } from './lifted';
import type { ComponentOptions } from './registration';

/** Virtual machine (`kubevirt.io/v1` VirtualMachine). */
export class VirtualMachine extends guestComponent(core.VirtualMachine, 'virt8s:compute:VirtualMachine') {
  /**
   * Refers to a VM that exists or is declared elsewhere. It can be exposed, snapshotted, cloned, exported and migrated
   * like a declared one.
   *
   * @param name - logical name of the component
   * @param vmName - name of the VM
   * @param options - namespace and host name, if they differ from the defaults
   * @param opts - options of the component
   */
  public static fromName(
    name: string,
    vmName: pulumi.Input<string>,
    options: Fields<core.ImportedVirtualMachineOptions> = {},
    opts?: ComponentOptions,
  ): ImportedVirtualMachine {
    return new ImportedVirtualMachine(name, vmName, options, opts);
  }
}

/** Virtual machine with defaults for Linux servers. */
export class LinuxServer extends guestComponent(core.LinuxServer, 'virt8s:compute:LinuxServer') {}

/** Virtual machine with defaults for Windows 11. */
export class Windows11 extends guestComponent(core.Windows11, 'virt8s:compute:Windows11') {}

/** Virtual machine with defaults for Windows Server. */
export class WindowsServer extends guestComponent(core.WindowsServer, 'virt8s:compute:WindowsServer') {}

/** Virtual machine that boots a kernel from outside its disks. */
export class Appliance extends guestComponent(core.Appliance, 'virt8s:compute:Appliance') {}

/** Single running guest that is not managed by a VM (`kubevirt.io/v1` VirtualMachineInstance). */
export class VirtualMachineInstance extends guestComponent(
  core.VirtualMachineInstance,
  'virt8s:compute:VirtualMachineInstance',
) {}

/** Number of identical instances (`kubevirt.io/v1` VirtualMachineInstanceReplicaSet). */
export class VirtualMachineReplicaSet extends component(
  core.VirtualMachineReplicaSet,
  'virt8s:compute:VirtualMachineReplicaSet',
) {}

/** Number of identical VMs (`pool.kubevirt.io` VirtualMachinePool). */
export class VirtualMachinePool extends component(core.VirtualMachinePool, 'virt8s:compute:VirtualMachinePool') {}

/** Autoscaler of a pool or replica set (`autoscaling/v2` HorizontalPodAutoscaler). */
export class GuestAutoscaler extends component(core.GuestAutoscaler, 'virt8s:compute:GuestAutoscaler') {}

/** Instance type: size of VMs in this namespace (`instancetype.kubevirt.io` VirtualMachineInstancetype). */
export class Instancetype extends component(core.Instancetype, 'virt8s:compute:Instancetype') {
  /** Refers to an instance type of the namespace that exists or is declared elsewhere. */
  public static readonly fromName: LiftedClass<typeof core.Instancetype>['fromName'] = lifted(core.Instancetype)
    .fromName;
}

/** Instance type for all namespaces (`instancetype.kubevirt.io` VirtualMachineClusterInstancetype). */
export class ClusterInstancetype extends component(core.ClusterInstancetype, 'virt8s:compute:ClusterInstancetype') {
  /** Refers to an instance type of the cluster that exists or is declared elsewhere. */
  public static readonly fromName: LiftedClass<typeof core.ClusterInstancetype>['fromName'] = lifted(
    core.ClusterInstancetype,
  ).fromName;
}

/**
 * Preferred devices and settings of guests, in this namespace (`instancetype.kubevirt.io` VirtualMachinePreference).
 */
export class Preference extends component(core.Preference, 'virt8s:compute:Preference') {
  /** Refers to a preference of the namespace that exists or is declared elsewhere. */
  public static readonly fromName: LiftedClass<typeof core.Preference>['fromName'] = lifted(core.Preference).fromName;
}

/**
 * Preferred devices and settings of guests, for all namespaces (`instancetype.kubevirt.io`
 * VirtualMachineClusterPreference).
 */
export class ClusterPreference extends component(core.ClusterPreference, 'virt8s:compute:ClusterPreference') {
  /** Refers to a preference of the cluster that exists or is declared elsewhere. */
  public static readonly fromName: LiftedClass<typeof core.ClusterPreference>['fromName'] = lifted(
    core.ClusterPreference,
  ).fromName;
}

/** Fields that matching instances receive (`kubevirt.io/v1` VirtualMachineInstancePreset). */
export class VirtualMachineInstancePreset extends component(
  core.VirtualMachineInstancePreset,
  'virt8s:compute:VirtualMachineInstancePreset',
) {}

/** Existing VM that is declared elsewhere, by name. Services and snapshots can refer to it. */
export class ImportedVirtualMachine extends component(
  core.ImportedVirtualMachine,
  'virt8s:compute:ImportedVirtualMachine',
  2,
) {}
