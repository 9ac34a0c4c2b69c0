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

/** Label by which a pool finds its VMs, unless it was given a selector. */
const LABEL = keys.pool;
const VM_AT = 'spec.virtualMachineTemplate.spec';

/** When a VM of a pool that cannot start is replaced by a new one. */
export interface PoolAutohealing {
  /**
   * Failed starts in a row.
   * @default 3
   */
  readonly failedStarts?: number;
  /**
   * Time that the VM must have been failing.
   * @default Duration.minutes(5)
   */
  readonly failingFor?: Duration;
}

/** What a pool takes: what each of its VMs is made of, and how many there are. */
export interface VirtualMachinePoolProps extends VirtualMachineProps {
  /**
   * How many VMs it has.
   * @default - 1, unless an autoscaler decides
   */
  readonly replicas?: number;
  /**
   * The controller leaves the pool alone.
   * @default false
   */
  readonly paused?: boolean;
  /**
   * Its VMs, by labels that `virtualMachineMetadata` gives them.
   * @default - by a label of its own: `virt8s.io/pool`
   */
  readonly selector?: k8s.LabelSelector;
  /**
   * Labels and annotations of each VM.
   * @default - none
   */
  readonly virtualMachineMetadata?: ApiObjectMetadata;
  /**
   * How VMs follow a change of what they are made of.
   * @default PoolUpdateStrategy.proactive()
   */
  readonly updateStrategy?: PoolUpdateStrategy;
  /**
   * How VMs go when the pool shrinks.
   * @default PoolScaleInStrategy.proactive()
   */
  readonly scaleInStrategy?: PoolScaleInStrategy;
  /**
   * How many VMs may be not ready during an update.
   * @default PoolMaxUnavailable.percent(100)
   */
  readonly maxUnavailable?: PoolMaxUnavailable;
  /**
   * Replaces VMs that cannot start; `{}` with the defaults.
   * @default - they are never replaced
   */
  readonly autohealing?: PoolAutohealing;
  /**
   * Each VM has a ConfigMap of its own wherever it names one: `NAME-0`, `NAME-1`, …
   * @default false
   */
  readonly ownConfigMaps?: boolean;
  /**
   * Each VM has a Secret of its own wherever it names one: `NAME-0`, `NAME-1`, …
   * @default false
   */
  readonly ownSecrets?: boolean;
}

/**
 * A set of equal VMs, numbered from 0: `NAME-0`, `NAME-1`, … (`pool.kubevirt.io/v1beta1` VirtualMachinePool). Disks that
 * are made with a VM are made for each.
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
  /** How many VMs it has, unless something else scales it. */
  public readonly replicas?: number;
  /** Where the size of its VMs comes from, unless they say themselves. */
  public readonly instancetype?: IInstancetype;
  /** Where its VMs get what they do not say, besides the platform. */
  public readonly preference?: IPreference;
  private isAutoscaled = false;
  private readonly label: { readonly [label: string]: string };

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props number of VMs, and what each is made of
   */
  constructor(scope: Construct, id: string, props: VirtualMachinePoolProps = {}) {
    super(scope, id, props);
    const whole = this._props as VirtualMachinePoolProps;
    this.replicas = whole.replicas;
    this.instancetype = whole.instancetype;
    this.preference = whole.preference;
    this.label = whole.selector ? {} : { [LABEL]: Names.toLabelValue(this) };
    this.apiObject = new VirtualMachinePoolObject(this, 'Resource', {
      metadata: whole.metadata,
      spec: Lazy.any({ produce: () => this._once(() => this.renderSpec()) }),
    });
    this._validateOnSynth({
      prefix: `${VM_AT}.template.spec`,
      body: () => ({ spec: this._once(() => this.renderSpec()) }),
      locate: (field) => propertyOfVm(field, VM_AT, this._origins().templates) ?? propertyOfPool(field),
    });
  }

  /**
   * Changes the number of VMs with their load. `replicas` is left out of the manifest, since each apply would reset the
   * number.
   *
   * @param id id of the autoscaler
   * @param options range, and what the load is measured by
   * @example
   * const pool = new VirtualMachinePool(chart, 'web', { instancetype: { name: 'u1.small' } });
   * pool.autoscale('load', { min: 2, max: 10, cpuUsage: 0.7 });
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
  public get kind(): 'VirtualMachinePool' {
    return 'VirtualMachinePool';
  }

  /** Labels that the Pods of its guests carry, and no other Pod does. */
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
    // guests carry the label too, so that Services find them
    const instance = { metadata: this._instanceMetadata(this.podLabels), spec: this._instanceSpec() };
    const labels = { ...label, ...virtualMachineMetadata?.labels };
    return defined({
      replicas: this.isAutoscaled ? undefined : replicas,
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
