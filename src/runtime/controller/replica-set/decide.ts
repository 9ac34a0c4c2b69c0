import { controllerRef } from '../../../api/owner';
import { createHash } from 'node:crypto';
import type {
  VirtualMachineInstance,
  VirtualMachineInstanceReplicaSet,
  VirtualMachineInstanceReplicaSetCondition,
} from '../../../api';
import { isFinal } from '../instance/observed';
import { isoTime } from '../instance/phase';
import { selectorText } from '../../../api/kinds/label-selector';
import { reasons } from '../../../api/reasons';

export interface Observed {
  readonly set: VirtualMachineInstanceReplicaSet;
  /** Instances whose controller is the set. */
  readonly vmis: readonly VirtualMachineInstance[];
}

export type Action =
  { do: 'createVmi'; vmi: VirtualMachineInstance } | { do: 'deleteVmi'; vmi: VirtualMachineInstance };

/** Instances that one pass creates or deletes at most, as in KubeVirt. */
export const BURST = 250;
const KIND = 'VirtualMachineInstanceReplicaSet';

/** UID of the replica set that controls an instance. */
export const ownerOf = ({ metadata }: VirtualMachineInstance): string | undefined =>
  metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === KIND)?.uid;

const isActive = (vmi: VirtualMachineInstance): boolean => !isFinal(vmi) && !vmi.metadata.deletionTimestamp;
const isReady = ({ status }: VirtualMachineInstance): boolean =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');

/** Actions that lead to the requested number of instances. An instance that ended is replaced. */
export function decide({ set, vmis }: Observed): Action[] {
  if (set.metadata.deletionTimestamp || set.spec.paused) return [];
  const ended = vmis.filter((vmi) => isFinal(vmi) && !vmi.metadata.deletionTimestamp);
  const active = vmis.filter(isActive);
  const surplus = active.length - (set.spec.replicas ?? 1);
  const doomed = surplus > 0 ? [...active].sort(leastUseful).slice(0, surplus) : [];
  return [
    ...[...ended, ...doomed].slice(0, BURST).map((vmi) => ({ do: 'deleteVmi' as const, vmi })),
    ...freeNames({ set, vmis }, Math.min(-surplus, BURST)).map((name) => ({
      do: 'createVmi' as const,
      vmi: instanceOf(set, name),
    })),
  ];
}

/** Unready instances are deleted first, then the youngest. */
function leastUseful(a: VirtualMachineInstance, b: VirtualMachineInstance): number {
  const [first, second] = [a, b].map(({ metadata }) => metadata.creationTimestamp ?? '');
  return Number(isReady(a)) - Number(isReady(b)) || (first! > second! ? -1 : Number(first !== second));
}

/** Names follow from the set's UID and a number, so that a pass with an outdated cache creates no instance twice. */
function freeNames({ set, vmis }: Observed, count: number): string[] {
  const used = new Set(vmis.map(({ metadata }) => metadata.name));
  const names: string[] = [];
  for (let i = 0; names.length < count; i++) {
    const suffix = createHash('sha256').update(`${set.metadata.uid}/${i}`).digest('hex').slice(0, 8);
    const name = `${set.metadata.name!.slice(0, 54)}-${suffix}`;
    if (!used.has(name)) names.push(name);
  }
  return names;
}

function instanceOf({ apiVersion, metadata, spec }: VirtualMachineInstanceReplicaSet, name: string) {
  const { labels, annotations } = spec.template.metadata ?? {};
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name,
      namespace: metadata.namespace,
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ownerReferences: [controllerRef({ apiVersion, kind: KIND, metadata })],
    },
    spec: spec.template.spec,
  } as VirtualMachineInstance;
}

type Status = NonNullable<VirtualMachineInstanceReplicaSet['status']>;

/** The status of the set; undefined if the current one is equal. `failure`: why an instance could not be created. */
export function statusOf({ set, vmis }: Observed, failure: string | undefined, now: number): Status | undefined {
  const active = vmis.filter(isActive);
  const before = set.status ?? {};
  const conditions = [
    ...(set.spec.paused ? [conditionOf('ReplicaPaused', 'Paused', 'Controller got paused', before, now)] : []),
    ...(failure ? [conditionOf('ReplicaFailure', reasons.failedCreate, failure, before, now)] : []),
  ];
  const after = {
    replicas: active.length,
    readyReplicas: active.filter(isReady).length,
    labelSelector: selectorText(set.spec.selector),
    conditions,
  };
  const text = ({ replicas = 0, readyReplicas = 0, labelSelector = '', conditions: all }: Status): string =>
    JSON.stringify([
      replicas,
      readyReplicas,
      labelSelector,
      (all ?? []).map(({ type, reason, message }) => [type, reason, message]),
    ]);
  return text(before) === text(after) ? undefined : after;
}

function conditionOf(
  type: string,
  reason: string,
  message: string,
  before: Status,
  now: number,
): VirtualMachineInstanceReplicaSetCondition {
  const since = before.conditions?.find((condition) => condition.type === type)?.lastTransitionTime;
  return { type, status: 'True', reason, message, lastProbeTime: null, lastTransitionTime: since ?? isoTime(now) };
}
