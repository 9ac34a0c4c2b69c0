import type { Condition } from '../../../api/meta';
import { deepEqual, own } from '../../api-server/json/values';
import type { Node, Taint } from '../../core-v1';
import { timestamp } from '../status';

export interface Observed {
  readonly node: Node;
  /** Time since the node last renewed its lease or reported its status. */
  readonly silentMs: number;
  /** Whether NoExecute taints may be added: not while most nodes are down, because then the network is the likely cause. */
  readonly mayEvict: boolean;
  /** Whether every node is down: then NoExecute taints are removed. */
  readonly allDown: boolean;
  readonly now: number;
}

export interface Plan {
  /** Conditions to write, if the node stopped reporting. */
  readonly conditions?: readonly Condition[];
  /** All taints of the node, if they change. */
  readonly taints?: readonly Taint[];
  /** Whether the node was ready until now. */
  readonly lost: boolean;
  /** Time until the node counts as silent. */
  readonly requeueAfterMs?: number;
}

/** Time without a sign of life after which a node is not ready; a node that never reported has a little more. */
const GRACE_MS = 50_000;
const STARTUP_GRACE_MS = 60_000;
const REPORTED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];
const PREFIX = 'node.kubernetes.io/';
const NOT_READY = `${PREFIX}not-ready`;
const UNREACHABLE = `${PREFIX}unreachable`;
const UNSCHEDULABLE = `${PREFIX}unschedulable`;
/** Taint of each condition by its status. */
const TAINTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: `${PREFIX}memory-pressure` },
  DiskPressure: { True: `${PREFIX}disk-pressure` },
  NetworkUnavailable: { True: `${PREFIX}network-unavailable` },
  PIDPressure: { True: `${PREFIX}pid-pressure` },
};
const OURS = [...Object.values(TAINTS).flatMap((keys) => Object.values(keys)), UNSCHEDULABLE];

export const readyStatus = ({ status }: Node): string =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown';

/** Decides about the conditions and taints of a node. Pure. */
export function decide(observed: Observed): Plan {
  const { node, silentMs, now } = observed;
  const known = node.status?.conditions ?? [];
  const grace = known.some(({ type }) => type === 'Ready') ? GRACE_MS : STARTUP_GRACE_MS;
  const silent = silentMs > grace;
  const conditions = silent ? unknownConditions(node, now) : known;
  const changed = !deepEqual(conditions, known);
  const after = changed ? { ...node, status: { ...node.status, conditions: [...conditions] } } : node;
  const taints = taintsOf(observed, after);
  return {
    ...(changed ? { conditions } : {}),
    ...(deepEqual(taints, node.spec?.taints ?? []) ? {} : { taints }),
    lost: readyStatus(node) === 'True' && readyStatus(after) !== 'True',
    ...(silent ? {} : { requeueAfterMs: grace - silentMs + 1 }),
  };
}

function unknownConditions({ metadata, status }: Node, now: number): Condition[] {
  const known = status?.conditions ?? [];
  const silent = known.map((condition) =>
    REPORTED.includes(condition.type) && condition.status !== 'Unknown'
      ? {
          ...condition,
          status: 'Unknown' as const,
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: timestamp(now),
        }
      : condition,
  );
  const missing = REPORTED.filter((type) => !known.some((condition) => condition.type === type)).map((type) => ({
    type,
    status: 'Unknown' as const,
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
    lastHeartbeatTime: metadata.creationTimestamp,
    lastTransitionTime: timestamp(now),
  }));
  return [...silent, ...missing];
}

function taintsOf({ mayEvict, allDown, now }: Observed, node: Node): Taint[] {
  const known = node.spec?.taints ?? [];
  const noSchedule = (node.status?.conditions ?? []).flatMap(
    ({ type, status }) => own(own(TAINTS, type), status) ?? [],
  );
  if (node.spec?.unschedulable) noSchedule.push(UNSCHEDULABLE);
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? '';
  const key = allDown ? undefined : TAINTS.Ready![ready];
  const has = ({ key: other, effect }: Taint): boolean => other === key && effect === 'NoExecute';
  const swaps = known.some(
    ({ key: other, effect }) => effect === 'NoExecute' && [NOT_READY, UNREACHABLE].includes(other),
  );
  const noExecute = key && (mayEvict || swaps || known.some(has)) ? [key] : [];
  const wanted = [
    ...noSchedule.map((name) => ({ key: name, effect: 'NoSchedule' })),
    ...noExecute.map((name) => ({ key: name, effect: 'NoExecute' })),
  ];
  const isOurs = (taint: Taint): boolean =>
    (taint.effect === 'NoSchedule' && OURS.includes(taint.key)) ||
    (taint.effect === 'NoExecute' && [NOT_READY, UNREACHABLE].includes(taint.key));
  const same = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;
  const kept = known.filter((taint) => !isOurs(taint) || wanted.some((other) => same(other, taint)));
  const added = wanted.filter((taint) => !known.some((other) => same(other, taint)));
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded: timestamp(now) }))];
}

/** Whether Pods may be evicted from nodes that are down, which depends on how many are. Pure. */
export function disruption(nodes: readonly Node[]): { allDown: boolean; mayEvict: boolean } {
  const counted = nodes.filter(
    ({ metadata }) => metadata.labels?.['node.kubernetes.io/exclude-disruption'] === undefined,
  );
  const down = counted.filter((node) => readyStatus(node) !== 'True').length;
  const allDown = down > 0 && down === counted.length;
  const most = down > 2 && down / counted.length >= 0.55;
  return { allDown, mayEvict: !allDown && !most };
}
