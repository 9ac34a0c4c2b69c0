import { Chart, Duration, Testing } from 'cdk8s';
import type { KubeObject } from '../../../../src/api';
import {
  GuestDisruptionBudget,
  SnapshotDeletionPolicy,
  SnapshotSchedule,
  SnapshotScheduleOptions,
} from '../../../../src';
import { mistakeOf, synthMistake, testChart } from '../fixtures';

const db = { name: 'db' };
const schedule = (options: SnapshotScheduleOptions = {}, chart = testChart(), source = db): SnapshotSchedule =>
  new SnapshotSchedule(chart, 'nightly', { source, ...options });

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
const specOf = (options?: SnapshotScheduleOptions): any => schedule(options).apiObject.toJson().spec;
const settings = (options?: SnapshotScheduleOptions): Record<string, unknown> =>
  Object.fromEntries(
    specOf(options).jobTemplate.spec.template.spec.containers[0].env.map(
      ({ name, value, valueFrom }: { name: string; value?: string; valueFrom?: object }) => [name, value ?? valueFrom],
    ),
  );

describe('a schedule of snapshots', () => {
  test('is a CronJob whose account may create, list and delete snapshots, and nothing else', () => {
    const chart = testChart();
    schedule({ metadata: { labels: { team: 'x' } } }, chart, {
      name: 'db',
      metadata: { namespace: 'prod' },
    } as typeof db);
    const objects = Testing.synth(chart);
    const metadata = (name: string): object => ({ name, namespace: 'prod', labels: { team: 'x' } });
    expect(objects.map(({ kind, metadata: own }: KubeObject) => [kind, own])).toEqual([
      ['ServiceAccount', metadata('web-nightly-account')],
      ['Role', metadata('web-nightly-role')],
      ['RoleBinding', metadata('web-nightly-binding')],
      ['CronJob', metadata('web-nightly')],
    ]);
    const [, role, binding, job] = objects;
    expect(role.rules).toEqual([
      {
        apiGroups: ['snapshot.kubevirt.io'],
        resources: ['virtualmachinesnapshots'],
        verbs: ['create', 'list', 'delete'],
      },
    ]);
    expect([binding.roleRef, binding.subjects]).toEqual([
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'web-nightly-role' },
      [{ kind: 'ServiceAccount', name: 'web-nightly-account', namespace: 'prod' }],
    ]);
    const { template } = job.spec.jobTemplate.spec;
    expect(template.spec.serviceAccountName).toBe('web-nightly-account');
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(template.spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('runs its program as nobody, once', () => {
    const { spec } = specOf().jobTemplate.spec.template;
    expect(spec).toMatchObject({
      restartPolicy: 'Never',
      securityContext: { runAsUser: 65534, runAsGroup: 65534 },
    });
    const [{ name, command }] = spec.containers;
    expect([name, ...command.slice(0, 3)]).toEqual(['snapshot', 'node', '--input-type=module', '--eval']);
    expect(command[3]).toContain('virt8s.io/snapshot-schedule');
    expect(command[3]).toContain('virt8s.io/snapshot-time');
    // Kubernetes replaces it by the value of a variable
    expect(command[3]).not.toContain('$(');
  });

  test('without a namespace binds the account of the namespace that it is applied to', () => {
    const chart = testChart();
    schedule({}, chart);
    const [, , binding] = Testing.synth(chart);
    expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'web-nightly-account' }]);
  });

  test('is daily and keeps seven snapshots by default', () => {
    expect(specOf()).toMatchObject({ schedule: '@daily', concurrencyPolicy: 'Forbid' });
    expect(specOf().timeZone).toBeUndefined();
    expect(settings()).toEqual({
      NAMESPACE: { fieldRef: { fieldPath: 'metadata.namespace' } },
      JOB: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/controller-uid']" } },
      PREFIX: 'db',
      SCHEDULE: 'web-nightly',
      SPEC: '{"source":{"apiGroup":"kubevirt.io","kind":"VirtualMachine","name":"db"}}',
      KEEP: '7',
    });
    expect([schedule().keep, schedule().maxAge, schedule().schedule]).toEqual([7, undefined, '@daily']);
  });

  test('keeps one snapshot, or those of a minute', () => {
    expect(settings({ keep: 1 })).toMatchObject({ KEEP: '1' });
    expect(settings({ maxAge: Duration.minutes(1) })).toMatchObject({ MAX_AGE: '60' });
    expect(settings({ maxAge: Duration.millis(60_001) })).toMatchObject({ MAX_AGE: '61' });
  });

  test('starts no Job late or twice, and keeps few', () => {
    expect(specOf()).toMatchObject({
      startingDeadlineSeconds: 3600,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: { spec: { backoffLimit: 2, activeDeadlineSeconds: 600 } },
    });
  });

  test('says everything that it can', () => {
    const options = {
      schedule: '30 2 * * mon-fri',
      timeZone: 'Europe/Berlin',
      maxAge: Duration.days(14),
      suspend: true,
      deletionPolicy: SnapshotDeletionPolicy.RETAIN,
      failureDeadline: Duration.minutes(30),
      prefix: 'backup',
      image: 'registry.example/node:24',
    };
    const spec = specOf(options);
    expect(spec).toMatchObject({ schedule: '30 2 * * mon-fri', timeZone: 'Europe/Berlin', suspend: true });
    expect(spec.jobTemplate.spec.template.spec.containers[0].image).toBe('registry.example/node:24');
    expect(settings(options)).toMatchObject({
      PREFIX: 'backup',
      MAX_AGE: String(14 * 24 * 3600),
      SPEC: JSON.stringify({
        source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' },
        deletionPolicy: 'Retain',
        failureDeadline: '30m',
      }),
    });
    expect(settings(options)).not.toHaveProperty('KEEP');
    expect(settings({ ...options, keep: 3 })).toMatchObject({ KEEP: '3', MAX_AGE: String(14 * 24 * 3600) });
  });

  test.each<[string, SnapshotScheduleOptions, string]>([
    [
      'an invalid schedule',
      { schedule: '61 * * * *' },
      'web/nightly: schedule (spec.schedule): "61 * * * *" is not a valid schedule\n  write 0 to 59 for the minute, not 61 [cron-schedule]',
    ],
    ['six fields', { schedule: '0 0 3 * * *' }, '[cron-schedule]'],
    // Kubernetes refuses it there
    ['a time zone in the schedule', { schedule: 'TZ=UTC 0 3 * * *' }, '[cron-schedule]'],
    ['an invalid interval', { schedule: '@every day' }, '[cron-schedule]'],
    [
      'an unknown time zone',
      { timeZone: 'Europe/Bärlin' },
      'timeZone (spec.timeZone): "Europe/Bärlin" is not a time zone',
    ],
    ['a name that is too long for its Jobs', { metadata: { name: 'x'.repeat(53) } }, '[cron-name-length]'],
    [
      'no snapshot to keep',
      { keep: 0 },
      'SnapshotSchedule: keep: 0 is not a number of snapshots to keep\n  use a whole number from 1 [schedule-keep]',
    ],
    ['an age of less than a minute', { maxAge: Duration.millis(59_999) }, '[schedule-age]'],
    ['half a snapshot', { keep: 1.5 }, '[schedule-keep]'],
    ['no age', { maxAge: Duration.seconds(1) }, '[schedule-age]'],
  ])('with %s is refused at once', (_, options, want) => expect(mistakeOf(() => schedule(options))).toContain(want));

  test.each(['@hourly', '@monthly', '@every 90m', '*/15 8-18 * * mon,wed', '0 0 1 jan *'])('runs at %s', (text) =>
    expect(mistakeOf(() => schedule({ schedule: text }))).toBe('nothing was thrown'),
  );
});

describe('a budget of disruptions', () => {
  const pool = { name: 'web', podLabels: { app: 'web' } };
  const budget = (minAvailable: number, chart: Chart = testChart()): GuestDisruptionBudget =>
    new GuestDisruptionBudget(chart, 'budget', { target: pool, minAvailable });

  test('counts the Pods of the guests', () => {
    expect(budget(2).apiObject.toJson()).toEqual({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web-budget' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    });
  });

  test.each([-1, 1.5])('of %s guests is refused at once', (amount) =>
    expect(mistakeOf(() => budget(amount))).toContain('web/budget: minAvailable (spec.minAvailable): '),
  );

  test('is in the namespace of its guests', () => {
    const target = { ...pool, metadata: { namespace: 'prod' } };
    const chart = testChart();
    expect(new GuestDisruptionBudget(chart, 'budget', { target, minAvailable: 1 }).metadata.namespace).toBe('prod');
    expect(synthMistake(chart)).toBe('nothing was thrown');
  });
});
