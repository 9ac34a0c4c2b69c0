import type { Duration } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import type { core, VirtualMachineInstanceSpec } from '../../api';
import { Choice } from '../choice';
import { defined, definedOrNone, listed } from '../defined';
import type { NodeQuery } from './node-query';
import type { IGuestPods } from './pods';
import { selectorOf } from './pods';
import { secondsOf } from '../duration';
import { mistakeInCode } from '../validation';

/** Effect of a taint on Pods that do not tolerate it. */
export class TaintEffect extends Choice {
  /** New Pods are not scheduled on the node. */
  public static readonly NO_SCHEDULE = TaintEffect.of('NoSchedule');
  /** New Pods are scheduled on the node only if no other node fits. */
  public static readonly PREFER_NO_SCHEDULE = TaintEffect.of('PreferNoSchedule');
  /** Pods that run on the node are evicted as well. */
  public static readonly NO_EXECUTE = TaintEffect.of('NoExecute');

  /**
   * Uses a value of Kubernetes that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): TaintEffect {
    return new TaintEffect(value);
  }
}

/** Options of a taint that a VM's Pod tolerates. */
export interface TolerationOptions {
  /**
   * Value of the taint.
   * @default - any value
   */
  readonly value?: string;
  /**
   * Effect of the taint.
   * @default - any effect
   */
  readonly effect?: TaintEffect;
  /**
   * Time that the VM may stay on a node after the node receives the taint. Only with `TaintEffect.NO_EXECUTE`.
   * @default - forever
   */
  readonly evictAfter?: Duration;
}

/** Topology domain: nodes whose label has the same value. */
export class VmTopology extends Choice {
  /** A single node. */
  public static readonly HOST = VmTopology.of('kubernetes.io/hostname');
  /** A zone: nodes that share a power supply and a network. */
  public static readonly ZONE = VmTopology.of('topology.kubernetes.io/zone');
  /** A region. */
  public static readonly REGION = VmTopology.of('topology.kubernetes.io/region');

  /**
   * Uses any label of the nodes.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): VmTopology {
    return new VmTopology(value);
  }
}

/** Weight of a scheduling rule. */
export interface AttractOptions {
  /**
   * Weight from 1 to 100, which makes the rule a preference.
   * @default - none: the rule is a requirement
   */
  readonly weight?: number;
}

/** Placement of a VM relative to other Pods. */
export interface PlacementOptions extends AttractOptions {
  /**
   * Topology domain that counts as the same place.
   * @default VmTopology.HOST
   */
  readonly topology?: VmTopology;
}

/** Options for spreading the guests of one construct. */
export interface SpreadOptions {
  /**
   * Topology domain over which guests are spread.
   * @default VmTopology.HOST
   */
  readonly topology?: VmTopology;
  /**
   * Maximum difference between the numbers of guests in two domains.
   * @default 1
   */
  readonly maxSkew?: number;
  /**
   * Whether guests may run unevenly spread if they could not run otherwise.
   * @default false
   */
  readonly bestEffort?: boolean;
}

/** Rules for the nodes on which a guest runs. */
export interface SchedulingOptions {
  /**
   * Labels that the node must have.
   * @default - none
   */
  readonly nodeSelector?: { readonly [label: string]: string };
  /**
   * Tolerations as Kubernetes writes them. The method `scheduling.tolerate` is shorter.
   * @default - none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Affinities as Kubernetes writes them. The methods `scheduling.attract`, `colocate` and `separate` are shorter, and
   * add to them.
   * @default - none
   */
  readonly affinity?: k8s.Affinity;
  /**
   * Topology spread constraints as Kubernetes writes them. The method `scheduling.spread` is shorter, and adds to them.
   * @default - defaults of the scheduler
   */
  readonly topologySpread?: k8s.TopologySpreadConstraint[];
  /**
   * Name of the PriorityClass, which decides which Pods are evicted first if a node is full.
   * @default - the default PriorityClass of the cluster
   */
  readonly priorityClass?: string;
  /**
   * Name of the scheduler that places the Pod.
   * @default - the default scheduler of the cluster
   */
  readonly schedulerName?: string;
}

type Fields = Pick<
  VirtualMachineInstanceSpec,
  'nodeSelector' | 'tolerations' | 'affinity' | 'topologySpreadConstraints' | 'priorityClassName' | 'schedulerName'
>;
type PodTerms = { required: core.PodAffinityTerm[]; preferred: core.WeightedPodAffinityTerm[] };

/**
 * Rules for the nodes on which a guest runs, and the methods that add them. A rule that refers to guests or Pods without
 * a selector is rejected.
 */
export class VmScheduling {
  /** Name of the PriorityClass. Undefined if it is the default of the cluster. */
  public readonly priorityClass?: string;
  /** Name of the scheduler that places the Pod. Undefined if it is the default of the cluster. */
  public readonly schedulerName?: string;

  private readonly selector: Record<string, string>;
  private readonly tolerations: core.Toleration[];
  private readonly spreads: (() => core.TopologySpreadConstraint)[];
  private readonly requiredNodes: core.NodeSelectorTerm[] = [];
  private readonly preferredNodes: core.PreferredSchedulingTerm[] = [];
  private readonly together: PodTerms = { required: [], preferred: [] };
  private readonly apart: PodTerms = { required: [], preferred: [] };

  /** @internal */
  public static _of(options: SchedulingOptions, own: () => Record<string, string>, changed: () => void): VmScheduling {
    return new VmScheduling(options, own, changed);
  }

