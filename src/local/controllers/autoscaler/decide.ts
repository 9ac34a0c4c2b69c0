import type { Condition } from '../../../api/meta';
import { tryParseQuantity } from '../../../api/quantity';
import type { Pod } from '../../core-v1';
import type { Autoscaler, AutoscalerStatus, MetricSpec, MetricStatus } from '../autoscaling-v2';
import { timestamp } from '../status';
import { limit, type History } from './limits';
import { quantityText, replicasFor, type PodUsage, type Tolerance } from './replicas';

export interface Observed {
  readonly autoscaler: Autoscaler;
  /** Current replicas of the target and the selector of its Pods, or why they are unknown. */
  readonly scale: { readonly replicas: number; readonly selector: string } | { readonly failure: string };
  /** Pods of the target; undefined if its selector is invalid for the given reason. */
  readonly pods: readonly Pod[] | { readonly failure: string };
  /** Metrics of these Pods, or why there are none. */
  readonly usage: readonly PodUsage[] | { readonly failure: string };
  /** Keys of all autoscalers that select these Pods, if there are several. */
  readonly rivals: readonly string[];
  readonly history: History;
  readonly now: number;
}

export interface AutoscalerEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface Plan {
  readonly status: AutoscalerStatus;
  readonly events: readonly AutoscalerEvent[];
  readonly history: History;
  /** New number of replicas, and why. */
  readonly rescale?: { readonly replicas: number; readonly reason: string };
}

const TOLERANCE = 0.1;

/** Decides how many replicas the target should have. Pure. */
export function decide(observed: Observed): Plan {
  const { autoscaler, scale, history, now } = observed;
  const { minReplicas: min = 1, maxReplicas: max, metrics = [] } = autoscaler.spec;
  const draft = new Draft(autoscaler, now);
  const done = (current: number, desired: number, statuses: MetricStatus[] | null): Plan => ({
    status: draft.status(current, desired, statuses),
    events: draft.events,
    history,
  });
  if ('failure' in scale) {
    draft.warn('FailedGetScale', scale.failure);
    const message = `the HPA controller was unable to get the target's current scale: ${scale.failure}`;
    draft.set('AbleToScale', 'False', 'FailedGetScale', message);
    return { status: draft.unchanged(), events: draft.events, history };
  }
  draft.set(
    'AbleToScale',
    'True',
    'SucceededGetScale',
    "the HPA controller was able to get the target's current scale",
  );
  const current = scale.replicas;
  const past = history.recommendations.length
    ? history
    : { ...history, recommendations: [{ at: now, replicas: current }] };
  if (current === 0 && min !== 0) {
    const message = 'scaling is disabled since the replica count of the target is zero';
    draft.set('ScalingActive', 'False', 'ScalingDisabled', message);
    return { ...done(0, 0, null), history: past };
  }
  const forced =
    current > max
      ? { replicas: max, reason: 'Current number of replicas above Spec.MaxReplicas' }
      : current < min
        ? { replicas: min, reason: 'Current number of replicas below Spec.MinReplicas' }
        : undefined;
  if (forced) return { ...done(current, forced.replicas, null), history: past, rescale: forced };
  const computed = compute(observed, current, metrics, draft);
  if ('failure' in computed) {
    draft.warn('FailedComputeMetricsReplicas', computed.failure);
    const desired = autoscaler.status?.desiredReplicas ?? 0;
    return { ...done(current, desired, computed.statuses), history: past };
  }
  const { behavior } = autoscaler.spec;
  const result = limit({ current, desired: computed.replicas, min, max, behavior, history: past, now });
  draft.set('AbleToScale', 'True', result.able.reason, result.able.message);
  draft.set('ScalingLimited', result.limited.status, result.limited.reason, result.limited.message);
  const plan = { ...done(current, result.replicas, computed.statuses), history: result.history };
  if (result.replicas === current) return plan;
  const above = computed.replicas > current;
  const reason = above
    ? `${computed.name} above target`
    : computed.replicas < current
      ? 'All metrics below target'
      : '';
  return { ...plan, rescale: { replicas: result.replicas, reason } };
}

