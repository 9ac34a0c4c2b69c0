import type { ObjectMeta, PersistentVolumeClaim, Pod } from '../../core-v1';
import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '../apps-v1';
import { isAvailable, isOver, isReady } from '../pods';
import { templateOf } from '../revisions';
import {
  claimOwners,
  claimsOf,
  firstOrdinal,
  hasIdentity,
  identityLabels,
  isInRange,
  isStale,
  newPod,
  ordinalOf,
  REVISION,
} from './identity';

/** Decides the next step of a StatefulSet. Pure. */

export interface Observed {
  readonly set: StatefulSet;
  /** All its Pods. */
  readonly pods: readonly Pod[];
  /** Revision of Pods that are not updated, and of updated ones. */
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
  /** Finds a claim by its name. */
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  readonly now: number;
}

export type Action =
  | { readonly do: 'create'; readonly pod: Pod; readonly claims: readonly PersistentVolumeClaim[] }
  | { readonly do: 'delete'; readonly pod: Pod }
  | { readonly do: 'label'; readonly pod: Pod; readonly labels: Record<string, string> }
  /** Creates missing claims of a Pod. */
  | { readonly do: 'createClaims'; readonly pod: Pod; readonly claims: readonly PersistentVolumeClaim[] }
  | {
      readonly do: 'ownClaim';
      readonly claim: PersistentVolumeClaim;
      readonly ownerReferences: ObjectMeta['ownerReferences'];
    };

export interface Decision {
  readonly actions: readonly Action[];
  readonly status: StatefulSetStatus;
}

/** Pods that one pass creates at most. */
const BURST = 500;

export function decide(observed: Observed): Decision {
  const actions = observed.set.metadata.deletionTimestamp ? [] : new Step(observed).actions();
  const deleted = actions.filter((action) => action.do === 'delete').map(({ pod }) => pod);
  return { actions, status: statusOf(observed, deleted) };
}

const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[REVISION] ?? '';
const isEnding = ({ metadata }: Pod): boolean => Boolean(metadata.deletionTimestamp);
const isRunningAndReady = (pod: Pod): boolean => pod.status?.phase === 'Running' && isReady(pod);

class Step {
  private readonly result: Action[] = [];
  private readonly isOrdered: boolean;
  private readonly byOrdinal: ReadonlyMap<number, Pod>;
  /** Pods in the order of their numbers; a number without a Pod has a new one. */
  private readonly replicas: Pod[] = [];
  private readonly missing = new Set<Pod>();
  /** Pods whose number is not in the range any more, the highest first. */
  private readonly condemned: Pod[];

