import { deepEqual } from '../../api-server/json/values';
import type { Pod } from '../../core-v1';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../apps-v1';
import { controllerRef } from '../../../api/owner';
import { isOver } from '../pods';
import { TEMPLATE_HASH, templateHash } from '../template-hash';
import {
  condition,
  conditionOf,
  countedStatus,
  hasDeadline,
  hasHistoryLimit,
  isComplete,
  pausedConditions,
  rolloutStatus,
  untilDeadline,
  withCondition,
} from './conditions';
import { isRolling } from './limits';
import { annotation, byRevision, latestRevision, newSetAnnotations, newSetOf, sizeAnnotations } from './revisions';
import { isScaling, newSetSize, scale, shrinkOld, sizeOf, type Sizes } from './sizes';

/** Decides the next step of a Deployment. Pure. */

export interface Observed {
  readonly deployment: Deployment;
  /** ReplicaSets that belong to it. */
  readonly sets: readonly ReplicaSet[];
  /** All Pods of these ReplicaSets. */
  readonly pods: readonly Pod[];
  readonly now: number;
}

/** A change of one ReplicaSet. */
export interface Change {
  readonly set: ReplicaSet;
  readonly replicas: number;
  readonly annotations: Record<string, string>;
  readonly minReadySeconds: number;
}

export interface Decision {
  readonly create?: ReplicaSet;
  readonly changes: readonly Change[];
  readonly deletions: readonly ReplicaSet[];
  readonly status: DeploymentStatus;
  /** Revision of the new ReplicaSet, for the annotation of the Deployment. */
  readonly revision?: string;
  readonly recheckMs?: number;
}

const MAX_NAME = 253;

export function decide(observed: Observed): Decision {
  return new Step(observed).decide();
}

/** One step: the ReplicaSets as they will be after it, and the conditions so far. */
class Step {
  private readonly deployment: Deployment;
  private sets: ReplicaSet[];
  private newSet?: ReplicaSet;
  private created?: ReplicaSet;
  private conditions;
  private readonly replicas: number;
  private deletions: ReplicaSet[] = [];

  public constructor(private readonly observed: Observed) {
    this.deployment = observed.deployment;
    this.replicas = this.deployment.spec.replicas ?? 1;
    this.sets = [...observed.sets];
    this.newSet = newSetOf(this.deployment, this.sets);
    this.conditions = this.deployment.status?.conditions ?? [];
  }

  public decide(): Decision {
    const { deployment, observed } = this;
    this.syncNewSet();
    if (deployment.metadata.deletionTimestamp) return this.result(false);
    this.conditions =
      pausedConditions({ ...deployment, status: { conditions: this.conditions } }, observed.now) ?? this.conditions;
    if (deployment.spec.paused || isScaling(deployment, this.sets)) {
      this.scale();
      if (deployment.spec.paused) this.dropHistory();
      return this.result(false);
    }
    if (isRolling(deployment)) this.roll();
    else this.recreate();
    return this.result(true);
  }

  private get old(): ReplicaSet[] {
    return this.sets.filter((set) => set.metadata.uid !== this.newSet?.metadata.uid);
  }

  /** Gives an existing new ReplicaSet its revision and annotations. */
  private syncNewSet(): void {
    if (!this.newSet) return;
    const { metadata, spec } = this.newSet;
    const annotations = newSetAnnotations(this.deployment, metadata.annotations ?? {}, latestRevision(this.old) + 1);
    const minReadySeconds = this.deployment.spec.minReadySeconds ?? 0;
    this.replace({ ...this.newSet, metadata: { ...metadata, annotations }, spec: { ...spec, minReadySeconds } });
    if (!hasDeadline(this.deployment) || conditionOf(this.conditions, 'Progressing')) return;
    this.report('FoundNewReplicaSet', `Found new replica set "${metadata.name}"`);
  }

