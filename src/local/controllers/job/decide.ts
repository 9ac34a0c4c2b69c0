import type { Pod } from '../../core-v1';
import type { Job, JobCondition } from '../batch-v1';
import { isActive, isEnding } from '../pods';
import { podsToDelete } from '../replica-set/ranking';
import { timestamp } from '../status';
import { countFailures, remainingForIndex, remainingMs, type Backoff } from './backoff';
import { contains, firstFree, merge, overlap, parseIndexes, total, withIndexes, type Intervals } from './indexes';
import {
  allFailuresOf,
  failuresOf,
  finishedAt,
  indexOf,
  isFailed,
  isTracked,
  matchPolicy,
  NO_INDEX,
  replacesOnlyFailed,
  restartsOf,
} from './pods';

export interface Observed {
  readonly job: Job;
  /** Pods of the Job, also those that have ended. */
  readonly pods: readonly Pod[];
  readonly backoff: Backoff;
  readonly now: number;
}

/** Counts of a Job before this pass changes its Pods. */
export interface Facts {
  readonly active: readonly Pod[];
  /** Pods that are being deleted and have not ended. */
  readonly ending: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly before: Intervals;
  readonly succeededIndexes: Intervals;
  /** Undefined unless failures are limited per index. */
  readonly failedIndexes?: Intervals;
  /** Failed Pod per index that is kept until its replacement exists, because it carries the number of failures. */
  readonly replaced: ReadonlyMap<number, Pod>;
}

/** Changes of one pass. */
export interface Plan {
  readonly facts: Facts;
  readonly startTime?: string;
  /** Reason for which the Job ends. */
  readonly verdict?: JobCondition;
  readonly remove: readonly Pod[];
  /** Index of each Pod to create, NO_INDEX if the Job has none. */
  readonly create: readonly number[];
  readonly backoff: Backoff;
  readonly requeueAfterMs?: number;
}

/** Largest number of Pods that one pass creates or deletes. */
const MAX_CHANGES = 500;

export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';

export function newCondition(
  type: string,
  reason: string,
  message: string,
  now: number,
  status = 'True',
): JobCondition {
  return { type, status, lastProbeTime: timestamp(now), lastTransitionTime: timestamp(now), reason, message };
}

/** Decides which Pods are created and deleted, and whether the Job ends. Pure. */
export function plan(observed: Observed): Plan {
  const { job, pods, now } = observed;
  const { spec, status = {} } = job;
  const [newSucceeded, newFailed] = newlyEnded(observed);
  const facts = factsOf(observed, newSucceeded.length, newFailed);
  const backoff = countFailures(observed.backoff, newSucceeded, newFailed);
  const startTime = status.startTime ?? (spec.suspend ? undefined : timestamp(now));
  const common = { facts, startTime, backoff };
  const verdict = verdictOf(observed, facts, startTime);
  const deadline = spec.activeDeadlineSeconds;
  const untilDeadline =
    deadline !== undefined && startTime && !spec.suspend ? Date.parse(startTime) + deadline * 1000 - now : undefined;
  if (verdict) return { ...common, verdict, remove: facts.active, create: [] };
  const idle = { ...common, remove: [], create: [], requeueAfterMs: untilDeadline };
  if (job.metadata.deletionTimestamp) return idle;
  const remove = surplus(job, facts, pods, now);
  if (spec.suspend || remove.length) return { ...idle, remove };
  const { indexes, waitMs } = missing(job, facts, backoff, now);
  const waits = [untilDeadline, waitMs].filter((ms) => ms !== undefined);
  return { ...idle, create: indexes, requeueAfterMs: waits.length ? Math.min(...waits) : undefined };
}

/** Pods that ended and that the status does not count yet. */
function newlyEnded({ job, pods }: Observed): [succeeded: Pod[], failed: Pod[]] {
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  const isNew = (pod: Pod, counted: readonly string[]): boolean =>
    isTracked(pod) && !counted.includes(pod.metadata.uid ?? '') && hasValidIndex(job, pod);
  return [
    pods.filter((pod) => pod.status?.phase === 'Succeeded' && isNew(pod, succeeded)),
    pods.filter((pod) => isFailed(pod, job) && isNew(pod, failed)),
  ];
}

