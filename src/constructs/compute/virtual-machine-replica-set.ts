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

/** Label that selects the instances of a set without a selector. */
const LABEL = keys.replicaSet;

/** Properties of a replica set and of each of its guests. */
export interface VirtualMachineReplicaSetProps extends GuestProps {
  /**
   * Number of instances to keep running.
   * @default - 1, or the number that an autoscaler sets
   */
  readonly replicas?: number;
  /**
   * Whether the controller ignores the set.
   * @default false
   */
  readonly paused?: boolean;
  /**
   * Selector of the set's instances. It must match the labels in `instanceMetadata`.
   * @default - the label `virt8s.io/replica-set` with a value unique to the set
   */
  readonly selector?: k8s.LabelSelector;
}

/**
 * Set of identical guests that run without VMs (`kubevirt.io/v1` VirtualMachineInstanceReplicaSet). The controller
 * keeps their number constant. The guests have no persistent disks of their own.
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
  /** Number of instances to keep running. Undefined if the properties set none. */
  public readonly replicas?: number;
  private readonly setProps: VirtualMachineReplicaSetProps;
  private readonly label: { readonly [label: string]: string };

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props number of guests, and the properties of each guest
   */
  constructor(scope: Construct, id: string, props: VirtualMachineReplicaSetProps = {}) {
    super(scope, id, props);
    this.setProps = props;
    this.replicas = props.replicas;
    this.label = props.selector ? {} : { [LABEL]: Names.toLabelValue(this) };
    this.apiObject = new VirtualMachineInstanceReplicaSetObject(this, 'Resource', {
      metadata: props.metadata,
      spec: Lazy.any({ produce: () => this._cached(() => this.renderSpec()) }),
    });
    this._validateOnSynth({
      prefix: 'spec.template.spec',
      body: () => ({ spec: this._cached(() => this.renderSpec()) }),
      locate: (field) =>
        /^spec\.template\.metadata\b/.test(field)
          ? 'instanceMetadata'
          : /^spec\.(replicas|paused|selector)\b/.exec(field)?.[1],
    });
  }

  /**
   * Scales the set with the load of its instances. The set must not have `replicas`, because applying it would reset
   * the number.
   *
   * @param id id of the autoscaler
   * @param options range and load measures
   * @example
   * const guests = new VirtualMachineReplicaSet(chart, 'web', { memory: Size.gibibytes(2) });
   * guests.autoscale('load', { min: 2, max: 10, cpuUsage: 0.7 });
   */
  public autoscale(id: string, options: GuestAutoscalingOptions): GuestAutoscaler {
    return new GuestAutoscaler(this, id, { ...options, target: this });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineInstanceReplicaSet' {
    return 'VirtualMachineInstanceReplicaSet';
  }

  /** Labels that only the Pods of these guests have. */
  public get podLabels(): { readonly [label: string]: string } | undefined {
    return { ...this.label, ...this.setProps.selector?.matchLabels };
  }

  private renderSpec(): VirtualMachineInstanceReplicaSetSpec {
    const { replicas, paused, selector } = this.setProps;
    return defined({
      replicas,
      paused,
      selector: (selector ?? { matchLabels: this.label }) as VirtualMachineInstanceReplicaSetSpec['selector'],
      template: defined({ metadata: this._instanceMetadata(this.label), spec: this._instanceSpec() }),
    });
  }
}
