import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { defined, definedOrNone } from '../defined';
import { secondsOf } from '../duration';
import { beside } from '../network/beside';
import { INamedObject, Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import { withSubject } from '../subject';

/** Set of guests whose number can change: a `VirtualMachinePool` or a `VirtualMachineReplicaSet`. */
export interface IScalableGuests extends INamedObject {
  /** API group and version of the set. */
  readonly apiVersion: string;
  /** Kind of the set. */
  readonly kind: string;
}

/** Range and load measures of an autoscaler. At least one measure is required. */
export interface GuestAutoscalingOptions extends ResourceProps {
  /**
   * Minimum number of guests, at least 1.
   * @default 1
   */
  readonly min?: number;
  /** Maximum number of guests, at least `min`. */
  readonly max: number;
  /**
   * Target for the average CPU usage of the guests' Pods, in percent of the CPU that they request. KubeVirt requests a
   * tenth of a CPU for each vCPU by default, so 700 means vCPUs that are busy 70 % of the time. `cpuUsage` does not
   * depend on requests.
   * @default - not measured
   */
  readonly cpuUtilization?: number;
  /**
   * Target for the average number of CPUs that each guest uses: 1.5 means one and a half busy vCPUs.
   * @default - not measured
   */
  readonly cpuUsage?: number;
  /**
   * Target for the average memory usage of the guests' Pods, in percent of the memory that they request. Guests rarely
   * return memory, so a set that grew because of this measure may never shrink.
   * @default - not measured
   */
  readonly memoryUtilization?: number;
  /**
   * Time for which a smaller number of guests must have been enough before the set shrinks, at most one hour.
   * @default Duration.minutes(5)
   */
  readonly scaleDownStabilization?: Duration;
  /**
   * Time for which a larger number of guests must have been needed before the set grows, at most one hour.
   * @default Duration.seconds(0)
   */
  readonly scaleUpStabilization?: Duration;
}

/** Properties of an autoscaler. */
export interface GuestAutoscalerProps extends GuestAutoscalingOptions {
  /** Pool or replica set to scale. */
  readonly target: IScalableGuests;
}

/**
 * Scales a pool or replica set with its load (`autoscaling/v2` HorizontalPodAutoscaler). The set must not have
 * `replicas`, because applying it would reset the number of guests. Requires the metrics API of the cluster
 * (metrics-server).
 *
 * @example
 * const pool = new VirtualMachinePool(chart, 'web', { instancetype: { name: 'u1.small' } });
 * new GuestAutoscaler(chart, 'load', { target: pool, min: 2, max: 10, cpuUsage: 0.7 });
 */
export class GuestAutoscaler extends Resource {
  public readonly apiObject: ApiObject;
  /** Minimum number of guests. */
  public readonly min: number;
  /** Maximum number of guests. */
  public readonly max: number;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props set of guests, its range and the load measures
   */
  constructor(scope: Construct, id: string, props: GuestAutoscalerProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { target, min = 1, max } = props;
    this.min = min;
    this.max = max;
    const { apiVersion, kind, name } = target;
    const spec = defined({
      scaleTargetRef: { apiVersion, kind, name },
      minReplicas: min,
      maxReplicas: max,
      metrics: metricsOf(props),
      behavior: withSubject(this.node.path, () =>
        definedOrNone({
          scaleDown: stabilized('scaleDownStabilization', props.scaleDownStabilization),
          scaleUp: stabilized('scaleUpStabilization', props.scaleUpStabilization),
        }),
      ),
    });
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: beside(target, props.metadata),
      spec,
    });
    validateOnSynth(this, { body: () => ({ spec }), locate: (field) => locate(field, props) });
  }
}

/** Renders the metrics, in the order of {@link MEASURES}. */
function metricsOf(props: GuestAutoscalingOptions): object[] {
  return MEASURES.flatMap((property) => {
    const amount = props[property];
    if (amount === undefined) return [];
    const target =
      property === 'cpuUsage'
        ? { type: 'AverageValue', averageValue: `${Math.round(amount * 1000)}m` }
        : { type: 'Utilization', averageUtilization: amount };
    return [{ type: 'Resource', resource: { name: property === 'memoryUtilization' ? 'memory' : 'cpu', target } }];
  });
}

const MEASURES = ['cpuUtilization', 'cpuUsage', 'memoryUtilization'] as const;

function stabilized(property: string, time: Duration | undefined): object | undefined {
  return time && { stabilizationWindowSeconds: secondsOf(property, time) };
}

function locate(field: string, props: GuestAutoscalingOptions): string | undefined {
  const [, metric] = /^spec\.metrics\[(\d+)\]/.exec(field) ?? [];
  if (metric !== undefined) return MEASURES.filter((property) => props[property] !== undefined)[Number(metric)];
  const [, direction] = /^spec\.behavior\.(scaleDown|scaleUp)\b/.exec(field) ?? [];
  if (direction) return `${direction}Stabilization`;
  return { 'spec.minReplicas': 'min', 'spec.maxReplicas': 'max', 'spec.metrics': 'cpuUsage' }[field];
}
