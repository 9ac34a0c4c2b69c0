import type { Node, Pod } from '../../core-v1';
import { scaled } from '../amounts';
import type { ControllerRevision, DaemonSet, DaemonSetStatus } from '../apps-v1';
import { isAvailable, isOver, isReady } from '../pods';
import { HASH, isUpdated, nodeOf, placement } from './nodes';

/** Decides the next step of a DaemonSet. Pure. */

export interface Observed {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  /** All its Pods. */
  readonly pods: readonly Pod[];
  /** Hash of the current template. */
  readonly hash: string;
  /** Time for which a failed Pod on the node is kept, so that a Pod that always fails is not created in a loop. */
  readonly backoffMs: (node: string) => number;
  readonly now: number;
}

export interface Decision {
  /** Names of nodes on which a Pod is created. */
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
  /** Pods among the deleted ones that have ended. */
  readonly ended: readonly Pod[];
  readonly status: DaemonSetStatus;
  readonly recheckMs?: number;
}

const BURST = 250;

export function decide(observed: Observed): Decision {
  const plan = new Step(observed);
  return plan.decide();
}

const isEnding = ({ metadata }: Pod): boolean => Boolean(metadata.deletionTimestamp);

/** Assigned Pods first, then the oldest. */
function byAge(a: Pod, b: Pod): number {
  const key = ({ metadata }: Pod): string => `${metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`;
  const assigned = Number(Boolean(b.spec.nodeName)) - Number(Boolean(a.spec.nodeName));
  return assigned || (key(a) < key(b) ? -1 : 1);
}

interface OnNode {
  readonly node?: Node;
  readonly pods: readonly Pod[];
  readonly runs: boolean;
  readonly stays: boolean;
}

class Step {
  /** Nodes that have Pods or should have one, by name. */
  private readonly byNode = new Map<string, OnNode>();
  private readonly create: string[] = [];
  private readonly deleted: Pod[] = [];
  private readonly ended: Pod[] = [];
  private recheckMs?: number;
  private readonly desired: number;

  public constructor(private readonly observed: Observed) {
    const { set, nodes } = observed;
    const pods = new Map<string, Pod[]>();
    for (const pod of observed.pods) {
      const name = nodeOf(pod);
      // the kubelet ends these; they do not block a new Pod
      if (name === undefined || (isOver(pod) && isEnding(pod))) continue;
      pods.set(name, [...(pods.get(name) ?? []), pod]);
    }
    for (const node of nodes) {
      const name = node.metadata.name ?? '';
      this.byNode.set(name, { node, pods: (pods.get(name) ?? []).sort(byAge), ...placement(set, node) });
    }
    for (const [name, left] of pods) {
      if (!this.byNode.has(name)) this.byNode.set(name, { pods: left, runs: false, stays: false });
    }
    this.desired = [...this.byNode.values()].filter(({ runs }) => runs).length;
  }

