import * as core from '../constructs';
import { component } from './component';
import { guestComponent } from './guest';

/** A virtual machine: what it is made of, and when it runs (`kubevirt.io/v1` VirtualMachine). */
export class VirtualMachine extends guestComponent(core.VirtualMachine, 'virt8s:compute:VirtualMachine') {}

/** A VM as Linux servers want it. */
export class LinuxServer extends guestComponent(core.LinuxServer, 'virt8s:compute:LinuxServer') {}

/** A VM as Windows 11 wants it. */
export class Windows11 extends guestComponent(core.Windows11, 'virt8s:compute:Windows11') {}

/** A VM with what Windows Server expects. */
export class WindowsServer extends guestComponent(core.WindowsServer, 'virt8s:compute:WindowsServer') {}

/** A VM that boots a kernel of its own. */
export class Appliance extends guestComponent(core.Appliance, 'virt8s:compute:Appliance') {}

/** One running guest, without a VM that keeps it (`kubevirt.io/v1` VirtualMachineInstance). */
export class VirtualMachineInstance extends guestComponent(
  core.VirtualMachineInstance,
  'virt8s:compute:VirtualMachineInstance',
) {}

/** So many equal instances (`kubevirt.io/v1` VirtualMachineInstanceReplicaSet). */
export class VirtualMachineReplicaSet extends component(
  core.VirtualMachineReplicaSet,
  'virt8s:compute:VirtualMachineReplicaSet',
) {}

/** So many equal VMs (`pool.kubevirt.io` VirtualMachinePool). */
export class VirtualMachinePool extends component(core.VirtualMachinePool, 'virt8s:compute:VirtualMachinePool') {}

/** Changes the number of guests of a pool or replica set with their load (`autoscaling/v2` HorizontalPodAutoscaler). */
export class GuestAutoscaler extends component(core.GuestAutoscaler, 'virt8s:compute:GuestAutoscaler') {}

/** Size of VMs of this namespace (`instancetype.kubevirt.io` VirtualMachineInstancetype). */
export class Instancetype extends component(core.Instancetype, 'virt8s:compute:Instancetype') {}

/** Size of VMs of any namespace (`instancetype.kubevirt.io` VirtualMachineClusterInstancetype). */
export class ClusterInstancetype extends component(core.ClusterInstancetype, 'virt8s:compute:ClusterInstancetype') {}

/** What guests of a kind prefer, in this namespace (`instancetype.kubevirt.io` VirtualMachinePreference). */
export class Preference extends component(core.Preference, 'virt8s:compute:Preference') {}

/** What guests of a kind prefer, in any namespace (`instancetype.kubevirt.io` VirtualMachineClusterPreference). */
export class ClusterPreference extends component(core.ClusterPreference, 'virt8s:compute:ClusterPreference') {}

/** Fields that instances get when they match (`kubevirt.io/v1` VirtualMachineInstancePreset). */
export class VirtualMachineInstancePreset extends component(
  core.VirtualMachineInstancePreset,
  'virt8s:compute:VirtualMachineInstancePreset',
) {}

/** A VM that something else declares, by its name: Services and snapshots can be made of it. */
export class ImportedVirtualMachine extends component(
  core.ImportedVirtualMachine,
  'virt8s:compute:ImportedVirtualMachine',
  2,
) {}
