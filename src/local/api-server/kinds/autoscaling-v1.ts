import { clone, isMap } from '../json/values';
import { AnyObject } from '../types';

/** Facts of version 2 that version 1 has no fields for travel in these annotations. */
const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
const CURRENT_METRICS = 'autoscaling.alpha.kubernetes.io/current-metrics';
const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';
const ROUND_TRIP = [METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR];

type Any = AnyObject['spec'];

const isCpu = (metric: Any): boolean => metric.type === 'Resource' && metric.resource?.name === 'cpu';
const isCpuTarget = (metric: Any): boolean => isCpu(metric) && metric.resource.target?.averageUtilization !== undefined;

/** The autoscaler in version 1, from version 2 as it is stored. */
export function toV1(stored: AnyObject): AnyObject {
  const { spec = {}, status = {} } = stored;
  const metrics: Any[] = spec.metrics ?? [];
  const current: Any[] = status.currentMetrics ?? [];
  const others = metrics.filter((metric) => !isCpuTarget(metric)).map(specToV1);
  const notes: Record<string, string> = {};
  if (others.length) notes[METRICS] = JSON.stringify(others);
  if (current.length) notes[CURRENT_METRICS] = JSON.stringify(current.map(statusToV1));
  if (spec.behavior) notes[BEHAVIOR] = JSON.stringify(behaviorToNote(spec.behavior));
  if (status.conditions?.length) notes[CONDITIONS] = JSON.stringify(status.conditions);
  const annotations = { ...withoutNotes(stored.metadata.annotations), ...notes };
  const { annotations: _old, ...metadata } = stored.metadata;
  const cpu = metrics.find(isCpuTarget)?.resource.target.averageUtilization;
  const usage = current.filter(isCpu).findLast(({ resource }) => resource.current?.averageUtilization !== undefined);
  return {
    ...stored,
    apiVersion: 'autoscaling/v1',
    metadata: { ...metadata, ...(Object.keys(annotations).length ? { annotations } : {}) },
    spec: {
      scaleTargetRef: spec.scaleTargetRef,
      ...given({ minReplicas: spec.minReplicas }),
      maxReplicas: spec.maxReplicas,
      ...given({ targetCPUUtilizationPercentage: cpu }),
    },
    status: {
      ...given({ observedGeneration: status.observedGeneration, lastScaleTime: status.lastScaleTime }),
      currentReplicas: status.currentReplicas ?? 0,
      desiredReplicas: status.desiredReplicas ?? 0,
      ...given({ currentCPUUtilizationPercentage: usage?.resource.current.averageUtilization }),
    },
  };
}

/** The autoscaler in version 2, from version 1. */
export function fromV1(object: AnyObject): AnyObject {
  const next = clone(object);
  const { spec = {}, status = {} } = next;
  const notes = next.metadata.annotations ?? {};
  const cpu = spec.targetCPUUtilizationPercentage;
  const metrics = [
    ...listOf(notes[METRICS]).map(specFromV1),
    ...(cpu === undefined ? [] : [cpuMetric({ target: { type: 'Utilization', averageUtilization: cpu } })]),
  ];
  const noted = listOf(notes[CURRENT_METRICS]).map(statusFromV1);
  const usage = status.currentCPUUtilizationPercentage;
  const current = noted.length
    ? noted
    : usage === undefined
      ? []
      : [cpuMetric({ current: { averageUtilization: usage } })];
  const behavior = behaviorFromNote(notes[BEHAVIOR]);
  const conditions = listOf(notes[CONDITIONS]);
  const annotations = withoutNotes(notes);
  if (Object.keys(annotations).length) next.metadata.annotations = annotations;
  else delete next.metadata.annotations;
  next.apiVersion = 'autoscaling/v2';
  next.spec = {
    ...given({ scaleTargetRef: spec.scaleTargetRef, minReplicas: spec.minReplicas, maxReplicas: spec.maxReplicas }),
    ...(metrics.length ? { metrics } : {}),
    ...given({ behavior }),
  };
  const { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas } = status;
  next.status = {
    ...given({ observedGeneration, lastScaleTime, currentReplicas: currentReplicas || undefined }),
    desiredReplicas: desiredReplicas ?? 0,
    currentMetrics: current.length ? current : null,
    ...(conditions.length ? { conditions } : {}),
  };
  return next;
}

const cpuMetric = (facts: object) => ({ type: 'Resource', resource: { name: 'cpu', ...facts } });

const withoutNotes = (annotations: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(annotations).filter(([name]) => !ROUND_TRIP.includes(name)));

