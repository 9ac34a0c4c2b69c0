import type { Condition, KubeObject } from '../../api/meta';
import type { LabelSelector } from '../core-v1';
import type { IntOrPercent } from './apps-v1';

export interface DisruptionStatus {
  observedGeneration?: number;
  /** Pods that were evicted and still exist: name -> time of the eviction. */
  disruptedPods?: Record<string, string>;
  disruptionsAllowed: number;
  currentHealthy: number;
  desiredHealthy: number;
  expectedPods: number;
  conditions?: Condition[];
}
export interface PodDisruptionBudget extends KubeObject {
  spec: {
    selector?: LabelSelector;
    minAvailable?: IntOrPercent;
    maxUnavailable?: IntOrPercent;
    unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
  };
  status?: DisruptionStatus;
}

/** Condition that reports whether the budget allows a disruption. */
export function disruptionCondition(
  { conditions = [] }: Pick<DisruptionStatus, 'conditions'>,
  generation: number | undefined,
  allowed: number,
  now: string,
  failure?: string,
): Condition[] {
  const known = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const status = allowed > 0 && failure === undefined ? 'True' : 'False';
  const reason = failure !== undefined ? 'SyncFailed' : allowed > 0 ? 'SufficientPods' : 'InsufficientPods';
  const condition: Condition = {
    type: 'DisruptionAllowed',
    status,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: known?.status === status ? known.lastTransitionTime : now,
    reason,
    message: failure ?? '',
  };
  return known ? conditions.map((other) => (other === known ? condition : other)) : [...conditions, condition];
}
