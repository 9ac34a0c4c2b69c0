import { keys } from '../../api/keys';
import { ApiObject, ApiObjectMetadata, Duration, Lazy, Names } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import type { VirtualMachinePoolSpec } from '../../api/generated/pool-v1beta1';
import { VirtualMachinePoolObject } from '../generated/pool-v1beta1';
import type { IInstancetype, IPreference } from '../references';
import { INamedObject } from '../resource';
import { defined, definedOrNone } from '../defined';
import { Guest } from './guest';
import { GuestAutoscaler, GuestAutoscalingOptions, IScalableGuests } from './guest-autoscaler';
import { PoolMaxUnavailable, PoolScaleInStrategy, PoolUpdateStrategy } from './pool-choices';
import { renderDataVolumeTemplates } from './render';
import { propertyOfVm, renderVirtualMachineSpec } from './render-vm';
import { VirtualMachineProps } from './vm-props';
import { secondsOf } from '../duration';

/** Label that selects the VMs of a pool without a selector. */
const LABEL = keys.pool;
const VM_AT = 'spec.virtualMachineTemplate.spec';

/** Conditions for replacing a VM of a pool that cannot start. */
export interface PoolAutohealing {
  /**
   * Number of consecutive failed starts.
   * @default 3
   */
  readonly failedStarts?: number;
  /**
   * Time for which the VM must have been failing.
   * @default Duration.minutes(5)
   */
  readonly failingFor?: Duration;
}

/** Properties of a pool and of each of its VMs. */
export interface VirtualMachinePoolProps extends VirtualMachineProps {
  /**
   * Number of VMs.
   * @default - 1, or the number that an autoscaler sets
   */
  readonly replicas?: number;
  /**
   * Whether the controller ignores the pool.
   * @default false
   */
  readonly paused?: boolean;
  /**
   * Selector of the pool's VMs. It must match the labels in `virtualMachineMetadata`.
   * @default - the label `virt8s.io/pool` with a value unique to the pool
   */
  readonly selector?: k8s.LabelSelector;
  /**
   * Labels and annotations of each VM.
   * @default - none
   */
  readonly virtualMachineMetadata?: ApiObjectMetadata;
  /**
   * Strategy by which VMs follow a change of the template.
   * @default PoolUpdateStrategy.proactive()
   */
  readonly updateStrategy?: PoolUpdateStrategy;
  /**
   * Strategy by which the pool shrinks.
   * @default PoolScaleInStrategy.proactive()
   */
  readonly scaleInStrategy?: PoolScaleInStrategy;
  /**
   * Limit for the VMs that may be unavailable during an update.
   * @default PoolMaxUnavailable.percent(100)
   */
  readonly maxUnavailable?: PoolMaxUnavailable;
  /**
   * Conditions for replacing VMs that cannot start; `{}` uses the defaults.
   * @default - VMs are never replaced
   */
  readonly autohealing?: PoolAutohealing;
  /**
   * Whether each VM uses its own ConfigMap in place of each ConfigMap in the template: `NAME-0`, `NAME-1`, …
   * @default false
   */
  readonly ownConfigMaps?: boolean;
  /**
   * Whether each VM uses its own Secret in place of each Secret in the template: `NAME-0`, `NAME-1`, …
   * @default false
   */
  readonly ownSecrets?: boolean;
}

/**
 * Set of identical VMs, numbered from 0: `NAME-0`, `NAME-1`, … (`pool.kubevirt.io/v1beta1` VirtualMachinePool). Disks
 * that are created together with a VM are created for each VM.
 *
 * @example
 * new VirtualMachinePool(chart, 'web', {
 *   replicas: 3,
 *   memory: Size.gibibytes(2),
 *   disks: [Disk.registry('quay.io/containerdisks/fedora:42', Size.gibibytes(20))],
 * });
 */
