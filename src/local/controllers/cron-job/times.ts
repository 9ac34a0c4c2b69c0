import type { Schedule } from '../../../api/schedule';
import type { CronJob } from '../batch-v1';

/** Times of a CronJob that its status has not covered yet. */
export interface Missed {
  /** Time from which missed times count. */
  readonly since: number;
  /** The last time that has passed; undefined if none has. */
  readonly latest?: number;
  /** Whether more than 100 times were missed: clocks may be wrong. */
  readonly many: boolean;
  /** Whether any time has passed. */
  readonly any: boolean;
}

const MANY = 100;
/** Margin for clocks that differ. */
const MARGIN_MS = 100;

/** Finds the most recent time of the schedule. Undefined if the schedule has no second time. Pure. */
export function missedTimes(
  cronJob: CronJob,
  schedule: Schedule,
  now: number,
  fromDeadline: boolean,
): Missed | undefined {
  const { metadata, spec, status } = cronJob;
  const last = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  const deadline = fromDeadline ? spec.startingDeadlineSeconds : undefined;
  const since = Math.max(Number.isNaN(last) ? now : last, deadline === undefined ? -Infinity : now - deadline * 1000);
  const first = schedule.next(since);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first === undefined || second === undefined) return undefined;
  if (now < first) return { since, many: false, any: false };
  if (now < second) return { since, latest: first, many: false, any: false };
  const interval = Math.round((second - first) / 1000) * 1000;
  if (interval < 1000) return undefined;
  const count = Math.floor((now - first) / interval) + 1;
  let latest: number | undefined;
  // starts shortly before now, because thousands of times may have passed
  let time = schedule.next(first + (count - 2) * interval);
  for (; time !== undefined && time <= now; time = schedule.next(time)) latest = time;
  return { since, ...(latest === undefined ? {} : { latest }), many: count > MANY, any: true };
}

/** Time until the next pass. */
export function untilNext(cronJob: CronJob, schedule: Schedule, now: number): number | undefined {
  const missed = missedTimes(cronJob, schedule, now, false);
  const from = missed ? (missed.latest ?? (missed.any ? now : missed.since)) : now;
  const next = schedule.next(from);
  return next === undefined ? undefined : Math.max(0, next + MARGIN_MS - now);
}

/** A time as RFC 3339 writes it in a zone: `2026-01-01T09:00:00+01:00`. */
export function inZone(time: number, timeZone = 'UTC'): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const offset = hours === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = new Date(time + offset * 60_000).toISOString().slice(0, 19);
  return offset ? `${local}${sign}${hours}:${minutes}` : `${local}Z`;
}
