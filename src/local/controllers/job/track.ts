import type { Pod } from '../../core-v1';
import type { Job, JobCondition, JobStatus } from '../batch-v1';
import { isReady } from '../pods';
import { timestamp } from '../status';
import { hasValidIndex, isIndexed, newCondition, type Observed, type Plan } from './decide';
import { contains, format, total, withIndexes } from './indexes';
import { indexOf, isFailed, isTracked, matchPolicy } from './pods';

/** Result of the plan's requests. */
export interface Outcome {
  readonly created: number;
  readonly removed: readonly Pod[];
}

export interface JobEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** A status that lists all terminated Pods, and the Pods that may lose their finalizer once it is stored. */
export interface Tracked {
  readonly status: JobStatus;
  readonly release: readonly Pod[];
  /** Condition with which the Job ends when all its Pods are counted. */
  readonly final?: JobCondition;
  readonly events: readonly JobEvent[];
}

/** Largest number of Pods in `uncountedTerminatedPods`, which bounds the size of the status. */
const MAX_UNCOUNTED = 500;

/** Status to store before finalizers are removed: a Pod that is deleted afterwards stays counted. Pure. */
export function track(observed: Observed, plan: Plan, { created, removed }: Outcome): Tracked {
  const { job, now } = observed;
  const { facts } = plan;
  const active = facts.active.length - removed.length + created;
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  const base: JobStatus = {
    ...structuredClone(job.status),
    ...(plan.startTime ? { startTime: plan.startTime } : {}),
    active,
    ready: facts.active.filter((pod) => isReady(pod) && !removed.includes(pod)).length,
    terminating: facts.ending.length + removed.length,
    uncountedTerminatedPods: { succeeded: [...succeeded], failed: [...failed] },
  };
  const { verdict, suspension } = outcomeOf(observed, plan, active, removed.length);
  const { status, events } = suspension ? withSuspension(base, job, now) : { status: base, events: [] };
  const { release, full } = countEnded(observed, plan, verdict, settle(status, observed.pods));
  return { ...interim(status, verdict, release, now), final: full ? undefined : finalOf(verdict, now), events };

  function interim(given: JobStatus, reason: JobCondition | undefined, pods: readonly Pod[], at: number) {
    const known = given.conditions?.some(({ type, status: on }) => type === reason?.type && on === 'True');
    const add = reason && ['FailureTarget', 'SuccessCriteriaMet'].includes(reason.type) && !known;
    const conditions = add
      ? [...(given.conditions ?? []), { ...reason, lastProbeTime: timestamp(at), lastTransitionTime: timestamp(at) }]
      : given.conditions;
    return { status: { ...given, ...(conditions ? { conditions } : {}) }, release: pods };
  }
}

/** The reason to end, and whether the condition `Suspended` may change: only a Job that continues has it. */
function outcomeOf({ job, now }: Observed, plan: Plan, active: number, removed: number) {
  const { verdict, facts } = plan;
  // Pods that could not be deleted still have to be waited for.
  if (verdict) return { verdict: removed === facts.active.length ? verdict : undefined, suspension: false };
  const { completions } = job.spec;
  const enough = completions === undefined ? facts.succeeded > 0 : facts.succeeded >= completions;
  if (enough && active === 0) {
    const message = 'Reached expected number of succeeded pods';
    return { verdict: newCondition('SuccessCriteriaMet', 'CompletionsReached', message, now), suspension: false };
  }
  return { verdict: undefined, suspension: !job.metadata.deletionTimestamp };
}

function withSuspension(status: JobStatus, { spec }: Job, now: number): { status: JobStatus; events: JobEvent[] } {
  const wanted = spec.suspend ? 'True' : 'False';
  const found = status.conditions?.find(({ type }) => type === 'Suspended');
  if (found ? found.status === wanted : wanted === 'False') return { status, events: [] };
  const [reason, message] = spec.suspend ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
  const condition = newCondition('Suspended', reason!, message!, now, wanted);
  const conditions = found
    ? status.conditions!.map((other) => (other === found ? condition : other))
    : [...(status.conditions ?? []), condition];
  const { startTime: _old, ...rest } = status;
  return {
    // the deadline counts from the resumption
    status: { ...rest, conditions, ...(spec.suspend ? {} : { startTime: timestamp(now) }) },
    events: [{ type: 'Normal', reason: spec.suspend ? 'Suspended' : 'Resumed', message: message! }],
  };
}

