import { parseSchedule, type Schedule } from '../../../api/schedule';
import { finalCondition, hasCondition, type CronJob, type Job, type JobReference } from '../batch-v1';
import { controllerRef } from '../../../api/owner';
import { inZone, missedTimes, untilNext } from './times';

export interface Observed {
  readonly cronJob: CronJob;
  /** Jobs that the CronJob controls. */
  readonly jobs: readonly Job[];
  /** UIDs of active Jobs that do not exist, according to the API server. */
  readonly gone: ReadonlySet<string>;
  readonly now: number;
}

export interface CronEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface Plan {
  readonly status: NonNullable<CronJob['status']>;
  readonly events: readonly CronEvent[];
  /** Time for which a Job starts now, and the active Jobs that it replaces. */
  readonly start?: { readonly time: number; readonly replaces: readonly JobReference[] };
  /** Old Jobs that exceed the history. */
  readonly expired: readonly Job[];
  /** Time until the next pass. */
  readonly requeueAfterMs?: number;
}

const TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** Decides whether a Job starts, and which Jobs are history. Pure. */
export function decide(observed: Observed): Plan {
  const { status, events } = review(observed);
  const cronJob = { ...observed.cronJob, status };
  const common = { status, events, expired: history(observed) };
  if (cronJob.metadata.deletionTimestamp || cronJob.spec.suspend) return common;
  const { spec } = cronJob;
  let schedule: Schedule;
  try {
    schedule = parseSchedule(spec.schedule, spec.timeZone);
  } catch (error) {
    const message = `unparseable schedule: ${JSON.stringify(spec.schedule)} : ${(error as Error).message}`;
    return { ...common, events: [...events, warning('UnparseableSchedule', message)] };
  }
  const { start, event } = startOf(cronJob, schedule, observed.now);
  // The next time counts from the one that starts now.
  const after = start ? { ...cronJob, status: { lastScheduleTime: new Date(start.time).toISOString() } } : cronJob;
  const requeueAfterMs = untilNext(after, schedule, observed.now);
  return { ...common, events: [...events, ...event], start, requeueAfterMs };
}

const normal = (reason: string, message: string): CronEvent => ({ type: 'Normal', reason, message });
const warning = (reason: string, message: string): CronEvent => ({ type: 'Warning', reason, message });

/** Status after Jobs ended or disappeared. */
function review({ cronJob, jobs, gone }: Observed): { status: NonNullable<CronJob['status']>; events: CronEvent[] } {
  const known = cronJob.status?.active ?? [];
  const events: CronEvent[] = [];
  const ended = new Set<string | undefined>();
  let last = cronJob.status?.lastSuccessfulTime;
  for (const job of jobs) {
    const active = known.some(({ uid }) => uid === job.metadata.uid);
    const condition = finalCondition(job);
    if (!condition) {
      const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
      if (!active) events.push(warning('UnexpectedJob', message));
      continue;
    }
    if (active) {
      ended.add(job.metadata.uid);
      events.push(normal('SawCompletedJob', `Saw completed job: ${job.metadata.name}, condition: ${condition.type}`));
    }
    const time = hasCondition(job, 'Complete') ? job.status?.completionTime : undefined;
    if (time && (!last || Date.parse(time) > Date.parse(last))) last = time;
  }
  for (const { uid, name } of known.filter(({ uid: id }) => gone.has(id ?? ''))) {
    ended.add(uid);
    events.push(normal('MissingJob', `Active job went missing: ${name}`));
  }
  const active = known.filter(({ uid }) => !ended.has(uid));
  const { active: _active, lastSuccessfulTime: _last, ...rest } = cronJob.status ?? {};
  return {
    status: { ...rest, ...(active.length ? { active } : {}), ...(last ? { lastSuccessfulTime: last } : {}) },
    events,
  };
}

function startOf(cronJob: CronJob, schedule: Schedule, now: number): { start?: Plan['start']; event: CronEvent[] } {
  const { spec, status = {} } = cronJob;
  const missed = missedTimes(cronJob, schedule, now, true);
  if (!missed) {
    const message = `invalid schedule: ${spec.schedule} : time difference between two schedules is less than 1 second`;
    return { event: [warning('InvalidSchedule', message)] };
  }
  const time = missed.latest;
  if (time === undefined) return { event: [] };
  const event = missed.many
    ? [
        warning(
          'TooManyMissedTimes',
          'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
        ),
      ]
    : [];
  const deadline = spec.startingDeadlineSeconds;
  if (deadline !== undefined && time + deadline * 1000 < now) {
    const text = new Date(time).toUTCString().replace('GMT', '+0000');
    return { event: [...event, warning('MissSchedule', `Missed scheduled time to start a job: ${text}`)] };
  }
  const active = status.active ?? [];
  const name = jobName(cronJob, time);
  const started = active.some((job) => job.name === name) || Date.parse(status.lastScheduleTime ?? '') === time;
  if (started) return { event };
  if (spec.concurrencyPolicy === 'Forbid' && active.length) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    return { event: [...event, normal('JobAlreadyActive', message)] };
  }
  return { start: { time, replaces: spec.concurrencyPolicy === 'Replace' ? active : [] }, event };
}

/** Name of the Job of one time: with the same name, it cannot start twice. */
export const jobName = ({ metadata }: CronJob, time: number): string => `${metadata.name}-${Math.floor(time / 60_000)}`;

/** The Job of one time. Pure. */
export function jobOf(cronJob: CronJob, time: number): Job {
  const { metadata = {}, spec } = cronJob.spec.jobTemplate;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cronJob, time),
      namespace: cronJob.metadata.namespace,
      labels: { ...metadata.labels },
      annotations: { ...metadata.annotations, [TIMESTAMP]: inZone(time, cronJob.spec.timeZone) },
      ownerReferences: [controllerRef(cronJob)],
    },
    spec: structuredClone(spec),
  };
}

/** The oldest Jobs that ended, beyond the limits of the history. */
function history({ cronJob, jobs }: Observed): Job[] {
  const { successfulJobsHistoryLimit: successes, failedJobsHistoryLimit: failures } = cronJob.spec;
  const beyond = (type: string, limit: number | undefined): Job[] => {
    const ended = jobs.filter((job) => finalCondition(job)?.type === type && !job.metadata.deletionTimestamp);
    return limit === undefined ? [] : ended.sort(byStart).slice(0, Math.max(0, ended.length - limit));
  };
  return [...beyond('Complete', successes), ...beyond('Failed', failures)];
}

function byStart(a: Job, b: Job): number {
  const [left, right] = [a, b].map(({ status }) => Date.parse(status?.startTime ?? '') || Infinity) as [number, number];
  if (left !== right) return left - right;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