export function hasValidIndex(job: Job, pod: Pod): boolean {
  if (!isIndexed(job)) return true;
  const index = indexOf(pod);
  return index !== NO_INDEX && index < (job.spec.completions ?? 0);
}

function factsOf({ job, pods }: Observed, newSucceeded: number, newFailed: readonly Pod[]): Facts {
  const { spec, status = {} } = job;
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const active = pods.filter(isActive);
  const counted = newFailed.filter((pod) => matchPolicy(job, pod).counts).length;
  const common = {
    active,
    ending: pods.filter(isEnding),
    succeeded: (status.succeeded ?? 0) + newSucceeded + succeeded.length,
    failed: (status.failed ?? 0) + counted + failed.length,
    before: [],
    succeededIndexes: [],
    replaced: new Map<number, Pod>(),
  };
  if (!isIndexed(job)) return common;
  const completions = spec.completions ?? 0;
  const tracked = pods.filter((pod) => isTracked(pod) && hasValidIndex(job, pod));
  const before = parseIndexes(status.completedIndexes, completions);
  const done = tracked.filter((pod) => pod.status?.phase === 'Succeeded').map(indexOf);
  const succeededIndexes = withIndexes(before, done);
  const indexed = { ...common, before, succeededIndexes, succeeded: total(succeededIndexes) };
  if (spec.backoffLimitPerIndex === undefined) return indexed;
  const ended = tracked.filter((pod) => failsIndex(job, pod)).map(indexOf);
  const failedIndexes = withIndexes(parseIndexes(status.failedIndexes, completions), ended);
  return {
    ...indexed,
    failedIndexes,
    replaced: toReplace(job, tracked, active, merge(succeededIndexes, failedIndexes)),
  };
}

function failsIndex(job: Job, pod: Pod): boolean {
  if (!isFailed(pod, job)) return false;
  const { action, counts } = matchPolicy(job, pod);
  return action === 'FailIndex' || (counts && failuresOf(pod) >= (job.spec.backoffLimitPerIndex ?? 0));
}

function toReplace(job: Job, tracked: readonly Pod[], active: readonly Pod[], ended: Intervals): Map<number, Pod> {
  const running = new Set(active.map(indexOf));
  const latest = new Map<number, Pod>();
  for (const pod of tracked) {
    const index = indexOf(pod);
    if (!isFailed(pod, job) || running.has(index) || contains(ended, index)) continue;
    const other = latest.get(index);
    const newer = !other || (allFailuresOf(other) <= allFailuresOf(pod) && finishedAt(pod) >= finishedAt(other));
    if (newer) latest.set(index, pod);
  }
  return latest;
}

