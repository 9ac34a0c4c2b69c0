import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { defined, definedOrNone } from '../defined';
import { secondsOf } from '../duration';
import { beside } from '../network/beside';
import { INamedObject, Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';

/** A set of guests whose number can change: a `VirtualMachinePool` or a `VirtualMachineReplicaSet`. */
export interface IScalableGuests extends INamedObject {
  /** API group and version of the set. */
  readonly apiVersion: string;
  /** Kind of the set. */
  readonly kind: string;
}

/** How many guests there are, and what they are measured by. At least one measure is required. */
export interface GuestAutoscalingOptions extends ResourceProps {
  /**
   * Smallest number of guests, from 1.
   * @default 1
   */
  readonly min?: number;
  /** Largest number of guests, at least `min`. */
  readonly max: number;
  /**
   * Average share of the requested CPU that the Pods of the guests use, in percent. By default, KubeVirt requests a tenth
   * of a CPU for each vCPU: 700 stands for vCPUs that are busy for 70 percent of the time. `cpuUsage` does not depend on
   * requests.
   * @default - not measured
   */
  readonly cpuUtilization?: number;
  /**
   * Average CPUs that each guest uses: 1.5 stands for one and a half busy vCPUs.
   * @default - not measured
   */
  readonly cpuUsage?: number;
  /**
   * Average share of the requested memory that the Pods of the guests use, in percent. Guests rarely give memory back,
   * so that a set which grew by this measure may not shrink.
   * @default - not measured
   */
  readonly memoryUtilization?: number;
  /**
   * Time for which fewer guests must have sufficed before the set shrinks; at most an hour.
   * @default Duration.minutes(5)
   */
  readonly scaleDownStabilization?: Duration;
  /**
   * Time for which more guests must have been needed before the set grows; at most an hour.
   * @default Duration.seconds(0)
   */
  readonly scaleUpStabilization?: Duration;
}

/** What an autoscaler takes. */
export interface GuestAutoscalerProps extends GuestAutoscalingOptions {
  /** Pool or replica set whose number of guests changes. */
  readonly target: IScalableGuests;
}

/**
 * Changes the number of guests of a pool or replica set with their load (`autoscaling/v2` HorizontalPodAutoscaler). The
 * set then leaves `replicas` out of its manifest, since each apply would reset the number. Requires the metrics API of
 * the cluster (metrics-server).
 *
 * @example
 * const pool = new VirtualMachinePool(chart, 'web', { instancetype: { name: 'u1.small' } });
 * new GuestAutoscaler(chart, 'load', { target: pool, min: 2, max: 10, cpuUsage: 0.7 });
 */
export class GuestAutoscaler extends Resource {
  public readonly apiObject: ApiObject;
  /** Smallest number of guests. */
  public readonly min: number;
  /** Largest number of guests. */
  public readonly max: number;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props set of guests, its range, and what the load is measured by
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
      behavior: definedOrNone({
        scaleDown: stabilized('scaleDownStabilization', props.scaleDownStabilization),
        scaleUp: stabilized('scaleUpStabilization', props.scaleUpStabilization),
      }),
    });
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: beside(target, props.metadata),
      spec,
    });
    (target as Partial<LeavesReplicasOut>)._leaveReplicasOut?.();
    validateOnSynth(this, { body: () => ({ spec }), locate: (field) => locate(field, props) });
  }
}

/** Sets of this library that an autoscaler changes. */
interface LeavesReplicasOut {
  _leaveReplicasOut(): void;
}

/** Pure. The order is that of {@link MEASURES}. */
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
