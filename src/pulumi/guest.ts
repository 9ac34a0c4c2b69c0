import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { Construct, IConstruct } from 'constructs';
import { component, type ComponentClass } from './component';
import type { Lifted } from './inputs';
import { unknownOutput } from './outputs';
import { knownAfter } from './recording';

/** Outputs of a guest, in addition to those of its construct. */
export interface GuestOutputs {
  /**
   * Address of the guest in the cluster, from the status of its instance; empty if it has none. Reading this property
   * makes Pulumi wait until the guest is ready, unless the run strategy does not start it. It is unknown in a preview,
   * which does not query the cluster.
   */
  readonly ip: pulumi.Output<string>;

  /** Returns the command that opens a shell in the guest: `virt8s ssh me@vm/web -n default`. */
  sshCommand(user: pulumi.Input<string>): pulumi.Output<string>;

  /** Makes Pulumi wait until the guest runs and its readiness probe, if it has one, succeeds. */
  waitUntilReady(): void;
}

interface Guest extends IConstruct {
  readonly name: string;
  readonly runStrategy?: { readonly value: string };
}

/** Creates the component class of a construct with a guest: a VM or an instance. */
export function guestComponent<T extends Guest, P extends readonly unknown[]>(
  core: new (scope: Construct, id: string, ...rest: P) => T,
  type: string,
): ComponentClass<T, P, GuestOutputs> {
  const Base = component(core, type) as unknown as ComponentClass<Guest, unknown[]>;
  class GuestComponent extends Base {
    #address?: pulumi.Output<string>;

    public get ip(): pulumi.Output<string> {
      return (this.#address ??= this.readAddress());
    }

    public sshCommand(user: pulumi.Input<string>): pulumi.Output<string> {
      const { name, kind } = this as unknown as Lifted<{ name: string; kind: string }>;
      const target = kind.apply((it) => (it === 'VirtualMachine' ? 'vm' : 'vmi'));
      return pulumi.interpolate`virt8s ssh ${user}@${target}/${name} -n ${this.namespace}`;
    }

    public waitUntilReady(): void {
      this._call(['metadata', 'addAnnotation'], 'pulumi.com/waitFor', 'condition=Ready');
    }

    private readAddress(): pulumi.Output<string> {
      const { closed, sample, name } = this._recording;
      const strategy = (sample as Guest).runStrategy?.value;
      if (!closed && strategy !== 'Halted' && strategy !== 'Manual') this.waitUntilReady();
      // the instance has the VM's name
      const id = pulumi.runtime.isDryRun() ? unknownOutput() : pulumi.output(this._main.then((main) => main?.id));
      const instance = new k8s.apiextensions.CustomResource(
        `${name}/instance`,
        { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', status: undefined },
        { parent: this, id: id as pulumi.Output<string> },
      );
      knownAfter(this._recording, instance);
      const { status } = instance as unknown as { status: pulumi.Output<InstanceStatus | undefined> };
      return status.apply((it) => it?.interfaces?.find(({ ipAddress }) => ipAddress)?.ipAddress ?? '');
    }
  }
  return GuestComponent as unknown as ComponentClass<T, P, GuestOutputs>;
}

interface InstanceStatus {
  readonly interfaces?: readonly { readonly ipAddress?: string }[];
}