  private createNewSet(): void {
    const { metadata, spec, status } = this.deployment;
    const hash = templateHash(spec.template, status?.collisionCount);
    const labels = { ...spec.template.metadata?.labels, [TEMPLATE_HASH]: hash };
    const created: ReplicaSet = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${(metadata.name ?? '').slice(0, MAX_NAME - hash.length - 1)}-${hash}`,
        namespace: metadata.namespace,
        labels,
        annotations: {
          ...newSetAnnotations(this.deployment, {}, latestRevision(this.old) + 1),
          ...sizeAnnotations(this.deployment),
        },
        ownerReferences: [controllerRef(this.deployment)],
      },
      spec: {
        replicas: newSetSize(this.deployment, this.sets, 0),
        ...(spec.minReadySeconds ? { minReadySeconds: spec.minReadySeconds } : {}),
        selector: {
          ...spec.selector,
          matchLabels: { ...spec.selector.matchLabels, [TEMPLATE_HASH]: hash },
        },
        template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
      },
    };
    this.created = this.newSet = created;
    this.sets.push(created);
    if (hasDeadline(this.deployment)) {
      this.report('NewReplicaSetCreated', `Created new replica set "${created.metadata.name}"`);
    }
  }

  private report(reason: string, message: string): void {
    const next = condition('Progressing', 'True', reason, message, this.observed.now);
    this.conditions = withCondition(this.conditions, next);
  }

  private scale(): void {
    const { sizes, renews } = scale(this.deployment, this.newSet, this.old);
    this.resize(sizes, renews);
  }

  private roll(): void {
    if (!this.newSet) this.createNewSet();
    const newSet = this.newSet!;
    const current = sizeOf(newSet);
    const size = current > this.replicas ? this.replicas : newSetSize(this.deployment, this.sets, current);
    if (size !== current) return this.resize(new Map([[newSet.metadata.uid ?? '', size]]));
    const smaller = shrinkOld(this.deployment, this.old, newSet);
    if (smaller.size) return this.resize(smaller);
    if (isComplete(this.deployment, this.deployment.status ?? {})) this.dropHistory();
  }

  private recreate(): void {
    const active = this.old.filter((set) => sizeOf(set) > 0);
    if (active.length) return this.resize(new Map(active.map(({ metadata }) => [metadata.uid ?? '', 0])));
    if (this.hasOldPods()) return;
    if (!this.newSet) return this.createNewSet();
    this.resize(new Map([[this.newSet.metadata.uid ?? '', this.replicas]]));
    if (isComplete(this.deployment, this.deployment.status ?? {})) this.dropHistory();
  }

  private hasOldPods(): boolean {
    const own = this.newSet?.metadata.uid;
    return (
      this.old.some(({ status }) => (status?.replicas ?? 0) > 0) ||
      this.observed.pods.some(
        (pod) =>
          !isOver(pod) && !pod.metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === own),
      )
    );
  }

  private resize(sizes: Sizes, always = false): void {
    for (const set of this.sets) {
      const size = sizes.get(set.metadata.uid ?? '');
      if (size === undefined || set === this.created || (!always && size === sizeOf(set))) continue;
      const annotations = { ...set.metadata.annotations, ...sizeAnnotations(this.deployment) };
      this.replace({ ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas: size } });
    }
  }

  /** Deletes the oldest ReplicaSets without Pods that the limit of the history does not allow. */
  private dropHistory(): void {
    if (!hasHistoryLimit(this.deployment)) return;
    const alive = this.old.filter(({ metadata }) => !metadata.deletionTimestamp).sort(byRevision);
    const surplus = alive.length - (this.deployment.spec.revisionHistoryLimit ?? 0);
    this.deletions = alive
      .slice(0, Math.max(0, surplus))
      .filter(
        (set) =>
          sizeOf(set) === 0 &&
          !set.status?.replicas &&
          (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0),
      );
  }

  private replace(next: ReplicaSet): void {
    this.sets = this.sets.map((set) => (set.metadata.uid === next.metadata.uid ? next : set));
    if (this.newSet?.metadata.uid === next.metadata.uid) this.newSet = next;
  }

  private result(isRollout: boolean): Decision {
    const { deployment, newSet, observed } = this;
    const statusOf = isRollout ? rolloutStatus : countedStatus;
    const status = statusOf(deployment, this.sets, newSet, this.conditions, observed.now);
    const revision = newSet?.metadata.annotations?.[annotation.revision];
    const known = deployment.metadata.annotations?.[annotation.revision];
    return {
      create: this.created,
      changes: this.changes(),
      deletions: this.deletions,
      status,
      ...(revision !== undefined && revision !== known ? { revision } : {}),
      recheckMs: isRollout ? untilDeadline(deployment, status, observed.now) : undefined,
    };
  }

  private changes(): Change[] {
    return this.observed.sets.flatMap((set) => {
      const next = this.sets.find(({ metadata }) => metadata.uid === set.metadata.uid) ?? set;
      const annotations = next.metadata.annotations ?? {};
      const minReadySeconds = next.spec.minReadySeconds ?? 0;
      const same =
        sizeOf(next) === sizeOf(set) &&
        minReadySeconds === (set.spec.minReadySeconds ?? 0) &&
        deepEqual(annotations, set.metadata.annotations ?? {});
      return same ? [] : [{ set, replicas: sizeOf(next), annotations, minReadySeconds }];
    });
  }
}
