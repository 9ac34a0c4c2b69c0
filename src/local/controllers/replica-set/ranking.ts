import type { Pod } from '../../core-v1';
import { isActive, isReady, readyCondition } from '../pods';

/** Order in which Pods are deleted when there are too many. Pure. */

const PHASES = ['Pending', 'Unknown', 'Running'];
const COST = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * Pods to delete, the least useful first: unassigned, then pending, not ready, of low deletion cost, on nodes with many
 * Pods of the same owner, ready for a short time, often restarted, young. Ages are compared by order of magnitude.
 */
export function podsToDelete(pods: readonly Pod[], related: readonly Pod[], count: number, now: number): Pod[] {
  if (count >= pods.length) return [...pods];
  const onNode = new Map<string, number>();
  for (const pod of related) {
    if (isActive(pod) && pod.spec.nodeName) {
      onNode.set(pod.spec.nodeName, (onNode.get(pod.spec.nodeName) ?? 0) + 1);
    }
  }
  const rank = ({ spec }: Pod): number => onNode.get(spec.nodeName ?? '') ?? 0;
  return [...pods].sort((a, b) => compare(a, b, rank, now)).slice(0, count);
}

/** Negative if `a` is deleted before `b`. */
function compare(a: Pod, b: Pod, rank: (pod: Pod) => number, now: number): number {
  return (
    Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName)) ||
    PHASES.indexOf(a.status?.phase ?? '') - PHASES.indexOf(b.status?.phase ?? '') ||
    Number(isReady(a)) - Number(isReady(b)) ||
    cost(a) - cost(b) ||
    rank(b) - rank(a) ||
    (isReady(a) ? compareAges(readySince(a), readySince(b), a, b, now) : 0) ||
    restarts(b, 'containerStatuses') - restarts(a, 'containerStatuses') ||
    restarts(b, 'initContainerStatuses') - restarts(a, 'initContainerStatuses') ||
    compareAges(
      Date.parse(a.metadata.creationTimestamp ?? ''),
      Date.parse(b.metadata.creationTimestamp ?? ''),
      a,
      b,
      now,
    )
  );
}

const readySince = (pod: Pod): number => Date.parse(readyCondition(pod)?.lastTransitionTime ?? '');

/** The younger first; one without a time counts as the youngest. Similar ages are ordered by UID. */
function compareAges(a: number, b: number, first: Pod, second: Pod, now: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  if (a === b) return 0;
  return magnitude(now - a) - magnitude(now - b) || ((first.metadata.uid ?? '') < (second.metadata.uid ?? '') ? -1 : 1);
}

/** Base-2 order of magnitude of an age, in nanoseconds as Kubernetes computes it. */
const magnitude = (ms: number): number => (ms > 0 ? Math.trunc(Math.log2(ms * 1e6)) : -1);

/** Deletion cost of an annotation; one that is not a 32-bit integer counts as 0. */
function cost({ metadata }: Pod): number {
  const text = metadata.annotations?.[COST] ?? '';
  const value = /^(0|-?[1-9]\d{0,9})$/.test(text) ? Number(text) : 0;
  return value === (value | 0) ? value : 0;
}

function restarts({ spec, status }: Pod, list: 'containerStatuses' | 'initContainerStatuses'): number {
  const counted = (status?.[list] ?? []).filter(
    ({ name }) =>
      list === 'containerStatuses' ||
      spec.initContainers?.some((item) => item.name === name && item.restartPolicy === 'Always'),
  );
  return Math.max(0, ...counted.map(({ restartCount }) => restartCount));
}
