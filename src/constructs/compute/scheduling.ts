import type { Duration } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import type { core, VirtualMachineInstanceSpec } from '../../api';
import { Choice } from '../choice';
import { defined, definedOrNone, listed } from '../defined';
import type { NodeQuery } from './node-query';
import type { IGuestPods } from './pods';
import { selectorOf } from './pods';
import { secondsOf } from '../duration';

/** Effect of a taint on Pods that do not tolerate it. */
export class TaintEffect extends Choice {
  /** New Pods are not scheduled on the node. */
  public static readonly NO_SCHEDULE = TaintEffect.of('NoSchedule');
  /** New Pods are scheduled on the node only if no other node fits. */
  public static readonly PREFER_NO_SCHEDULE = TaintEffect.of('PreferNoSchedule');
  /** Pods that run on the node are evicted as well. */
  public static readonly NO_EXECUTE = TaintEffect.of('NoExecute');

  /** Another one that the platform knows. */
  public static of(value: string): TaintEffect {
    return new TaintEffect(value);
  }
}

/** A taint that a VM's Pod may ignore. */
export interface TolerationOptions {
  /**
   * Value of the taint.
   * @default - any
   */
  readonly value?: string;
  /**
   * Effect of the taint.
   * @default - any
   */
  readonly effect?: TaintEffect;
  /**
   * How long the VM stays on a node that gets the taint. Only with `TaintEffect.NO_EXECUTE`.
   * @default - forever
   */
  readonly evictAfter?: Duration;
}

/** What counts as one place: nodes whose label has the same value. */
export class VmTopology extends Choice {
  /** A node. */
  public static readonly HOST = VmTopology.of('kubernetes.io/hostname');
  /** A zone: one power supply, one network. */
  public static readonly ZONE = VmTopology.of('topology.kubernetes.io/zone');
  /** A region. */
  public static readonly REGION = VmTopology.of('topology.kubernetes.io/region');

  /**
   * Any label of the nodes.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VmTopology {
    return new VmTopology(value);
  }
}

/** How much a wish counts. */
export interface AttractOptions {
  /**
   * From 1 to 100: a wish of this weight.
   * @default - a condition: nowhere else
   */
  readonly weight?: number;
}

/** Where a VM runs, seen from something else. */
export interface PlacementOptions extends AttractOptions {
  /**
   * What counts as the same place.
   * @default VmTopology.HOST
   */
  readonly topology?: VmTopology;
}

/** How guests of one construct spread. */
export interface SpreadOptions {
  /**
   * Over what they spread.
   * @default VmTopology.HOST
   */
  readonly topology?: VmTopology;
  /**
   * By how many two places may differ.
   * @default 1
   */
  readonly maxSkew?: number;
  /**
   * Rather runs unevenly than not at all.
   * @default false
   */
  readonly bestEffort?: boolean;
}

/** Where a guest may and should run. */
export interface SchedulingOptions {
  /**
   * Labels that the node must have.
   * @default - none
   */
  readonly nodeSelector?: { readonly [label: string]: string };
  /**
   * Taints that the Pod may ignore, as Kubernetes writes them; `scheduling.tolerate` is shorter.
   * @default - none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Affinities as Kubernetes writes them; `scheduling.attract`, `colocate` and `separate` are shorter, and add to them.
   * @default - none
   */
  readonly affinity?: k8s.Affinity;
  /**
   * How Pods spread, as Kubernetes writes it; `scheduling.spread` is shorter, and adds to it.
   * @default - as the scheduler does
   */
  readonly topologySpread?: k8s.TopologySpreadConstraint[];
  /**
   * Name of a PriorityClass: which Pods yield when there is no room.
   * @default - the cluster's
   */
  readonly priorityClass?: string;
  /**
   * Which scheduler places the Pod.
   * @default - the cluster's
   */
  readonly schedulerName?: string;
}

type Fields = Pick<
  VirtualMachineInstanceSpec,
  'nodeSelector' | 'tolerations' | 'affinity' | 'topologySpreadConstraints' | 'priorityClassName' | 'schedulerName'
>;
type PodTerms = { required: core.PodAffinityTerm[]; preferred: core.WeightedPodAffinityTerm[] };

/** Facet of a guest: where it may and should run. Guests that nothing selects are refused where others are meant. */
export class VmScheduling {
  /** Name of a PriorityClass; the cluster's when there is none. */
  public readonly priorityClass?: string;
  /** Which scheduler places the Pod; the cluster's when there is none. */
  public readonly schedulerName?: string;

