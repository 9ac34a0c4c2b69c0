import type { Pod } from '../../core-v1';
import type { ReplicaSet, ReplicaSetStatus } from '../apps-v1';
import { isAvailable, isReady } from '../pods';
import { timestamp } from '../status';
import { podsToDelete } from './ranking';

/** Decides which Pods a ReplicaSet creates or deletes, and its status. Pure. */

/** Pods that one pass creates or deletes at most. */
const BURST = 500;

export interface Observed {
  readonly set: ReplicaSet;
  /** Its Pods that count as replicas. */
  readonly active: readonly Pod[];
  /** Its Pods that are being deleted. */
  readonly ending: readonly Pod[];
  /** Pods of all ReplicaSets with the same owner, such as a Deployment. */
  readonly related: readonly Pod[];
  readonly now: number;
}

export type Plan =
  | { readonly do: 'nothing' }
  | { readonly do: 'create'; readonly count: number }
  | { readonly do: 'delete'; readonly pods: readonly Pod[] };

export function decide({ set, active, related, now }: Observed): Plan {
  const surplus = active.length - (set.spec.replicas ?? 1);
  if (set.metadata.deletionTimestamp || surplus === 0) return { do: 'nothing' };
  if (surplus < 0) return { do: 'create', count: Math.min(-surplus, BURST) };
  return { do: 'delete', pods: podsToDelete(active, related, Math.min(surplus, BURST), now) };
}

/** Status after a pass; `failure` is the message of a failed creation or deletion. */
export function statusOf({ set, active, ending, now }: Observed, failure: string | undefined): ReplicaSetStatus {
  const { replicas = 1, minReadySeconds = 0, template } = set.spec;
  const own = Object.entries(template?.metadata?.labels ?? {});
  const count = (of: (pod: Pod) => boolean): number => active.filter(of).length;
  const known = set.status?.conditions ?? [];
  const failed = known.some(({ type }) => type === 'ReplicaFailure');
  const conditions = [...known.filter(({ type }) => failure !== undefined || type !== 'ReplicaFailure')];
  if (failure !== undefined && !failed) {
    conditions.push({
      type: 'ReplicaFailure',
      status: 'True',
      lastTransitionTime: timestamp(now),
      reason: active.length < replicas ? 'FailedCreate' : 'FailedDelete',
      message: failure,
    });
  }
  return {
    replicas: active.length,
    fullyLabeledReplicas:
      count(({ metadata }) => own.every(([key, value]) => metadata.labels?.[key] === value)) || undefined,
    readyReplicas: count(isReady) || undefined,
    availableReplicas: count((pod) => isAvailable(pod, minReadySeconds, now)) || undefined,
    terminatingReplicas: ending.length,
    observedGeneration: set.metadata.generation,
    conditions: conditions.length ? conditions : undefined,
  };
}