  public constructor(private readonly observed: Observed) {
    const { set, pods } = observed;
    this.isOrdered = set.spec.podManagementPolicy !== 'Parallel';
    this.byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod) ?? -1, pod]));
    this.condemned = [...this.byOrdinal]
      .filter(([ordinal]) => ordinal >= 0 && !isInRange(set, ordinal))
      .sort(([a], [b]) => b - a)
      .map(([, pod]) => pod);
  }

  public actions(): Action[] {
    if (this.keepReplicas() && this.endCondemned()) this.update();
    return this.result;
  }

  /** Pods below the partition are created with the current revision, others with the new one. */
  private newPod(ordinal: number): Pod {
    const { set, current, update } = this.observed;
    const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
    const kept = rollingUpdate
      ? (rollingUpdate.partition ?? 0)
      : type === 'RollingUpdate'
        ? (set.status?.currentReplicas ?? 0)
        : 0;
    const revision = ordinal < firstOrdinal(set) + kept ? current : update;
    return newPod(set, templateOf(revision), ordinal, revision.metadata.name ?? '');
  }

  /** Returns whether Pods may be deleted now: in order, only when all replicas are available. */
  private keepReplicas(): boolean {
    const { set, now } = this.observed;
    const first = firstOrdinal(set);
    for (let i = 0; i < (set.spec.replicas ?? 1); i++) {
      // the number of replicas is up to the user: the next pass continues
      if (this.missing.size >= BURST) return false;
      const pod = this.byOrdinal.get(first + i) ?? this.addMissing(first + i);
      this.replicas.push(pod);
      const isDone = this.keep(pod);
      if (!this.isOrdered) continue;
      if (!isDone || isEnding(pod) || !isRunningAndReady(pod)) return false;
      if (!isAvailable(pod, set.spec.minReadySeconds ?? 0, now)) return false;
    }
    return true;
  }

  private addMissing(ordinal: number): Pod {
    const pod = this.newPod(ordinal);
    this.missing.add(pod);
    return pod;
  }

  /** Returns whether the Pod exists and has not ended. */
  private keep(pod: Pod): boolean {
    const { set, claim } = this.observed;
    const name = pod.metadata.name ?? '';
    const ordinal = ordinalOf(set, pod) ?? 0;
    const claims = claimsOf(set, ordinal);
    if (isOver(pod)) {
      if (!isEnding(pod)) this.result.push({ do: 'delete', pod });
      return false;
    }
    const found = claims.map(({ metadata }) => claim(metadata.name ?? ''));
    if (this.missing.has(pod)) {
      const stale = found.some((own) => own && isStale(set, name, own));
      if (!stale) this.result.push({ do: 'create', pod, claims });
      return false;
    }
    const isPending = pod.status?.phase === 'Pending';
    if (isPending && found.some((own) => !own)) this.result.push({ do: 'createClaims', pod, claims });
    if (isPending || !this.isOrdered || isRunningAndReady(pod)) this.ownClaims(pod, found);
    if (!hasIdentity(pod)) this.result.push({ do: 'label', pod, labels: identityLabels(name, ordinal) });
    return true;
  }

  private ownClaims(pod: Pod, claims: readonly (PersistentVolumeClaim | undefined)[]): void {
    for (const claim of claims) {
      const ownerReferences = claim && claimOwners(this.observed.set, pod, claim);
      if (ownerReferences) this.result.push({ do: 'ownClaim', claim, ownerReferences });
    }
  }

  /** Deletes Pods that are too many; returns whether none is left to delete. */
  private endCondemned(): boolean {
    const { set, claim, now } = this.observed;
    for (const pod of this.condemned) {
      const claims = claimsOf(set, ordinalOf(set, pod) ?? 0);
      this.ownClaims(
        pod,
        claims.map(({ metadata }) => claim(metadata.name ?? '')),
      );
    }
    const unavailable = [...this.replicas, ...[...this.condemned].reverse()].find((pod) => this.isUnavailable(pod));
    for (const pod of this.condemned) {
      if (isEnding(pod)) {
        if (this.isOrdered) return false;
        continue;
      }
      const isWaiting = !isRunningAndReady(pod) || !isAvailable(pod, set.spec.minReadySeconds ?? 0, now);
      if (this.isOrdered && isWaiting && pod !== unavailable) return false;
      this.result.push({ do: 'delete', pod });
      if (this.isOrdered) return false;
    }
    return true;
  }

  private isUnavailable(pod: Pod): boolean {
    const { set, now } = this.observed;
    return !isAvailable(pod, set.spec.minReadySeconds ?? 0, now) || isEnding(pod);
  }

  /** Deletes the highest Pod that has an old revision, one at a time. */
  private update(): void {
    const { set, update } = this.observed;
    if (set.spec.updateStrategy?.type === 'OnDelete') return;
    const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
    for (const pod of this.replicas.slice(partition).reverse()) {
      if (revisionOf(pod) !== update.metadata.name && !isEnding(pod)) {
        this.result.push({ do: 'delete', pod });
        return;
      }
      if (this.isUnavailable(pod)) return;
    }
  }
}

function statusOf(observed: Observed, deleted: readonly Pod[]): StatefulSetStatus {
  const { set, pods, current, update, collisionCount, now } = observed;
  const { replicas: wanted = 1, minReadySeconds = 0, updateStrategy } = set.spec;
  const count = (of: (pod: Pod) => boolean): number => pods.filter(of).length;
  const counted = (revision: ControllerRevision) =>
    count((pod) => !isEnding(pod) && revisionOf(pod) === revision.metadata.name);
  const ready = count(isRunningAndReady);
  const updated = counted(update);
  // a Pod that is deleted in order to be updated does not count as current
  const ended = deleted.filter((pod) => {
    const ordinal = ordinalOf(set, pod);
    return (
      !isOver(pod) && ordinal !== undefined && isInRange(set, ordinal) && revisionOf(pod) === current.metadata.name
    );
  });
  const isRolling = (updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
  const isComplete = isRolling && updated === wanted && ready === wanted && pods.length === wanted;
  return {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: ready || undefined,
    currentReplicas: (isComplete ? updated : counted(current) - ended.length) || undefined,
    updatedReplicas: updated || undefined,
    availableReplicas: count((pod) => isRunningAndReady(pod) && isAvailable(pod, minReadySeconds, now)),
    currentRevision: (isComplete ? update : current).metadata.name,
    updateRevision: update.metadata.name,
    collisionCount,
    conditions: set.status?.conditions,
  };
}

/** Revisions that no Pod has and that the limit of the history does not allow, the oldest first. */
export function surplusRevisions(
  { set, pods, current, update }: Observed,
  revisions: readonly ControllerRevision[],
): ControllerRevision[] {
  const limit = set.spec.revisionHistoryLimit ?? 10;
  const live = new Set([current.metadata.name, update.metadata.name, ...pods.map(revisionOf)]);
  const old = revisions.filter(({ metadata }) => !live.has(metadata.name));
  return limit < 0 ? [] : old.slice(0, Math.max(0, old.length - limit));
}
