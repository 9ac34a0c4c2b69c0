import type { Deployment, ReplicaSet } from '../apps-v1';
import { isRolling, maxSurge, maxUnavailable } from './limits';
import { annotation, byAge } from './revisions';

/** Sizes of a Deployment's ReplicaSets. Pure: each function returns the sizes that change, by UID of the ReplicaSet. */

export type Sizes = Map<string, number>;

export const sizeOf = ({ spec }: ReplicaSet): number => spec.replicas ?? 1;
const idOf = ({ metadata }: ReplicaSet): string => metadata.uid ?? '';
const available = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;
const total = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number =>
  sets.reduce((sum, set) => sum + of(set), 0);

const numberIn = ({ metadata }: ReplicaSet, name: string): number | undefined => {
  const text = metadata.annotations?.[name] ?? '';
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return value <= 2147483647 ? value : undefined;
};

/** Whether the Deployment was scaled since its ReplicaSets last got their sizes. */
export const isScaling = ({ spec }: Deployment, sets: readonly ReplicaSet[]): boolean =>
  sets.some((set) => {
    const desired = numberIn(set, annotation.desired);
    return sizeOf(set) > 0 && desired !== undefined && desired !== (spec.replicas ?? 1);
  });

/** Size of the new ReplicaSet in a rollout: as many Pods as the surge allows. */
export function newSetSize(deployment: Deployment, sets: readonly ReplicaSet[], current: number): number {
  const { replicas = 1 } = deployment.spec;
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurge(deployment) - total(sets, sizeOf);
  return room <= 0 ? current : current + Math.min(room, replicas - current);
}

/** Sizes of old ReplicaSets in a rolling update: first their Pods that are not available end, then available ones. */
export function shrinkOld(deployment: Deployment, old: readonly ReplicaSet[], newSet: ReplicaSet): Sizes {
  const sizes: Sizes = new Map();
  const active = old.filter((set) => sizeOf(set) > 0).sort(byAge);
  const minimum = (deployment.spec.replicas ?? 1) - maxUnavailable(deployment);
  const missing = sizeOf(newSet) - available(newSet);
  const most = total([...active, newSet], sizeOf) - minimum - missing;
  if (!active.length || most <= 0) return sizes;
  let ended = 0;
  for (const set of active) {
    const count = Math.min(most - ended, sizeOf(set) - available(set));
    if (count <= 0) continue;
    sizes.set(idOf(set), sizeOf(set) - count);
    ended += count;
  }
  let spare = total([...active, newSet], available) - minimum;
  for (const set of active) {
    const size = sizes.get(idOf(set)) ?? sizeOf(set);
    const count = Math.min(spare, size);
    if (count <= 0) continue;
    sizes.set(idOf(set), size - count);
    spare -= count;
  }
  return sizes;
}

export interface Scaling {
  readonly sizes: Sizes;
  /** Whether the annotations of these ReplicaSets are renewed although their size is kept. */
  readonly renews: boolean;
}

/** Sizes after the Deployment was scaled or while it is paused: a rollout in progress keeps its proportions. */
export function scale(deployment: Deployment, newSet: ReplicaSet | undefined, old: readonly ReplicaSet[]): Scaling {
  const { replicas = 1 } = deployment.spec;
  const sets = [...old].sort((a, b) => byAge(b, a));
  if (newSet) sets.push(newSet);
  const active = sets.filter((set) => sizeOf(set) > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? newSet ?? sets[0]);
  // even if it has the right size: with an old annotation, it would count as scaling forever
  if (only) return { sizes: new Map([[idOf(only), replicas]]), renews: true };
  if (newSet && isSaturated(deployment, newSet)) {
    const ended = active.filter((set) => set !== newSet);
    return { sizes: new Map(ended.map((set) => [idOf(set), 0])), renews: false };
  }
  if (!isRolling(deployment)) return { sizes: new Map(), renews: false };
  return { sizes: share(deployment, active), renews: true };
}

const isSaturated = ({ spec }: Deployment, set: ReplicaSet): boolean => {
  const { replicas = 1 } = spec;
  return sizeOf(set) === replicas && numberIn(set, annotation.desired) === replicas && available(set) === replicas;
};

/** Distributes the difference over the active ReplicaSets in proportion to their sizes, starting with the largest. */
function share(deployment: Deployment, active: readonly ReplicaSet[]): Sizes {
  const { replicas = 1 } = deployment.spec;
  const allowed = replicas > 0 ? replicas + maxSurge(deployment) : 0;
  const toAdd = allowed - total(active, sizeOf);
  const sets = [...active].sort((a, b) => sizeOf(b) - sizeOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)));
  const sizes: Sizes = new Map();
  let added = 0;
  for (const set of sets) {
    const part = toAdd === 0 || toAdd === added ? 0 : fractionOf(deployment, set);
    const count = toAdd > 0 ? Math.min(part, toAdd - added) : Math.max(part, toAdd - added);
    sizes.set(idOf(set), sizeOf(set) + (toAdd === 0 ? 0 : count));
    added += toAdd === 0 ? 0 : count;
  }
  const [largest] = sets;
  if (largest && toAdd !== 0) {
    sizes.set(idOf(largest), Math.max(0, (sizes.get(idOf(largest)) ?? 0) + toAdd - added));
  }
  return sizes;
}

/** Change of a ReplicaSet's size in proportion to the change of the Deployment. */
function fractionOf(deployment: Deployment, set: ReplicaSet): number {
  const { replicas = 1 } = deployment.spec;
  if (replicas === 0) return -sizeOf(set);
  const before = numberIn(set, annotation.max) || (deployment.status?.replicas ?? 0);
  if (!before) return 0;
  const exact = (sizeOf(set) * (replicas + maxSurge(deployment))) / before;
  return Math.round(exact) - sizeOf(set);
}