  private constructor(
    private readonly options: SchedulingOptions,
    private readonly own: () => Record<string, string>,
    private readonly changed: () => void,
  ) {
    this.priorityClass = options.priorityClass;
    this.schedulerName = options.schedulerName;
    this.selector = { ...options.nodeSelector };
    this.tolerations = [...(options.tolerations ?? [])] as core.Toleration[];
    this.spreads = (options.topologySpread ?? []).map((each) => () => each as core.TopologySpreadConstraint);
  }

  /**
   * Requires nodes with this label.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param value value of the label
   */
  public selectNode(label: string, value: string): void {
    const other = this.selector[label];
    if (other !== undefined && other !== value) {
      const cause = `the guest already requires nodes with ${label}=${other}, and a node has one value`;
      const remedy = 'use scheduling.attract([NodeQuery.in(label, values)]) for one of several values';
      mistakeInCode('scheduling.selectNode', 'value', cause, remedy, 'node-contradiction', { value });
    }
    this.selector[label] = value;
    this.changed();
  }

  /**
   * Allows nodes with this taint.
   *
   * @param taint key of the taint
   * @param options value and effect of the taint, and time limit
   */
  public tolerate(taint: string, options: TolerationOptions = {}): void {
    const { value, effect, evictAfter } = options;
    this.tolerations.push(
      defined({
        key: taint,
        ...(value === undefined ? { operator: 'Exists' as const } : { operator: 'Equal' as const, value }),
        effect: effect?.value as core.Toleration['effect'],
        tolerationSeconds: secondsOf('evictAfter', evictAfter),
      }),
    );
    this.changed();
  }

  /**
   * Requires or prefers nodes that match all queries. If called several times without a weight, a node must match the
   * queries of one call.
   *
   * @param nodes conditions on the labels of a node
   * @param options weight of a preference
   */
  public attract(nodes: NodeQuery[], options: AttractOptions = {}): void {
    const term = { matchExpressions: nodes.map((query) => query._render()) };
    if (options.weight === undefined) this.requiredNodes.push(term);
    else this.preferredNodes.push({ weight: options.weight, preference: term });
    this.changed();
  }

  /**
   * Requires or prefers to run where these Pods run. Accepts guests, and Pods of any version of cdk8s-plus.
   *
   * @param pods guests, or Pods
   * @param options weight of a preference, and the topology domain
   */
  public colocate(pods: IGuestPods, options: PlacementOptions = {}): void {
    this.place(this.together, pods, options);
  }

  /**
   * Avoids running where these Pods run, as a requirement or a preference. Accepts guests, and Pods of any version of
   * cdk8s-plus.
   *
   * @param pods guests, or Pods
   * @param options weight of a preference, and the topology domain
   */
  public separate(pods: IGuestPods, options: PlacementOptions = {}): void {
    this.place(this.apart, pods, options);
  }

  /**
   * Spreads the guests of this construct evenly. Useful for replica sets and pools.
   *
   * @param options topology domain, and how evenly guests are spread
   */
  public spread(options: SpreadOptions = {}): void {
    const { topology = VmTopology.HOST, maxSkew = 1, bestEffort = false } = options;
    this.spreads.push(() => ({
      maxSkew,
      topologyKey: topology.value,
      whenUnsatisfiable: bestEffort ? 'ScheduleAnyway' : 'DoNotSchedule',
      labelSelector: { matchLabels: this.own() },
    }));
    this.changed();
  }

  /** @internal */
  public _render(): Fields {
    return defined({
      nodeSelector: definedOrNone(this.selector),
      tolerations: listed(this.tolerations),
      affinity: this.renderAffinity(),
      topologySpreadConstraints: listed(this.spreads.map((render) => render())),
      priorityClassName: this.priorityClass,
      schedulerName: this.schedulerName,
    });
  }

  private place(terms: PodTerms, pods: IGuestPods, { topology = VmTopology.HOST, weight }: PlacementOptions): void {
    const term = { topologyKey: topology.value, ...selectorOf(pods) };
    if (weight === undefined) terms.required.push(term);
    else terms.preferred.push({ weight, podAffinityTerm: term });
    this.changed();
  }

  private renderAffinity(): core.Affinity | undefined {
    const written = this.options.affinity as core.Affinity | undefined;
    const { requiredNodes, preferredNodes, together, apart } = this;
    if (requiredNodes.length + preferredNodes.length === 0 && isEmpty(together) && isEmpty(apart)) return written;
    const node = written?.nodeAffinity;
    const terms = [
      ...(node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []),
      ...requiredNodes,
    ];
    const preferred = [...(node?.preferredDuringSchedulingIgnoredDuringExecution ?? []), ...preferredNodes];
    return defined({
      nodeAffinity: definedOrNone({
        requiredDuringSchedulingIgnoredDuringExecution: terms.length > 0 ? { nodeSelectorTerms: terms } : undefined,
        preferredDuringSchedulingIgnoredDuringExecution: listed(preferred),
      }),
      podAffinity: podTerms(written?.podAffinity, together),
      podAntiAffinity: podTerms(written?.podAntiAffinity, apart),
    });
  }
}

const isEmpty = ({ required, preferred }: PodTerms): boolean => required.length + preferred.length === 0;

function podTerms(written: core.PodAffinity | undefined, more: PodTerms): core.PodAffinity | undefined {
  return definedOrNone({
    requiredDuringSchedulingIgnoredDuringExecution: listed([
      ...(written?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...more.required,
    ]),
    preferredDuringSchedulingIgnoredDuringExecution: listed([
      ...(written?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
      ...more.preferred,
    ]),
  });
}