  private readonly selector: Record<string, string>;
  private readonly tolerations: core.Toleration[];
  private readonly spreads: (() => core.TopologySpreadConstraint)[];
  private readonly nodeTerms: core.NodeSelectorTerm[] = [];
  private readonly nodeWishes: core.PreferredSchedulingTerm[] = [];
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
   * Only on nodes with this label.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param value value of the label
   */
  public selectNode(label: string, value: string): void {
    this.selector[label] = value;
    this.changed();
  }

  /**
   * Also on nodes with this taint.
   *
   * @param taint key of the taint
   * @param options value, effect and time
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
   * On nodes for which all queries hold. Called again without a weight: on these, or on those.
   *
   * @param nodes queries to the labels of a node
   * @param options whether it is a preference, and its weight
   */
  public attract(nodes: NodeQuery[], options: AttractOptions = {}): void {
    const term = { matchExpressions: nodes.map((query) => query._render()) };
    if (options.weight === undefined) this.nodeTerms.push(term);
    else this.nodeWishes.push({ weight: options.weight, preference: term });
    this.changed();
  }

  /**
   * Where these run: VMs, or Pods of any version of cdk8s-plus.
   *
   * @param pods guests, or Pods
   * @param options whether it is a preference, and how close
   */
  public colocate(pods: IGuestPods, options: PlacementOptions = {}): void {
    this.place(this.together, pods, options);
  }

  /**
   * Where these do not run: VMs, or Pods of any version of cdk8s-plus.
   *
   * @param pods guests, or Pods
   * @param options whether it is a preference, and how far apart
   */
  public separate(pods: IGuestPods, options: PlacementOptions = {}): void {
    this.place(this.apart, pods, options);
  }

  /**
   * Guests of this construct spread evenly; for sets and pools.
   *
   * @param options what guests are spread over, and how evenly
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
      topologySpreadConstraints: listed(this.spreads.map((make) => make())),
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
    const given = this.options.affinity as core.Affinity | undefined;
    const { nodeTerms, nodeWishes, together, apart } = this;
    if (nodeTerms.length + nodeWishes.length === 0 && isEmpty(together) && isEmpty(apart)) return given;
    const node = given?.nodeAffinity;
    const terms = [...(node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []), ...nodeTerms];
    const wishes = [...(node?.preferredDuringSchedulingIgnoredDuringExecution ?? []), ...nodeWishes];
    return defined({
      nodeAffinity: definedOrNone({
        requiredDuringSchedulingIgnoredDuringExecution: terms.length > 0 ? { nodeSelectorTerms: terms } : undefined,
        preferredDuringSchedulingIgnoredDuringExecution: listed(wishes),
      }),
      podAffinity: podTerms(given?.podAffinity, together),
      podAntiAffinity: podTerms(given?.podAntiAffinity, apart),
    });
  }
}

const isEmpty = ({ required, preferred }: PodTerms): boolean => required.length + preferred.length === 0;

function podTerms(given: core.PodAffinity | undefined, more: PodTerms): core.PodAffinity | undefined {
  return definedOrNone({
    requiredDuringSchedulingIgnoredDuringExecution: listed([
      ...(given?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...more.required,
    ]),
    preferredDuringSchedulingIgnoredDuringExecution: listed([
      ...(given?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
      ...more.preferred,
    ]),
  });
}