/** Fields that are set. */
const given = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A list of objects in an annotation; one that users broke counts as absent. */
function listOf(text: string | undefined): Any[] {
  const value = parsed(text);
  return Array.isArray(value) ? value.filter(isMap) : [];
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function specToV1({ type, object, pods, resource, containerResource, external }: Any): Any {
  return given({
    type,
    object: object && {
      target: referenceToV1(object.describedObject),
      metricName: object.metric?.name,
      targetValue: object.target?.value ?? '0',
      ...given({ selector: object.metric?.selector, averageValue: object.target?.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric?.name,
      targetAverageValue: pods.target?.averageValue ?? '0',
      ...given({ selector: pods.metric?.selector }),
    },
    resource: resource && { name: resource.name, ...targetToV1(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...targetToV1(containerResource.target),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric?.name,
      ...given({
        metricSelector: external.metric?.selector,
        targetValue: external.target?.value,
        targetAverageValue: external.target?.averageValue,
      }),
    },
  });
}

const referenceToV1 = ({ kind, name, apiVersion }: Any = {}) => ({ kind, name, ...given({ apiVersion }) });

const targetToV1 = (target: Any = {}) =>
  given({ targetAverageUtilization: target.averageUtilization, targetAverageValue: target.averageValue });

function specFromV1({ type, object, pods, resource, containerResource, external }: Any): Any {
  return given({
    type,
    object: object && {
      describedObject: object.target,
      metric: given({ name: object.metricName, selector: object.selector }),
      target: given({
        type: object.averageValue === undefined ? 'Value' : 'AverageValue',
        value: object.averageValue !== undefined && object.targetValue === '0' ? undefined : object.targetValue,
        averageValue: object.averageValue,
      }),
    },
    pods: pods && {
      metric: given({ name: pods.metricName, selector: pods.selector }),
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    },
    resource: resource && { name: resource.name, target: targetFromV1(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      target: targetFromV1(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: given({ name: external.metricName, selector: external.metricSelector }),
      target: given({
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      }),
    },
  });
}

const targetFromV1 = (source: Any) =>
  given({
    type: source.targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageUtilization: source.targetAverageUtilization,
    averageValue: source.targetAverageValue,
  });

function statusToV1({ type, object, pods, resource, containerResource, external }: Any): Any {
  const usage = (source: Any) => ({
    name: source.name,
    ...given({ currentAverageUtilization: source.current?.averageUtilization }),
    currentAverageValue: source.current?.averageValue ?? '0',
  });
  return given({
    type,
    object: object && {
      target: referenceToV1(object.describedObject),
      metricName: object.metric?.name,
      currentValue: object.current?.value ?? '0',
      ...given({ selector: object.metric?.selector, averageValue: object.current?.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric?.name,
      currentAverageValue: pods.current?.averageValue ?? '0',
      ...given({ selector: pods.metric?.selector }),
    },
    resource: resource && usage(resource),
    containerResource: containerResource && { ...usage(containerResource), container: containerResource.container },
    external: external && {
      metricName: external.metric?.name,
      ...given({ metricSelector: external.metric?.selector }),
      currentValue: external.current?.value ?? '0',
      ...given({ currentAverageValue: external.current?.averageValue }),
    },
  });
}

function statusFromV1({ type, object, pods, resource, containerResource, external }: Any): Any {
  const usage = (source: Any) =>
    given({ averageUtilization: source.currentAverageUtilization, averageValue: source.currentAverageValue });
  const metric = (source: Any) =>
    given({ name: source.metricName, selector: source.selector ?? source.metricSelector });
  return given({
    type,
    object: object && {
      metric: metric(object),
      current: given({ value: object.currentValue, averageValue: object.averageValue }),
      describedObject: object.target,
    },
    pods: pods && { metric: metric(pods), current: given({ averageValue: pods.currentAverageValue }) },
    resource: resource && { name: resource.name, current: usage(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      current: usage(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: metric(external),
      current: given({ value: external.currentValue, averageValue: external.currentAverageValue }),
    },
  });
}

/** The note spells fields in capitals and prints absent ones as null. */
function behaviorToNote({ scaleUp, scaleDown }: Any): Any {
  const rules = (given_: Any) =>
    given_ === undefined
      ? null
      : {
          StabilizationWindowSeconds: given_.stabilizationWindowSeconds ?? null,
          SelectPolicy: given_.selectPolicy ?? null,
          Policies:
            given_.policies?.map(({ type, value, periodSeconds }: Any) => ({
              Type: type,
              Value: value,
              PeriodSeconds: periodSeconds,
            })) ?? null,
          Tolerance: given_.tolerance ?? null,
        };
  return { ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) };
}

function behaviorFromNote(text: string | undefined): Any {
  const value = parsed(text);
  if (!isMap(value)) return undefined;
  const set = (field: unknown): unknown => field ?? undefined;
  const rules = (noted: Any) =>
    isMap(noted)
      ? given({
          stabilizationWindowSeconds: set(noted.StabilizationWindowSeconds),
          selectPolicy: set(noted.SelectPolicy),
          policies: Array.isArray(noted.Policies)
            ? noted.Policies.filter(isMap).map(({ Type, Value, PeriodSeconds }) =>
                given({ type: Type, value: Value, periodSeconds: PeriodSeconds }),
              )
            : undefined,
          tolerance: set(noted.Tolerance),
        })
      : undefined;
  const behavior = given({ scaleUp: rules(value.ScaleUp), scaleDown: rules(value.ScaleDown) });
  return Object.keys(behavior).length ? behavior : undefined;
}
