import { deepEqual } from '../../api-server/json/values';
import type { Pod } from '../../core-v1';
import { scaled } from '../amounts';
import { controllerOf } from '../informers';
import { isReady } from '../pods';
import { disruptionCondition, type DisruptionStatus, type PodDisruptionBudget } from '../policy-v1';
import { timestamp } from '../status';

export interface Observed {
  readonly budget: PodDisruptionBudget;
  /** Pods that the budget selects. */
  readonly pods: readonly Pod[];
  /** Number of Pods that the controllers of these Pods should have, or why it is unknown. */
  readonly expected: number | { readonly failure: string };
  readonly now: number;
}

export interface Plan {
  readonly status: DisruptionStatus;
  /** Time until an evicted Pod that still exists counts again. */
  readonly requeueAfterMs?: number;
  /** Pods that were evicted and never deleted. */
  readonly notDeleted: readonly Pod[];
}

/** Time within which an evicted Pod is deleted; later it counts again. */
const DELETION_MS = 120_000;

/** Whether the budget depends on the number of Pods that should exist. */
export const needsScale = ({ spec }: PodDisruptionBudget): boolean =>
  spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string';

/** Computes the status of a budget. Pure. */
export function decide({ budget, pods, expected, now }: Observed): Plan {
  const { metadata, spec, status: before } = budget;
  const { generation } = metadata;
  if (typeof expected !== 'number') {
    const known = { ...EMPTY, ...before, disruptionsAllowed: 0 };
    const observed = before?.observedGeneration;
    const conditions = disruptionCondition(known, observed, 0, timestamp(now), expected.failure);
    return { status: { ...known, conditions }, notDeleted: [] };
  }
  const { disruptedPods, notDeleted, requeueAfterMs } = disrupted(pods, before?.disruptedPods ?? {}, now);
  const currentHealthy = pods.filter((pod) => isHealthy(pod, disruptedPods)).length;
  const desiredHealthy =
    spec.maxUnavailable === undefined
      ? scaled(spec.minAvailable, expected, 'up')
      : Math.max(0, expected - scaled(spec.maxUnavailable, expected, 'up'));
  const disruptionsAllowed = expected > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const status = {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(Object.keys(disruptedPods).length ? { disruptedPods } : {}),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods: expected,
    conditions: disruptionCondition(before ?? {}, generation, disruptionsAllowed, timestamp(now)),
  };
  return { status, notDeleted, requeueAfterMs };
}

const EMPTY = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

/** Whether the status has to be written. */
export const differs = ({ status }: PodDisruptionBudget, next: DisruptionStatus): boolean => !deepEqual(status, next);

const isHealthy = (pod: Pod, disruptedPods: Readonly<Record<string, string>>): boolean =>
  !pod.metadata.deletionTimestamp && !Object.hasOwn(disruptedPods, pod.metadata.name ?? '') && isReady(pod);

/** Evicted Pods that are not being deleted yet. */
function disrupted(pods: readonly Pod[], before: Readonly<Record<string, string>>, now: number) {
  const disruptedPods: Record<string, string> = {};
  const notDeleted: Pod[] = [];
  let until = Infinity;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    if (deletionTimestamp || !Object.hasOwn(before, name)) continue;
    const end = Date.parse(before[name]!) + DELETION_MS;
    if (end < now) notDeleted.push(pod);
    else {
      disruptedPods[name] = before[name]!;
      until = Math.min(until, end);
    }
  }
  return { disruptedPods, notDeleted, ...(until < Infinity ? { requeueAfterMs: until - now + 1 } : {}) };
}

/** Time until the condition that announced a disruption of this Pod is stale; undefined if there is none. Pure. */
export function untilStale({ metadata, status }: Pod, now: number): number | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (metadata.deletionTimestamp || condition?.status !== 'True') return undefined;
  if (condition.reason === 'TerminationByKubelet') return undefined;
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined;
  return Math.max(0, Date.parse(condition.lastTransitionTime ?? '') + DELETION_MS - now) || 0;
}

/** Names of Pods without a controller. */
export const unmanaged = (pods: readonly Pod[]): string[] =>
  pods.filter(({ metadata }) => !controllerOf(metadata)).map(({ metadata }) => metadata.name ?? '');

/** A selector as events print it. */
export function goSelector({ selector }: PodDisruptionBudget['spec']): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const expressions = (selector?.matchExpressions ?? []) as { key: string; operator: string; values?: string[] }[];
  const listed = expressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],}`,
  );
  const matched = labels.map(([key, value]) => `${key}: ${value},`).join('');
  const expressed = `[]LabelSelectorRequirement{${listed.map((text) => `${text},`).join('')}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${matched}},MatchExpressions:${expressed},}`;
}