/** Status after the target was scaled, or could not be. Pure. */
export function afterRescale(
  autoscaler: Autoscaler,
  { status, rescale }: Plan,
  failure: string | undefined,
  now: number,
): { status: AutoscalerStatus; event: AutoscalerEvent } {
  const draft = new Draft({ ...autoscaler, status }, now);
  const replicas = rescale?.replicas ?? 0;
  const reason = `New size: ${replicas}; reason: ${rescale?.reason}`;
  if (failure !== undefined) {
    const message = `the HPA controller was unable to update the target scale: ${failure}`;
    draft.set('AbleToScale', 'False', 'FailedUpdateScale', message);
    const desired = autoscaler.status?.desiredReplicas ?? 0;
    return {
      status: draft.status(status.currentReplicas ?? 0, desired, status.currentMetrics),
      event: { type: 'Warning', reason: 'FailedRescale', message: `${reason}; error: ${failure}` },
    };
  }
  const message = `the HPA controller was able to update the target scale to ${replicas}`;
  draft.set('AbleToScale', 'True', 'SucceededRescale', message);
  const next = draft.status(status.currentReplicas ?? 0, replicas, status.currentMetrics);
  return {
    status: { ...next, lastScaleTime: timestamp(now) },
    event: { type: 'Normal', reason: 'SuccessfulRescale', message: reason },
  };
}

/** A status in the making. */
class Draft {
  public readonly events: AutoscalerEvent[] = [];
  private conditions: Condition[];

  public constructor(
    private readonly autoscaler: Autoscaler,
    private readonly now: number,
  ) {
    this.conditions = [...(autoscaler.status?.conditions ?? [])];
  }

  public warn(reason: string, message: string): void {
    this.events.push({ type: 'Warning', reason, message });
  }

  public set(type: string, status: 'True' | 'False', reason: string, message: string): void {
    const known = this.conditions.find((condition) => condition.type === type);
    const lastTransitionTime = known?.status === status ? known.lastTransitionTime : timestamp(this.now);
    const condition: Condition = { type, status, lastTransitionTime, reason, message };
    this.conditions = known
      ? this.conditions.map((other) => (other === known ? condition : other))
      : [...this.conditions, condition];
  }

  public status(current: number, desired: number, metrics: MetricStatus[] | null): AutoscalerStatus {
    const { lastScaleTime } = this.autoscaler.status ?? {};
    return {
      ...(lastScaleTime ? { lastScaleTime } : {}),
      ...(current ? { currentReplicas: current } : {}),
      desiredReplicas: desired,
      currentMetrics: metrics?.length ? metrics : null,
      conditions: this.conditions,
    };
  }

  public unchanged(): AutoscalerStatus {
    const before = this.autoscaler.status ?? { desiredReplicas: 0, currentMetrics: null };
    return { ...before, conditions: this.conditions };
  }
}

type Computed =
  | { readonly replicas: number; readonly name: string; readonly statuses: MetricStatus[] }
  | { readonly failure: string; readonly statuses: MetricStatus[] | null };

/** Largest number of replicas that a metric asks for. */
function compute(observed: Observed, current: number, metrics: readonly MetricSpec[], draft: Draft): Computed {
  const invalid = selectorProblem(observed, draft);
  if (invalid) return { failure: invalid, statuses: null };
  const statuses: MetricStatus[] = [];
  const failures: { reason: string; message: string; failure: string }[] = [];
  let best: { replicas: number; name: string } | undefined;
  for (const metric of metrics) {
    try {
      const { replicas, name, status } = computeOne(observed, current, metric);
      statuses.push(status);
      if (!best || replicas > best.replicas) best = { replicas, name };
    } catch (error) {
      const { reason, prefix } = failureOf(metric);
      const message = (error as Error).message;
      draft.warn(reason, message);
      failures.push({ reason, message, failure: `${prefix}${message}` });
      statuses.push({ type: '' });
    }
  }
  const [first] = failures;
  if (first && (!best || best.replicas < current)) {
    const message = `the HPA was unable to compute the replica count: ${first.message}`;
    draft.set('ScalingActive', 'False', first.reason, message);
    const count = `${failures.length} invalid out of ${metrics.length}`;
    return { failure: `invalid metrics (${count}), first error is: ${first.failure}`, statuses };
  }
  const { replicas, name } = best ?? { replicas: current, name: '' };
  const message = `the HPA was able to successfully calculate a replica count from ${name}`;
  draft.set('ScalingActive', 'True', 'ValidMetricFound', message);
  return { replicas, name, statuses };
}

