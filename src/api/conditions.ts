import { Condition, ConditionStatus } from './meta';

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** Condition without its times, which {@link withCondition} adds. */
export interface Verdict {
  type: string;
  status: ConditionStatus;
  reason?: string;
  message?: string;
}

/**
 * Returns the list with this condition set. `lastTransitionTime` changes only with the status, and an unchanged
 * condition returns the same list, so that comparing by identity or value finds nothing to write.
 */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  verdict: Verdict,
  now: string,
): Condition[] {
  const list = conditions ?? [];
  const old = findCondition(list, verdict.type);
  if (old?.status === verdict.status && old.reason === verdict.reason && old.message === verdict.message) {
    return list as Condition[];
  }
  const next: Condition = {
    ...verdict,
    lastProbeTime: null,
    lastTransitionTime: old?.status === verdict.status ? (old.lastTransitionTime ?? now) : now,
  };
  return old ? list.map((condition) => (condition === old ? next : condition)) : [...list, next];
}

export function withoutCondition(conditions: readonly Condition[] | undefined, type: string): Condition[] {
  const list = conditions ?? [];
  return findCondition(list, type) ? list.filter((condition) => condition.type !== type) : (list as Condition[]);
}
