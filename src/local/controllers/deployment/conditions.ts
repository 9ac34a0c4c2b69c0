import type { ConditionStatus } from '../../../api/meta';
import type { Deployment, DeploymentStatus, ReplicaSet, WorkloadCondition } from '../apps-v1';
import { timestamp } from '../status';
import { maxUnavailable } from './limits';

/** Status and conditions of a Deployment. Pure. */

type Conditions = readonly WorkloadCondition[];

const NO_LIMIT = 2147483647;

export const hasDeadline = ({ spec }: Deployment): boolean =>
  spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== NO_LIMIT;

export const hasHistoryLimit = ({ spec }: Deployment): boolean =>
  spec.revisionHistoryLimit !== undefined && spec.revisionHistoryLimit !== NO_LIMIT;

export const conditionOf = (conditions: Conditions | undefined, type: string): WorkloadCondition | undefined =>
  conditions?.find((condition) => condition.type === type);

export function condition(
  type: string,
  status: ConditionStatus,
  reason: string,
  message: string,
  now: number,
): WorkloadCondition {
  const at = timestamp(now);
  return { type, status, lastUpdateTime: at, lastTransitionTime: at, reason, message };
}

/** Adds or replaces a condition; one with the same status and reason is kept. */
export function withCondition(conditions: Conditions = [], next: WorkloadCondition): WorkloadCondition[] {
  const current = conditionOf(conditions, next.type);
  if (current?.status === next.status && current.reason === next.reason) return [...conditions];
  const since = current?.status === next.status ? current.lastTransitionTime : next.lastTransitionTime;
  return [...without(conditions, next.type), { ...next, lastTransitionTime: since }];
}

const without = (conditions: Conditions, type: string): WorkloadCondition[] =>
  conditions.filter((condition) => condition.type !== type);

/** Whether all desired Pods are updated and available, and no old ones are left. */
export function isComplete({ spec, metadata }: Deployment, status: DeploymentStatus): boolean {
  const { replicas = 1 } = spec;
  return (
    (status.updatedReplicas ?? 0) === replicas &&
    (status.replicas ?? 0) === replicas &&
    (status.availableReplicas ?? 0) === replicas &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}

const sum = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number | undefined): number =>
  sets.reduce((total, set) => total + (of(set) ?? 0), 0);

/** Numbers of all ReplicaSets, and the condition Available. */
export function countedStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  conditions: Conditions,
  now: number,
): DeploymentStatus {
  const available = sum(sets, ({ status }) => status?.availableReplicas);
  const enough = available >= (deployment.spec.replicas ?? 1) - maxUnavailable(deployment);
  // a ReplicaSet that its controller has not seen has no Pods; one that it has seen reports the number
  const silent = sets.some(({ status }) => status?.observedGeneration && status.terminatingReplicas === undefined);
  return {
    observedGeneration: deployment.metadata.generation,
    replicas: sum(sets, ({ status }) => status?.replicas) || undefined,
    updatedReplicas: newSet?.status?.replicas || undefined,
    readyReplicas: sum(sets, ({ status }) => status?.readyReplicas) || undefined,
    availableReplicas: available || undefined,
    unavailableReplicas: Math.max(0, sum(sets, ({ spec }) => spec.replicas ?? 1) - available) || undefined,
    terminatingReplicas: silent ? undefined : sum(sets, ({ status }) => status?.terminatingReplicas),
    collisionCount: deployment.status?.collisionCount,
    conditions: withCondition(
      conditions,
      enough
        ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
        : condition(
            'Available',
            'False',
            'MinimumReplicasUnavailable',
            'Deployment does not have minimum availability.',
            now,
          ),
    ),
  };
}

/** Adds the progress of a rollout, and failures of the ReplicaSets. */
export function rolloutStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  conditions: Conditions,
  now: number,
): DeploymentStatus {
  const status = countedStatus(deployment, sets, newSet, conditions, now);
  const before = conditionOf(conditions, 'Progressing');
  let next = status.conditions ?? [];
  if (!hasDeadline(deployment)) next = without(next, 'Progressing');
  else if (!(status.replicas === status.updatedReplicas && before?.reason === 'NewReplicaSetAvailable')) {
    next = withProgress(deployment, { ...status, conditions: next }, newSet, before, now);
  }
  const failure = failureOf(newSet ? [newSet] : []) ?? failureOf(sets);
  next = failure ? withCondition(next, failure) : without(next, 'ReplicaFailure');
  return { ...status, conditions: next };
}

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  newSet: ReplicaSet | undefined,
  before: WorkloadCondition | undefined,
  now: number,
): WorkloadCondition[] {
  const { conditions = [] } = status;
  const what = newSet ? `ReplicaSet "${newSet.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const progressing = (on: ConditionStatus, reason: string, message: string): WorkloadCondition =>
    condition('Progressing', on, reason, `${what} ${message}`, now);
  if (isComplete(deployment, status)) {
    return withCondition(conditions, progressing('True', 'NewReplicaSetAvailable', 'has successfully progressed.'));
  }
  if (isProgress(deployment.status ?? {}, status)) {
    const next = progressing('True', 'ReplicaSetUpdated', 'is progressing.');
    const since = before?.status === 'True' ? before.lastTransitionTime : next.lastTransitionTime;
    return [...without(conditions, 'Progressing'), { ...next, lastTransitionTime: since }];
  }
  if (!hasTimedOut(deployment, conditions, now)) return [...conditions];
  return withCondition(conditions, progressing('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'));
}

/** Whether Pods were updated, became ready or available, or old ones were removed. */
function isProgress(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number => replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function hasTimedOut(deployment: Deployment, conditions: Conditions, now: number): boolean {
  const current = conditionOf(conditions, 'Progressing');
  if (!current || current.reason === 'NewReplicaSetAvailable') return false;
  if (current.reason === 'ProgressDeadlineExceeded') return true;
  return deadlineOf(deployment, current) < now;
}

const deadlineOf = ({ spec }: Deployment, { lastUpdateTime }: WorkloadCondition): number =>
  Date.parse(lastUpdateTime ?? '') + (spec.progressDeadlineSeconds ?? 0) * 1000;

/** Time until a rollout without progress times out; undefined if it is complete or has timed out. */
export function untilDeadline(deployment: Deployment, status: DeploymentStatus, now: number): number | undefined {
  const current = conditionOf(status.conditions, 'Progressing');
  if (!hasDeadline(deployment) || !current || isComplete(deployment, status)) return undefined;
  if (current.reason === 'ProgressDeadlineExceeded') return undefined;
  // a second more, because times of conditions have no fractions
  return Math.max(0, deadlineOf(deployment, current) - now) + 1000;
}

function failureOf(sets: readonly ReplicaSet[]): WorkloadCondition | undefined {
  const found = sets.map(({ status }) => conditionOf(status?.conditions, 'ReplicaFailure')).find(Boolean);
  return found && { ...found, lastUpdateTime: found.lastTransitionTime ?? undefined };
}

/** Conditions after the spec was paused or resumed: the time of a pause does not count as lack of progress. */
export function pausedConditions(deployment: Deployment, now: number): WorkloadCondition[] | undefined {
  const { conditions = [] } = deployment.status ?? {};
  const current = conditionOf(conditions, 'Progressing');
  if (!hasDeadline(deployment) || current?.reason === 'ProgressDeadlineExceeded') return undefined;
  const isMarked = current?.reason === 'DeploymentPaused';
  if (Boolean(deployment.spec.paused) === isMarked) return undefined;
  const next = isMarked
    ? condition('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed', now)
    : condition('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused', now);
  return withCondition(conditions, next);
}