function selectorProblem({ scale, pods, rivals }: Observed, draft: Draft): string | undefined {
  const report = (event: string, reason: string, failure: string, message = failure): string => {
    draft.warn(event, failure);
    draft.set('ScalingActive', 'False', reason, message);
    return failure;
  };
  const { selector = '' } = scale as { selector?: string };
  if (!selector) {
    const message = "the HPA target's scale is missing a selector";
    return report('SelectorRequired', 'InvalidSelector', 'selector is required', message);
  }
  if ('failure' in pods) {
    const cause = `couldn't convert selector into a corresponding internal selector object: ${pods.failure}`;
    return report('InvalidSelector', 'InvalidSelector', cause);
  }
  if (rivals.length < 2) return undefined;
  const cause = `pods by selector ${selector} are controlled by multiple HPAs: [${rivals.join(' ')}]`;
  return report('AmbiguousSelector', 'AmbiguousSelector', cause);
}

/** Reason of the condition, and the beginning of the message, if a metric cannot be computed. */
function failureOf({ type, resource, containerResource, external }: MetricSpec): { reason: string; prefix: string } {
  const subject: Readonly<Record<string, string>> = {
    Resource: `${resource?.name} resource`,
    ContainerResource: `${containerResource?.container} container`,
    Pods: 'pods',
    Object: 'object',
    External: `${external?.metric.name} external`,
  };
  return { reason: `FailedGet${type}Metric`, prefix: `failed to get ${subject[type] ?? type} metric value: ` };
}

function computeOne(
  { autoscaler, pods, usage, now }: Observed,
  currentReplicas: number,
  metric: MetricSpec,
): { replicas: number; name: string; status: MetricStatus } {
  const source = metric.type === 'Resource' ? metric.resource : metric.containerResource;
  if (!['Resource', 'ContainerResource'].includes(metric.type) || !source) throw unsupported(autoscaler, metric);
  const { name: resource, target } = source;
  const container = metric.type === 'ContainerResource' ? metric.containerResource?.container : undefined;
  const byValue = target.averageValue !== undefined;
  const what = byValue ? `failed to get ${resource} usage` : `failed to get ${resource} utilization`;
  if ('failure' in usage) {
    const cause = `unable to get metrics for resource ${resource}: ${usage.failure}`;
    throw new Error(`${what}: ${cause}`);
  }
  try {
    const { replicas, utilization, average } = replicasFor({
      resource,
      container,
      target: byValue ? { value: target.averageValue! } : { utilization: target.averageUtilization ?? 0 },
      currentReplicas,
      tolerance: toleranceOf(autoscaler),
      pods: pods as readonly Pod[],
      usage,
      now,
    });
    const averageValue = quantityText(resource, average);
    const current = { ...(utilization === undefined ? {} : { averageUtilization: utilization }), averageValue };
    const suffix = `${container === undefined ? '' : 'container '}resource utilization (percentage of request)`;
    return {
      replicas,
      name: byValue ? `${resource} resource` : `${resource} ${suffix}`,
      status:
        container === undefined
          ? { type: metric.type, resource: { name: resource, current } }
          : { type: metric.type, containerResource: { name: resource, container, current } },
    };
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`);
  }
}

/** Error for a metric that only an adapter of custom metrics could serve. */
function unsupported({ metadata }: Autoscaler, { type, pods, object, external }: MetricSpec): Error {
  const name = (pods ?? object ?? external)?.metric.name ?? '';
  const missing =
    'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';
  if (type === 'Pods') return new Error(`unable to get metric ${name}: ${missing}`);
  if (type === 'Object') {
    const { kind, name: subject } = object?.describedObject ?? { kind: '', name: '' };
    return new Error(`unable to get metric ${name}: ${kind} on ${metadata.namespace} ${subject}/${missing}`);
  }
  const path = `${metadata.namespace}/${name}/nil`;
  const cause = `the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`;
  return new Error(
    `unable to get external metric ${path}: unable to fetch metrics from external metrics API: ${cause}`,
  );
}

function toleranceOf({ spec }: Autoscaler): Tolerance {
  const of = (text: string | undefined): number =>
    text === undefined ? TOLERANCE : Number(tryParseQuantity(text)?.nanos ?? 0n) / 1e9;
  return { up: of(spec.behavior?.scaleUp?.tolerance), down: of(spec.behavior?.scaleDown?.tolerance) };
}
