import type { Pod } from '../../core-v1';
import type { Job, PodFailureRule } from '../batch-v1';
import { readyCondition } from '../pods';

/** Facts that the Job controller reads from Pods. Pure. */

export const TRACKING = 'batch.kubernetes.io/job-tracking';
export const INDEX = 'batch.kubernetes.io/job-completion-index';
export const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
export const IGNORED = 'batch.kubernetes.io/job-index-ignored-failure-count';
export const NO_INDEX = -1;

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(TRACKING) ?? false;

/** Completion index of a Pod, or NO_INDEX. */
export function indexOf({ metadata }: Pod): number {
  const text = metadata.annotations?.[INDEX] ?? '';
  return /^\d+$/.test(text) ? Number(text) : NO_INDEX;
}

function countIn({ metadata }: Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation] ?? '';
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return value < 2 ** 31 ? value : 0;
}

export const failuresOf = (pod: Pod): number => countIn(pod, FAILURES);
export const ignoredFailuresOf = (pod: Pod): number => countIn(pod, IGNORED);
/** Failures of the index before this Pod, counted or ignored. */
export const allFailuresOf = (pod: Pod): number => failuresOf(pod) + ignoredFailuresOf(pod);

/** Whether a Pod is replaced only after its containers have ended. */
export const replacesOnlyFailed = ({ spec }: Job): boolean =>
  spec.podReplacementPolicy === 'Failed' || Boolean(spec.podFailurePolicy);

/** Whether the Pod counts as failed; a Pod that is being deleted may do so before it has ended. */
export function isFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === 'Failed') return true;
  if (replacesOnlyFailed(job)) return false;
  return Boolean(pod.metadata.deletionTimestamp) && pod.status?.phase !== 'Succeeded';
}

export interface PolicyMatch {
  readonly action?: PodFailureRule['action'];
  /** Whether the failure counts towards the limits. */
  readonly counts: boolean;
  /** Cause of the Job's failure, if the rule fails the Job. */
  readonly message?: string;
}

/** First rule of the Job's failure policy that a failed Pod matches. */
export function matchPolicy({ spec }: Job, pod: Pod): PolicyMatch {
  const { namespace, name } = pod.metadata;
  for (const [i, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (!cause) continue;
    const { action } = rule;
    if (action === 'FailJob') {
      const subject = cause.container
        ? `Container ${cause.container} for pod ${namespace}/${name} failed with exit code ${cause.exitCode}`
        : `Pod ${namespace}/${name} has condition ${cause.condition}`;
      return { action, counts: true, message: `${subject} matching ${action} rule at index ${i}` };
    }
    return { action, counts: action !== 'Ignore' };
  }
  return { counts: true };
}

interface Cause {
  readonly container?: string;
  readonly exitCode?: number;
  readonly condition?: string;
}

function causeOf({ onExitCodes, onPodConditions }: PodFailureRule, { status }: Pod): Cause | undefined {
  if (!onExitCodes) {
    const found = status?.conditions?.find(({ type, status: on }) =>
      onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === on),
    );
    return found && { condition: found.type };
  }
  const { containerName, operator, values } = onExitCodes;
  for (const { name, state } of [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]) {
    const exitCode = state?.terminated?.exitCode;
    if (!exitCode || (containerName !== undefined && containerName !== name)) continue;
    if (values.includes(exitCode) === (operator === 'In')) return { container: name, exitCode };
  }
  return undefined;
}

/** Time at which a Pod ended, in milliseconds. */
export function finishedAt(pod: Pod): number {
  const { metadata, spec, status } = pod;
  const sidecars = status?.initContainerStatuses?.filter(({ name }) =>
    spec.initContainers?.some((container) => container.name === name && container.restartPolicy === 'Always'),
  );
  const ends = [...(status?.containerStatuses ?? []), ...(sidecars ?? [])].map(({ state }) =>
    Date.parse(state?.terminated?.finishedAt ?? ''),
  );
  if (ends.length && !ends.some(Number.isNaN)) return Math.max(...ends);
  const ready = readyCondition(pod);
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  return Date.parse(metadata.deletionTimestamp ?? metadata.creationTimestamp ?? '');
}

/** Sum of the restarts of containers in Pods that have not ended. */
export const restartsOf = (pods: readonly Pod[]): number =>
  pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