/** Reason for which the Job ends now: one of an earlier pass, a failure, or enough successes. */
function verdictOf({ job, pods, now }: Observed, facts: Facts, startTime?: string): JobCondition | undefined {
  const { spec, status = {} } = job;
  const known = (type: string): JobCondition | undefined =>
    status.conditions?.find((condition) => condition.type === type && condition.status === 'True');
  const met = known('SuccessCriteriaMet');
  if (met) return met;
  const target = known('FailureTarget');
  if (target) return newCondition('Failed', target.reason ?? '', target.message ?? '', now);
  const failure = (reason: string, message: string): JobCondition =>
    newCondition('FailureTarget', reason, message, now);
  const failing = pods.filter((pod) => isFailed(pod, job)).map((pod) => matchPolicy(job, pod).message);
  const cause = failing.find((message) => message !== undefined);
  if (cause !== undefined) return failure('PodFailurePolicy', cause);
  if (facts.failed > (spec.backoffLimit ?? 6) || restartedTooOften(job, pods)) {
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && startTime && !spec.suspend && now - Date.parse(startTime) >= deadline * 1000) {
    return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  return indexVerdict(job, facts, failure) ?? successVerdict(job, facts, now);
}

function restartedTooOften({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  const restarts = restartsOf(pods);
  return spec.backoffLimit === 0 ? restarts > 0 : restarts >= (spec.backoffLimit ?? 6);
}

function indexVerdict(
  { spec }: Job,
  { failedIndexes, succeededIndexes }: Facts,
  failure: (reason: string, message: string) => JobCondition,
): JobCondition | undefined {
  const failed = total(failedIndexes ?? []);
  if (spec.maxFailedIndexes !== undefined && failed > spec.maxFailedIndexes) {
    return failure('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  }
  if (!failed || failed + total(succeededIndexes) < (spec.completions ?? 0)) return undefined;
  return failure('FailedIndexes', 'Job has failed indexes');
}

function successVerdict(job: Job, { succeededIndexes }: Facts, now: number): JobCondition | undefined {
  if (!isIndexed(job) || !succeededIndexes.length) return undefined;
  const { successPolicy, completions = 0 } = job.spec;
  const rule = successPolicy?.rules?.findIndex(({ succeededIndexes: text, succeededCount: count }) => {
    if (text === undefined) return count !== undefined && total(succeededIndexes) >= count;
    const required = parseIndexes(text, completions);
    if (!required.length) return false;
    const done = overlap(required, succeededIndexes);
    return done === total(required) || (count !== undefined && done >= count);
  });
  if (rule === undefined || rule < 0) return undefined;
  return newCondition('SuccessCriteriaMet', 'SuccessPolicy', `Matched rules at index ${rule}`, now);
}

/** Number of Pods that should run. */
function wantedActive({ spec }: Job, { succeeded, active }: Facts): number {
  const { completions, parallelism = 1 } = spec;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** Pods to delete: all of a suspended Job, more than are wanted, and repeated or invalid indexes. */
function surplus(job: Job, facts: Facts, pods: readonly Pod[], now: number): Pod[] {
  const { active } = facts;
  const excess = job.spec.suspend ? active.length : Math.max(0, active.length - wantedActive(job, facts));
  const remove: Pod[] = [];
  let left = [...active];
  if (isIndexed(job)) {
    const seen = Map.groupBy(active, (pod) => (hasValidIndex(job, pod) ? indexOf(pod) : NO_INDEX));
    left = [];
    for (const [index, same] of seen) {
      const extra = index === NO_INDEX ? same : podsToDelete(same, pods, same.length - 1, now);
      remove.push(...extra);
      left.push(...same.filter((pod) => !extra.includes(pod)));
    }
  }
  if (remove.length < excess) remove.push(...podsToDelete(left, pods, excess - remove.length, now));
  return job.spec.suspend ? remove : remove.slice(0, MAX_CHANGES);
}

/** Indexes of Pods to create, or the time until the first of them may be created. */
function missing(job: Job, facts: Facts, backoff: Backoff, now: number): { indexes: number[]; waitMs?: number } {
  const ending = replacesOnlyFailed(job) ? facts.ending.length : 0;
  const count = Math.min(wantedActive(job, facts) - ending - facts.active.length, MAX_CHANGES);
  if (count <= 0) return { indexes: [] };
  const perIndex = job.spec.backoffLimitPerIndex !== undefined;
  const waitMs = perIndex ? 0 : remainingMs(backoff, now);
  if (waitMs) return { indexes: [], waitMs };
  if (!isIndexed(job)) return { indexes: Array.from({ length: count }, () => NO_INDEX) };
  const free = firstFree(takenIndexes(job, facts), count, job.spec.completions ?? 0);
  if (!perIndex) return { indexes: free };
  const waits = free.map((index) => remainingForIndex(facts.replaced.get(index), now));
  const indexes = free.filter((_, i) => !waits[i]);
  return indexes.length || !free.length ? { indexes } : { indexes, waitMs: Math.min(...waits) };
}

function takenIndexes(job: Job, { active, ending, ...facts }: Facts): Intervals {
  const running = [...active, ...(replacesOnlyFailed(job) ? ending : [])].map(indexOf);
  const taken = running.filter((index) => index !== NO_INDEX);
  return merge(withIndexes(facts.succeededIndexes, taken), facts.failedIndexes ?? []);
}
