import type { CronJob, Job } from '../../../../src/local/controllers/batch-v1';
import { decide, jobOf } from '../../../../src/local/controllers/cron-job/decide';
import { inZone } from '../../../../src/local/controllers/cron-job/times';

const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`);
const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const cronJob = (spec: Partial<CronJob['spec']> = {}, status: CronJob['status'] = {}): CronJob => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'c', namespace: 'ns', uid: 'cron', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    schedule: '*/10 * * * *',
    jobTemplate: { spec: { template: {} } },
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    ...spec,
  },
  status,
});

const job = (name: string, end?: 'Complete' | 'Failed', startTime = '2026-01-01T00:00:00Z'): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'ns', uid: name },
  spec: { template: {} },
  status: {
    startTime,
    ...(end ? { conditions: [{ type: end, status: 'True' }] } : {}),
    ...(end === 'Complete' ? { completionTime: startTime } : {}),
  },
});

const active = (...names: string[]) => names.map((name) => ({ name, uid: name, namespace: 'ns', kind: 'Job' }));

function run(given: CronJob, now: number, jobs: Job[] = [], gone: string[] = []) {
  const { start, expired, events, status, requeueAfterMs } = decide({ cronJob: given, jobs, gone: new Set(gone), now });
  return {
    start: start && iso(start.time),
    replaces: start?.replaces.map(({ name }) => name) ?? [],
    expired: expired.map(({ metadata }) => metadata.name),
    events: events.map(({ reason }) => reason),
    active: status.active?.map(({ name }) => name) ?? [],
    status,
    wakesAt: requeueAfterMs === undefined ? undefined : iso(now + requeueAfterMs - 100),
  };
}

test.each<[string, CronJob, string, { start?: string; events?: string[]; replaces?: string[]; wakesAt?: string }]>([
  ['waits for the first time', cronJob(), '00:09:59', { wakesAt: '2026-01-01T00:10:00Z' }],
  ['starts at the time', cronJob(), '00:10:00', { start: '2026-01-01T00:10:00Z', wakesAt: '2026-01-01T00:20:00Z' }],
  ['starts a Job late', cronJob(), '00:19:59', { start: '2026-01-01T00:10:00Z', wakesAt: '2026-01-01T00:20:00Z' }],
  [
    'starts only the last of several missed times',
    cronJob(),
    '00:35:00',
    { start: '2026-01-01T00:30:00Z', wakesAt: '2026-01-01T00:40:00Z' },
  ],
  [
    'starts no time twice',
    cronJob({}, { lastScheduleTime: '2026-01-01T00:10:00Z' }),
    '00:10:30',
    { wakesAt: '2026-01-01T00:20:00Z' },
  ],
  [
    'starts nothing at the end of the deadline',
    cronJob({ startingDeadlineSeconds: 60 }),
    '00:11:00',
    { start: undefined, wakesAt: '2026-01-01T00:20:00Z' },
  ],
  [
    'starts before the deadline',
    cronJob({ startingDeadlineSeconds: 61 }),
    '00:11:00',
    { start: '2026-01-01T00:10:00Z', wakesAt: '2026-01-01T00:20:00Z' },
  ],
  ['is suspended', cronJob({ suspend: true }), '00:10:00', {}],
  [
    'starts nothing beside an active Job if that is forbidden',
    cronJob({ concurrencyPolicy: 'Forbid' }, { active: active('a') }),
    '00:10:00',
    { events: ['JobAlreadyActive'], wakesAt: '2026-01-01T00:20:00Z' },
  ],
  [
    'starts beside an active Job if that is allowed',
    cronJob({ concurrencyPolicy: 'Allow' }, { active: active('a') }),
    '00:10:00',
    { start: '2026-01-01T00:10:00Z', wakesAt: '2026-01-01T00:20:00Z' },
  ],
  [
    'replaces an active Job',
    cronJob({ concurrencyPolicy: 'Replace' }, { active: active('a') }),
    '00:10:00',
    { start: '2026-01-01T00:10:00Z', replaces: ['a'], wakesAt: '2026-01-01T00:20:00Z' },
  ],
  [
    'reports many missed times',
    cronJob({ schedule: '* * * * *' }),
    '01:42:00',
    { start: '2026-01-01T01:42:00Z', events: ['TooManyMissedTimes'], wakesAt: '2026-01-01T01:43:00Z' },
  ],
  [
    'does not report a hundred missed times',
    cronJob({ schedule: '* * * * *' }),
    '01:40:00',
    { start: '2026-01-01T01:40:00Z', wakesAt: '2026-01-01T01:41:00Z' },
  ],
  [
    'follows its time zone',
    cronJob({ schedule: '0 9 * * *', timeZone: 'Europe/Berlin' }),
    '08:00:00',
    { start: '2026-01-01T08:00:00Z', wakesAt: '2026-01-02T08:00:00Z' },
  ],
  [
    'reports a schedule that no program can read',
    cronJob({ schedule: 'x' }),
    '00:10:00',
    { events: ['UnparseableSchedule'] },
  ],
  [
    'reports a schedule that never comes',
    cronJob({ schedule: '0 0 31 2 *' }),
    '00:10:00',
    { events: ['InvalidSchedule'] },
  ],
])('a CronJob %s', (_, given, now, { start, events = [], replaces = [], wakesAt }) => {
  expect(run(given, at(now))).toMatchObject({ start, events, replaces, wakesAt });
});

test('keeps the newest Jobs of each result', () => {
  const jobs = [
    ...[1, 2, 3, 4].map((minute) => job(`s${minute}`, 'Complete', `2026-01-01T00:0${minute}:00Z`)),
    job('f2', 'Failed', '2026-01-01T00:02:00Z'),
    job('f1', 'Failed', '2026-01-01T00:01:00Z'),
    job('running'),
  ];
  expect(run(cronJob(), at('00:05:00'), jobs).expired).toEqual(['s1', 'f1']);
  expect(
    run(cronJob({ successfulJobsHistoryLimit: 4, failedJobsHistoryLimit: 0 }), at('00:05:00'), jobs).expired,
  ).toEqual(['f1', 'f2']);
});

test('removes Jobs that ended or disappeared from the active ones', () => {
  const given = cronJob({}, { active: active('a', 'b', 'c') });
  const { active: left, events, status } = run(given, at('00:05:00'), [job('a', 'Complete'), job('b')], ['c']);
  expect(left).toEqual(['b']);
  expect(events).toEqual(['SawCompletedJob', 'MissingJob']);
  expect(status.lastSuccessfulTime).toBe('2026-01-01T00:00:00Z');
});

test('names the Job after its minute', () => {
  const { metadata } = jobOf(cronJob({ timeZone: 'America/New_York' }), at('00:10:00'));
  expect(metadata.name).toBe(`c-${at('00:10:00') / 60_000}`);
  expect(metadata.annotations).toEqual({
    'batch.kubernetes.io/cronjob-scheduled-timestamp': '2025-12-31T19:10:00-05:00',
  });
});

test.each([
  [undefined, '2026-01-01T00:00:00Z'],
  ['Asia/Kolkata', '2026-01-01T05:30:00+05:30'],
  ['America/St_Johns', '2025-12-31T20:30:00-03:30'],
])('writes a time in the zone %s', (zone, want) => {
  expect(inZone(at('00:00:00'), zone)).toBe(want);
});