/** Adds ended Pods to the status, in place. `full`: more Pods ended than one status lists. */
function countEnded(
  { job, pods }: Observed,
  { facts }: Plan,
  verdict: JobCondition | undefined,
  status: JobStatus,
): { release: Pod[]; full: boolean } {
  const { succeeded, failed } = status.uncountedTerminatedPods as { succeeded: string[]; failed: string[] };
  const indexed = isIndexed(job);
  const known = new Set([...succeeded, ...failed]);
  const release: Pod[] = [];
  const indexes: number[] = [];
  const failing = verdict && verdict.type !== 'SuccessCriteriaMet';
  let full = false;
  for (const pod of indexed ? [...pods].sort((a, b) => indexOf(a) - indexOf(b)) : pods) {
    if (!isTracked(pod)) continue;
    const hasFailed = isFailed(pod, job);
    const ended = pod.status?.phase === 'Succeeded';
    if (!job.metadata.deletionTimestamp && !verdict && !ended && !hasFailed) continue;
    const index = indexOf(pod);
    const waits = facts.replaced.get(index)?.metadata.uid === pod.metadata.uid;
    if (hasFailed && waits && !job.metadata.deletionTimestamp && !verdict && !ended) continue;
    release.push(pod);
    const uid = pod.metadata.uid ?? '';
    if (ended && !failed.includes(uid)) {
      if (!indexed) {
        if (!known.has(uid)) succeeded.push(uid);
      } else if (hasValidIndex(job, pod) && !contains(facts.before, index)) indexes.push(index);
    } else if ((hasFailed || failing) && !known.has(uid) && hasValidIndex(job, pod)) {
      if (matchPolicy(job, pod).counts) failed.push(uid);
    }
    full = indexes.length + succeeded.length + failed.length >= MAX_UNCOUNTED;
    if (full) break;
  }
  if (indexed) {
    const all = withIndexes(facts.before, indexes);
    status.succeeded = total(all);
    if (all.length) status.completedIndexes = format(all);
    else delete status.completedIndexes;
    if (facts.failedIndexes) status.failedIndexes = format(facts.failedIndexes);
  }
  return { release, full };
}

/** Counts Pods whose finalizer is gone, in place. Returns the status. */
export function settle(status: JobStatus, tracked: readonly Pod[]): JobStatus {
  const left = new Set(tracked.filter(isTracked).map(({ metadata }) => metadata.uid));
  const uncounted = (status.uncountedTerminatedPods ??= {});
  for (const name of ['succeeded', 'failed'] as const) {
    const before = uncounted[name] ?? [];
    const after = before.filter((uid) => left.has(uid));
    if (before.length !== after.length) status[name] = (status[name] ?? 0) + before.length - after.length;
    uncounted[name] = after;
  }
  return status;
}

function finalOf(verdict: JobCondition | undefined, now: number): JobCondition | undefined {
  if (!verdict) return undefined;
  const { type, reason = '', message = '' } = verdict;
  return newCondition(type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed', reason, message, now);
}

/** Status after the finalizers were removed. The Job ends when no Pod is left to count or to wait for. Pure. */
export function finish(
  tracked: Tracked,
  { spec }: Job,
  left: readonly Pod[],
): { status: JobStatus; events: JobEvent[] } {
  const status = settle(structuredClone(tracked.status), left);
  const { final } = tracked;
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if (!final || succeeded.length + failed.length || status.terminating) return { status, events: [] };
  status.conditions = [...(status.conditions ?? []), final];
  if (final.type === 'Failed') {
    return { status, events: [{ type: 'Warning', reason: final.reason ?? '', message: final.message ?? '' }] };
  }
  status.completionTime = final.lastTransitionTime ?? undefined;
  const events: JobEvent[] = [{ type: 'Normal', reason: 'Completed', message: 'Job completed' }];
  if (spec.completions !== undefined && (status.succeeded ?? 0) > spec.completions) {
    const message = 'Too many succeeded pods running after completion count reached';
    events.unshift({ type: 'Warning', reason: 'TooManySucceededPods', message });
  }
  return { status, events };
}

/** The status as the API prints it, for comparison: without zeros and empty lists. */
export function printed({ uncountedTerminatedPods: uncounted, ...status }: JobStatus): JobStatus {
  const { succeeded, failed } = uncounted ?? {};
  const nonZero = Object.entries(status).filter(
    ([name, value]) => value !== undefined && (value || !['active', 'succeeded', 'failed'].includes(name)),
  );
  return {
    ...Object.fromEntries(nonZero),
    ...(uncounted
      ? {
          uncountedTerminatedPods: {
            ...(succeeded?.length ? { succeeded } : {}),
            ...(failed?.length ? { failed } : {}),
          },
        }
      : {}),
  };
}
