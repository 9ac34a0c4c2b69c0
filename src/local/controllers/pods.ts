import type { LabelSelector, Pod, PodCondition } from '../core-v1';
import { matchLabelSelector } from '../api-server/registry/label-selector';

/** Facts that controllers read from Pods. Pure. */

export const readyCondition = ({ status }: Pod): PodCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready');

export const isReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';

/** Time at which a ready Pod becomes available: it must have been ready for some seconds. NaN if it is not ready. */
function availableAt(pod: Pod, minReadySeconds: number): number {
  const ready = readyCondition(pod);
  if (ready?.status !== 'True') return NaN;
  return minReadySeconds > 0 ? Date.parse(ready.lastTransitionTime ?? '') + minReadySeconds * 1000 : 0;
}

export const isAvailable = (pod: Pod, minReadySeconds: number, now: number): boolean =>
  availableAt(pod, minReadySeconds) <= now;

/** Time until the next of the ready Pods becomes available; undefined if none is waiting. */
export function untilAvailable(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = pods.map((pod) => availableAt(pod, minReadySeconds) - now).filter((ms) => ms > 0);
  return waits.length ? Math.min(...waits) : undefined;
}

/** Whether all containers have ended and will not run again. */
export const isOver = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Whether the Pod counts as a replica: it has not ended and is not being deleted. */
export const isActive = (pod: Pod): boolean => !isOver(pod) && !pod.metadata.deletionTimestamp;

/** Whether the Pod is being deleted and its containers may still run. */
export const isEnding = (pod: Pod): boolean => !isOver(pod) && Boolean(pod.metadata.deletionTimestamp);

/** A selector that selects nothing if it is empty: a controller never manages all Pods of a namespace. */
export function matcherOf(
  selector: LabelSelector | undefined,
): (labels: Record<string, string> | undefined) => boolean {
  const empty = !Object.keys(selector?.matchLabels ?? {}).length && !selector?.matchExpressions?.length;
  return empty ? () => false : matchLabelSelector(selector);
}
