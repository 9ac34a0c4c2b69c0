import { keys } from '../../api/keys';
import { ApiObject, Lazy, Names } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import type { VirtualMachineInstanceReplicaSetSpec } from '../../api/generated/kubevirt-v1';
import { VirtualMachineInstanceReplicaSetObject } from '../generated/kubevirt-v1';
import { defined } from '../defined';
import { Guest } from './guest';
import { GuestAutoscaler, GuestAutoscalingOptions, IScalableGuests } from './guest-autoscaler';
import { GuestProps } from './guest-props';

/** Label by which a set finds its instances, unless it was given a selector. */
const LABEL = keys.replicaSet;

/** What a replica set takes. */
export interface VirtualMachineReplicaSetProps extends GuestProps {
  /**
   * How many instances it keeps.
   * @default - 1, unless an autoscaler decides
   */
  readonly replicas?: number;
  /**
   * The controller leaves the set alone.
   * @default false
   */
  readonly paused?: boolean;
  /**
   * Its instances, by labels that `instanceMetadata` gives them.
   * @default - by a label of its own: `virt8s.io/replica-set`
   */
  readonly selector?: k8s.LabelSelector;
}

/**
 * Keeps a number of equal guests running, without VMs (`kubevirt.io/v1` VirtualMachineInstanceReplicaSet). None of them
 * has a disk of its own that lasts.
 *
 * @example
 * new VirtualMachineReplicaSet(chart, 'workers', {
 *   replicas: 3,
 *   memory: Size.gibibytes(2),
 *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
 * });
 */
export class VirtualMachineReplicaSet extends Guest implements IScalableGuests {
  public readonly apiObject: ApiObject;
  /** How many instances it keeps, unless something else scales it. */
  public readonly replicas?: number;
  private readonly setProps: VirtualMachineReplicaSetProps;
  private isAutoscaled = false;
  private readonly label: { readonly [label: string]: string };

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props number of guests, and what each is made of
   */
  constructor(scope: Construct, id: string, props: VirtualMachineReplicaSetProps = {}) {
    super(scope, id, props);
    this.setProps = props;
    this.replicas = props.replicas;
    this.label = props.selector ? {} : { [LABEL]: Names.toLabelValue(this) };
    this.apiObject = new VirtualMachineInstanceReplicaSetObject(this, 'Resource', {
      metadata: props.metadata,
      spec: Lazy.any({ produce: () => this._once(() => this.renderSpec()) }),
    });
    this._validateOnSynth({
      prefix: 'spec.template.spec',
      body: () => ({ spec: this._once(() => this.renderSpec()) }),
      locate: (field) =>
        /^spec\.template\.metadata\b/.test(field)
          ? 'instanceMetadata'
          : /^spec\.(replicas|paused|selector)\b/.exec(field)?.[1],
    });
  }

  /**
   * Changes the number of instances with their load. `replicas` is left out of the manifest, since each apply would reset the
   * number.
   *
   * @param id id of the autoscaler
   * @param options range, and what the load is measured by
   * @example
   * const guests = new VirtualMachineReplicaSet(chart, 'web', { memory: Size.gibibytes(2) });
   * guests.autoscale('load', { min: 2, max: 10, cpuUsage: 0.7 });
   */
  public autoscale(id: string, options: GuestAutoscalingOptions): GuestAutoscaler {
    return new GuestAutoscaler(this, id, { ...options, target: this });
  }

  /** An autoscaler decides on the number of guests. @internal */
  public _leaveReplicasOut(): void {
    this.isAutoscaled = true;
    this._changed();
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineInstanceReplicaSet' {
    return 'VirtualMachineInstanceReplicaSet';
  }

  /** Labels that the Pods of its guests carry, and no other Pod does. */
  public get podLabels(): { readonly [label: string]: string } | undefined {
    return { ...this.label, ...this.setProps.selector?.matchLabels };
  }

  private renderSpec(): VirtualMachineInstanceReplicaSetSpec {
    const { replicas, paused, selector } = this.setProps;
    return defined({
      replicas: this.isAutoscaled ? undefined : replicas,
      paused,
      selector: (selector ?? { matchLabels: this.label }) as VirtualMachineInstanceReplicaSetSpec['selector'],
      template: defined({ metadata: this._instanceMetadata(this.label), spec: this._instanceSpec() }),
    });
  }
}
