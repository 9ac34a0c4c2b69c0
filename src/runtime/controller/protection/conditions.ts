import { isoTime } from '../instance/phase';
import type { snapshot } from '../../../api';

type Condition = snapshot.Condition;

/** Condition of a snapshot, restore or clone, without its times. */
export interface Verdict {
  readonly type: 'Ready' | 'Progressing' | 'Failure';
  readonly isTrue: boolean;
  readonly reason: string;
  readonly message?: string;
}

/** Replaces conditions; an unchanged one keeps its times. */
export function withConditions(
  before: readonly Condition[] = [],
  verdicts: readonly Verdict[],
  now: number,
): Condition[] {
  return verdicts.reduce<Condition[]>(
    (list, { type, isTrue, reason, message }) => {
      const status = isTrue ? 'True' : 'False';
      const old = list.find((condition) => condition.type === type);
      if (old?.status === status && old.reason === reason && old.message === message) return list;
      const lastTransitionTime = old?.status === status ? old.lastTransitionTime : isoTime(now);
      const next: Condition = { type, status, reason, ...(message && { message }), lastTransitionTime };
      return old ? list.map((condition) => (condition === old ? next : condition)) : [...list, next];
    },
    [...before],
  );
}

export const isTrue = (conditions: readonly Condition[] | undefined, type: Verdict['type']): boolean =>
  conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
