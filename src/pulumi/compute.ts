import * as core from '../constructs';
import { component } from './component';
import { guestComponent } from './guest';

/** Virtual machine (`kubevirt.io/v1` VirtualMachine). */
export class VirtualMachine extends guestComponent(core.VirtualMachine, 'virt8s:compute:VirtualMachine') {}

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
export class Instancetype extends component(core.Instancetype, 'virt8s:compute:Instancetype') {}

/** Instance type for all namespaces (`instancetype.kubevirt.io` VirtualMachineClusterInstancetype). */
export class ClusterInstancetype extends component(core.ClusterInstancetype, 'virt8s:compute:ClusterInstancetype') {}

/**
 * Preferred devices and settings of guests, in this namespace (`instancetype.kubevirt.io` VirtualMachinePreference).
 */
export class Preference extends component(core.Preference, 'virt8s:compute:Preference') {}

/**
 * Preferred devices and settings of guests, for all namespaces (`instancetype.kubevirt.io`
 * VirtualMachineClusterPreference).
 */
export class ClusterPreference extends component(core.ClusterPreference, 'virt8s:compute:ClusterPreference') {}

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
