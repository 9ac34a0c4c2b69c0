import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import * as core from '../constructs';
import { component } from './component';
import { unknownOutput } from './outputs';

/** A virtual machine: what it is made of, and when it runs (`kubevirt.io/v1` VirtualMachine). */
export class VirtualMachine extends component(core.VirtualMachine, 'virt8s:compute:VirtualMachine') {
  private address?: pulumi.Output<string>;

  /**
   * Address of the guest in the cluster, from the status of its instance; empty while it has none. Whoever asks for it
   * makes Pulumi wait until the VM is ready, if its strategy runs it. No preview asks the cluster: there it is unknown.
   */
  public get ip(): pulumi.Output<string> {
    return (this.address ??= this.readAddress());
  }

  /** The command that opens a shell in the guest: `virt8s ssh user@vm/web -n default`. */
  public sshCommand(user: pulumi.Input<string>): pulumi.Output<string> {
    return pulumi.interpolate`virt8s ssh ${user}@vm/${this.name} -n ${this.namespace}`;
  }

  /** Makes Pulumi wait until the guest runs and its readiness probe, if it has one, succeeds. */
  public waitUntilReady(): void {
    this._call(['metadata', 'addAnnotation'], 'pulumi.com/waitFor', 'condition=Ready');
  }

  private readAddress(): pulumi.Output<string> {
    const { closed, sample } = this._recording;
    const { value } = (sample as core.VirtualMachine).runStrategy;
    if (!closed && value !== 'Halted' && value !== 'Manual') this.waitUntilReady();
    const id = pulumi.runtime.isDryRun() ? unknownOutput() : pulumi.output(this._main.then((main) => main?.id));
    const type = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', status: undefined };
    // the instance bears the VM's name
    const opts = { parent: this, id: id as pulumi.Output<string> };
    const instance = new k8s.apiextensions.CustomResource(`${this._recording.name}/instance`, type, opts);
    const { status } = instance as unknown as { status: pulumi.Output<InstanceStatus | undefined> };
    return status.apply((it) => it?.interfaces?.find(({ ipAddress }) => ipAddress)?.ipAddress ?? '');
  }
}

interface InstanceStatus {
  readonly interfaces?: readonly { readonly ipAddress?: string }[];
}

/** One running guest, without a VM that keeps it (`kubevirt.io/v1` VirtualMachineInstance). */
export class VirtualMachineInstance extends component(
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

/** Size of VMs of this namespace (`instancetype.kubevirt.io` VirtualMachineInstancetype). */
export class Instancetype extends component(core.Instancetype, 'virt8s:compute:Instancetype') {}

/** Size of VMs of any namespace (`instancetype.kubevirt.io` VirtualMachineClusterInstancetype). */
export class ClusterInstancetype extends component(core.ClusterInstancetype, 'virt8s:compute:ClusterInstancetype') {}

/** What guests of a kind prefer, in this namespace (`instancetype.kubevirt.io` VirtualMachinePreference). */
export class Preference extends component(core.Preference, 'virt8s:compute:Preference') {}

/** What guests of a kind prefer, in any namespace (`instancetype.kubevirt.io` VirtualMachineClusterPreference). */
export class ClusterPreference extends component(core.ClusterPreference, 'virt8s:compute:ClusterPreference') {}