  public decide(): Decision {
    const { set } = this.observed;
    for (const [name, at] of this.byNode) this.manage(name, at);
    const isRolling = (set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
    // a rolling update continues when the numbers of Pods are right
    if (isRolling && !this.create.length && !this.deleted.length) this.roll();
    return {
      create: this.create.slice(0, BURST),
      delete: this.deleted.slice(0, BURST),
      ended: this.ended,
      status: this.status(),
      recheckMs: this.recheckMs,
    };
  }

  private get surge(): number {
    return scaled(this.observed.set.spec.updateStrategy?.rollingUpdate?.maxSurge, this.desired, 'up');
  }

  private get mayAdd(): boolean {
    return scaled(this.observed.set.spec.updateStrategy?.rollingUpdate?.maxSurge, 1, 'up') > 0;
  }

  private isAvailable(pod: Pod): boolean {
    return isAvailable(pod, this.observed.set.spec.minReadySeconds ?? 0, this.observed.now);
  }

  private manage(name: string, { node, pods, runs, stays }: OnNode): void {
    if (!node) {
      // nobody else deletes a Pod that waits for a node that does not exist
      this.deleted.push(...pods.filter((pod) => !pod.spec.nodeName && !isEnding(pod)));
      return;
    }
    if (runs && !pods.length) this.create.push(name);
    else if (stays) this.keep(name, pods, runs);
    else this.deleted.push(...pods.filter((pod) => !isEnding(pod)));
  }

  private keep(name: string, pods: readonly Pod[], runs: boolean): void {
    const running = pods.filter((pod) => !isEnding(pod) && !isOver(pod));
    for (const pod of pods) if (!isEnding(pod) && isOver(pod)) this.end(name, pod);
    if (!this.mayAdd) {
      this.deleted.push(...running.slice(1));
      return;
    }
    if (running.length <= 1) {
      if (!running.length && runs) this.create.push(name);
      return;
    }
    const isNew = ({ metadata }: Pod): boolean => metadata.labels?.[HASH] === this.observed.hash;
    const newest = running.find(isNew);
    const old = running.find((pod) => !isNew(pod));
    this.deleted.push(...running.filter((pod) => pod !== newest && pod !== old));
    if (newest && old && (!isReady(old) || this.isAvailable(newest))) this.deleted.push(old);
  }

  private end(name: string, pod: Pod): void {
    const waitMs = pod.status?.phase === 'Failed' ? this.observed.backoffMs(name) : 0;
    if (waitMs > 0) {
      this.recheckMs = Math.min(this.recheckMs ?? Infinity, waitMs);
      return;
    }
    this.ended.push(pod);
    this.deleted.push(pod);
  }

  /** The updated Pod and the old Pod of a node; undefined if there are several. */
  private pair(pods: readonly Pod[]): { newPod?: Pod; oldPod?: Pod } | undefined {
    const alive = pods.filter((pod) => !isEnding(pod));
    const updated = alive.filter((pod) => isUpdated(this.observed.set, pod, this.observed.hash));
    const old = alive.filter((pod) => !updated.includes(pod));
    return updated.length > 1 || old.length > 1 ? undefined : { newPod: updated[0], oldPod: old[0] };
  }

  private roll(): void {
    const maxUnavailable = scaled(
      this.observed.set.spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1,
      this.desired,
      'up',
    );
    const { surge } = this;
    const concerned = [...this.byNode].filter(([, { pods, runs }]) => runs || pods.length);
    if (surge > 0) this.rollWithSurge(concerned, surge);
    else this.rollInPlace(concerned, this.desired > 0 && maxUnavailable === 0 ? 1 : maxUnavailable);
  }

  /** Deletes old Pods: those that are not available, and as many available ones as may be missing. */
  private rollInPlace(nodes: readonly (readonly [string, OnNode])[], maxUnavailable: number): void {
    let unavailable = 0;
    const candidates: Pod[] = [];
    for (const [, { pods }] of nodes) {
      const pair = this.pair(pods);
      if (!pair || Boolean(pair.newPod) === Boolean(pair.oldPod)) unavailable += 1;
      else if (pair.newPod) unavailable += this.isAvailable(pair.newPod) ? 0 : 1;
      else if (pair.oldPod && this.isAvailable(pair.oldPod)) candidates.push(pair.oldPod);
      else if (pair.oldPod) {
        this.deleted.push(pair.oldPod);
        unavailable += 1;
      }
    }
    this.deleted.push(...candidates.slice(0, Math.max(0, maxUnavailable - unavailable)));
  }

  /** Creates new Pods beside old ones, and deletes an old Pod when the new one is available. */
  private rollWithSurge(nodes: readonly (readonly [string, OnNode])[], maxSurge: number): void {
    let surging = 0;
    let available = 0;
    const candidates: string[] = [];
    const leaving: Pod[] = [];
    for (const [name, { pods, runs }] of nodes) {
      const pair = this.pair(pods);
      if (!pair) {
        surging += 1;
        continue;
      }
      const { newPod, oldPod } = pair;
      const counted = oldPod ?? newPod;
      if (counted && this.isAvailable(counted)) available += 1;
      if (!oldPod) continue;
      if (newPod) {
        if (this.isAvailable(newPod)) this.deleted.push(oldPod);
        else surging += 1;
      } else if (!runs) {
        if (this.isAvailable(oldPod)) leaving.push(oldPod);
        else this.deleted.push(oldPod);
      } else if (this.isAvailable(oldPod)) candidates.push(name);
      else this.create.push(name);
    }
    this.deleted.push(...leaving.slice(0, Math.max(0, available - this.desired)));
    this.create.push(...candidates.slice(0, Math.max(0, maxSurge - surging)));
  }

  private status(): DaemonSetStatus {
    const { set, hash } = this.observed;
    const nodes = [...this.byNode.values()].filter(({ node }) => node);
    const first = nodes.filter(({ runs, pods }) => runs && pods.length).map(({ pods }) => pods[0]!);
    const ready = first.filter(isReady);
    const available = ready.filter((pod) => this.isAvailable(pod)).length;
    return {
      currentNumberScheduled: first.length,
      numberMisscheduled: nodes.filter(({ runs, pods }) => !runs && pods.length).length,
      desiredNumberScheduled: this.desired,
      numberReady: ready.length,
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: first.filter((pod) => isUpdated(set, pod, hash)).length || undefined,
      numberAvailable: available || undefined,
      numberUnavailable: this.desired - available || undefined,
      collisionCount: set.status?.collisionCount,
      conditions: set.status?.conditions,
    };
  }
}

/** Old revisions that no Pod has and that the limit of the history does not allow, the oldest first. */
export function surplusRevisions(
  set: DaemonSet,
  pods: readonly Pod[],
  old: readonly ControllerRevision[],
): ControllerRevision[] {
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[HASH]));
  const surplus = Math.max(0, old.length - (set.spec.revisionHistoryLimit ?? 10));
  return old.filter(({ metadata }) => !live.has(metadata.labels?.[HASH])).slice(0, surplus);
}