export class VirtualMachinePool extends Guest implements IScalableGuests {
  public readonly apiObject: ApiObject;
  /** Number of VMs. Undefined if the properties set none. */
  public readonly replicas?: number;
  /** Instance type that sizes the VMs, if any. */
  public readonly instancetype?: IInstancetype;
  /** Preference with the defaults of the VMs, if any. */
  public readonly preference?: IPreference;
  private readonly label: { readonly [label: string]: string };

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props number of VMs, and the properties of each VM
   */
  constructor(scope: Construct, id: string, props: VirtualMachinePoolProps = {}) {
    super(scope, id, props);
    const ownProps = this._props as VirtualMachinePoolProps;
    this.replicas = ownProps.replicas;
    this.instancetype = ownProps.instancetype;
    this.preference = ownProps.preference;
    this.label = ownProps.selector ? {} : { [LABEL]: Names.toLabelValue(this) };
    this.apiObject = new VirtualMachinePoolObject(this, 'Resource', {
      metadata: ownProps.metadata,
      spec: Lazy.any({ produce: () => this._cached(() => this.renderSpec()) }),
    });
    this._validateOnSynth({
      prefix: `${VM_AT}.template.spec`,
      body: () => ({ spec: this._cached(() => this.renderSpec()) }),
      locate: (field) => propertyOfVm(field, VM_AT, this._origins().templates) ?? propertyOfPool(field),
    });
  }

  /**
   * Scales the pool with the load of its VMs. The pool must not have `replicas`, because applying it would reset the
   * number.
   *
   * @param id id of the autoscaler
   * @param options range and load measures
   * @example
   * const pool = new VirtualMachinePool(chart, 'web', { instancetype: { name: 'u1.small' } });
   * pool.autoscale('load', { min: 2, max: 10, cpuUsage: 0.7 });
   */
  public autoscale(id: string, options: GuestAutoscalingOptions): GuestAutoscaler {
    return new GuestAutoscaler(this, id, { ...options, target: this });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachinePool' {
    return 'VirtualMachinePool';
  }

  /** Labels that only the Pods of these guests have. */
  public get podLabels(): { readonly [label: string]: string } | undefined {
    return { ...this.label, ...(this._props as VirtualMachinePoolProps).selector?.matchLabels };
  }

  /** @internal */
  protected _owner(): INamedObject | undefined {
    return this;
  }

  private renderSpec(): VirtualMachinePoolSpec {
    const { label } = this;
    const props = this._props as VirtualMachinePoolProps;
    const { replicas, paused, selector, autohealing, ownConfigMaps, ownSecrets, virtualMachineMetadata } = props;
    // guests have the label as well, so that Services can select them
    const instance = { metadata: this._instanceMetadata(this.podLabels), spec: this._instanceSpec() };
    const labels = { ...label, ...virtualMachineMetadata?.labels };
    return defined({
      replicas,
      paused,
      selector: (selector ?? { matchLabels: label }) as VirtualMachinePoolSpec['selector'],
      maxUnavailable: props.maxUnavailable?._render(),
      updateStrategy: props.updateStrategy?._render(),
      scaleInStrategy: props.scaleInStrategy?._render(),
      autohealing:
        autohealing &&
        defined({
          startUpFailureThreshold: autohealing.failedStarts,
          minFailingToStartDuration: autohealing.failingFor && `${secondsOf('failingFor', autohealing.failingFor)}s`,
        }),
      nameGeneration: definedOrNone({
        appendIndexToConfigMapRefs: ownConfigMaps,
        appendIndexToSecretRefs: ownSecrets,
      }),
      virtualMachineTemplate: {
        metadata: { ...virtualMachineMetadata, labels } as VirtualMachinePoolSpec['virtualMachineTemplate']['metadata'],
        spec: renderVirtualMachineSpec(props, instance, renderDataVolumeTemplates(this.disks, this)),
      },
    });
  }
}

function propertyOfPool(field: string): string | undefined {
  const [, name, rest] = /^spec\.(\w+)(?:\.(\w+))?/.exec(field) ?? [];
  switch (name) {
    case 'virtualMachineTemplate':
      return rest === 'metadata' ? 'virtualMachineMetadata' : undefined;
    case 'autohealing':
      return rest === undefined
        ? name
        : `${name}.${rest === 'startUpFailureThreshold' ? 'failedStarts' : 'failingFor'}`;
    case 'nameGeneration':
      return rest === 'appendIndexToSecretRefs' ? 'ownSecrets' : 'ownConfigMaps';
    default:
      return name;
  }
}
