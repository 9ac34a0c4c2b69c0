import type { Pod } from '../../../../src/local/core-v1';
import type { Job, JobSpec, JobStatus } from '../../../../src/local/controllers/batch-v1';
import { countFailures, NO_FAILURES, remainingMs } from '../../../../src/local/controllers/job/backoff';
import { plan } from '../../../../src/local/controllers/job/decide';
import { firstFree, format, parseIndexes } from '../../../../src/local/controllers/job/indexes';
import { INDEX, TRACKING } from '../../../../src/local/controllers/job/pods';
import { podFor } from '../../../../src/local/controllers/job/template';
import { finish, track } from '../../../../src/local/controllers/job/track';
import { untilExpired } from '../../../../src/local/controllers/job/ttl';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString().replace('.000Z', 'Z');

const job = (spec: Partial<JobSpec> = {}, status: JobStatus = { startTime: at(60) }): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j', namespace: 'ns', uid: 'job' },
  spec: {
    completions: 1,
    parallelism: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    podReplacementPolicy: 'TerminatingOrFailed',
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
    ...spec,
  },
  status,
});

type PodPhase = NonNullable<Pod['status']>['phase'];

interface Facts {
  readonly index?: number;
  readonly exitCode?: number;
  readonly deleted?: boolean;
  readonly untracked?: boolean;
  readonly condition?: string;
  readonly failures?: number;
  readonly endedSecondsAgo?: number;
}

const pod = (name: string, phase: PodPhase, facts: Facts = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'ns',
    uid: name,
    creationTimestamp: at(50),
    ...(facts.untracked ? {} : { finalizers: [TRACKING] }),
    ...(facts.deleted ? { deletionTimestamp: at(0) } : {}),
    annotations: {
      ...(facts.index === undefined ? {} : { [INDEX]: String(facts.index) }),
      ...(facts.failures === undefined
        ? {}
        : { 'batch.kubernetes.io/job-index-failure-count': String(facts.failures) }),
    },
  },
  spec: { containers: [{ name: 'c', image: 'i' }] },
  status: {
    phase,
    conditions: [
      ...(phase === 'Running' ? [{ type: 'Ready', status: 'True' as const }] : []),
      ...(facts.condition ? [{ type: facts.condition, status: 'True' as const }] : []),
    ],
    containerStatuses:
      phase === 'Succeeded' || phase === 'Failed'
        ? [
            {
              name: 'c',
              ready: false,
              restartCount: 0,
              image: '',
              imageID: '',
              state: {
                terminated: {
                  exitCode: facts.exitCode ?? (phase === 'Failed' ? 1 : 0),
                  finishedAt: at(facts.endedSecondsAgo ?? 300),
                },
              },
            },
          ]
        : [],
  },
});

/** Runs one pass in which every request succeeds. Returns what happened to the Pods and the final status. */
function pass(given: Job, pods: Pod[]) {
  const observed = { job: given, pods, backoff: NO_FAILURES, now: NOW };
  const planned = plan(observed);
  const outcome = { created: planned.create.length, removed: planned.remove };
  const tracked = track(observed, planned, outcome);
  const left = pods.filter((item) => !tracked.release.includes(item));
  const { status, events } = finish(tracked, given, left);
  return {
    create: planned.create,
    remove: planned.remove.map(({ metadata }) => metadata.name),
    release: tracked.release.map(({ metadata }) => metadata.name),
    first: tracked.status,
    status,
    conditions: (status.conditions ?? []).map(({ type, status: on, reason }) => `${type}=${on} ${reason}`),
    events: [...tracked.events, ...events].map(({ reason, message }) => `${reason}: ${message}`),
    requeueAfterMs: planned.requeueAfterMs,
  };
}

const indexed = { completionMode: 'Indexed' as const, completions: 4, parallelism: 2 };

describe('Pods of a Job', () => {
  test.each<[string, Job, Pod[], { create?: number[]; remove?: string[] }]>([
    ['starts the first Pod', job(), [], { create: [-1] }],
    ['starts no second Pod', job(), [pod('a', 'Running')], {}],
    ['starts as many as may run at once', job({ completions: 5, parallelism: 3 }), [], { create: [-1, -1, -1] }],
    [
      'starts no more than completions are left',
      job({ completions: 5, parallelism: 3 }, { succeeded: 4 }),
      [],
      { create: [-1] },
    ],
    [
      'deletes Pods when the parallelism decreases',
      job({ completions: 5, parallelism: 1 }),
      [pod('a', 'Running'), pod('b', 'Pending')],
      { remove: ['b'] },
    ],
    [
      'starts nothing after a success without completions',
      job({ completions: undefined }),
      [pod('a', 'Succeeded')],
      {},
    ],
    ['stops all Pods of a suspended Job', job({ suspend: true }), [pod('a', 'Running')], { remove: ['a'] }],
    ['starts indexes in order', job(indexed), [], { create: [0, 1] }],
    [
      'starts the first index that is missing',
      job(indexed, { completedIndexes: '1' }),
      [pod('a', 'Running', { index: 0 })],
      { create: [2] },
    ],
    [
      'deletes a repeated index',
      job(indexed),
      [pod('a', 'Running', { index: 0 }), pod('b', 'Pending', { index: 0 })],
      { remove: ['b'] },
    ],
    ['deletes an index past the last', job(indexed), [pod('a', 'Running', { index: 4 })], { remove: ['a'] }],
    [
      'replaces a Pod that is being deleted',
      job(),
      [pod('a', 'Running', { deleted: true, untracked: true })],
      { create: [-1] },
    ],
    [
      'waits for a Pod that is being deleted if the policy requires that',
      job({ podReplacementPolicy: 'Failed' }),
      [pod('a', 'Running', { deleted: true })],
      {},
    ],
    ['replaces a failed Pod after the delay', job(), [pod('a', 'Failed', { endedSecondsAgo: 10 })], { create: [-1] }],
    ['replaces no failed Pod before the delay', job(), [pod('a', 'Failed', { endedSecondsAgo: 9 })], {}],
    [
      'starts nothing while the Job is being deleted',
      { ...job(), metadata: { ...job().metadata, deletionTimestamp: at(0) } },
      [],
      {},
    ],
  ])('%s', (_, given, pods, { create = [], remove = [] }) => {
    expect(pass(given, pods)).toMatchObject({ create, remove });
  });
});

describe('the end of a Job', () => {
  const complete = ['SuccessCriteriaMet=True CompletionsReached', 'Complete=True CompletionsReached'];
  const failed = (reason: string): string[] => [`FailureTarget=True ${reason}`, `Failed=True ${reason}`];
  const policy = {
    podFailurePolicy: {
      rules: [
        { action: 'Ignore' as const, onPodConditions: [{ type: 'DisruptionTarget' }] },
        { action: 'FailJob' as const, onExitCodes: { operator: 'In' as const, values: [42] } },
      ],
    },
  };
  test.each<[string, Job, Pod[], string[]]>([
    ['completes', job(), [pod('a', 'Succeeded')], complete],
    ['runs on until all completions', job({ completions: 2 }), [pod('a', 'Succeeded')], []],
    ['completes when all Pods have ended', job({ completions: undefined }), [pod('a', 'Succeeded')], complete],
    [
      'waits for other Pods',
      job({ completions: undefined, parallelism: 2 }),
      [pod('a', 'Succeeded'), pod('b', 'Running')],
      [],
    ],
    ['completes without completions', job({ completions: 0 }), [], complete],
    [
      'fails when there are too many failures',
      job({ backoffLimit: 0 }),
      [pod('a', 'Failed')],
      failed('BackoffLimitExceeded'),
    ],
    ['continues at the limit of failures', job({ backoffLimit: 1 }), [pod('a', 'Failed')], []],
    ['fails at its deadline', job({ activeDeadlineSeconds: 60 }), [], failed('DeadlineExceeded')],
    ['continues before its deadline', job({ activeDeadlineSeconds: 61 }), [], []],
    [
      'has no deadline while suspended',
      job({ activeDeadlineSeconds: 1, suspend: true }),
      [],
      ['Suspended=True JobSuspended'],
    ],
    [
      'fails at an exit code of its policy',
      job(policy),
      [pod('a', 'Failed', { exitCode: 42 })],
      failed('PodFailurePolicy'),
    ],
    [
      'ignores a disruption',
      job({ ...policy, backoffLimit: 0 }),
      [pod('a', 'Failed', { condition: 'DisruptionTarget' })],
      [],
    ],
    [
      'waits for Pods that are being deleted',
      job({ backoffLimit: 0 }),
      [pod('a', 'Failed'), pod('b', 'Running')],
      ['FailureTarget=True BackoffLimitExceeded'],
    ],
    [
      'completes all indexes',
      job({ ...indexed, completions: 2 }, { completedIndexes: '0', startTime: at(9) }),
      [pod('a', 'Succeeded', { index: 1 })],
      complete,
    ],
    [
      'fails when an index failed and none is left',
      job({ ...indexed, completions: 1, backoffLimitPerIndex: 0 }),
      [pod('a', 'Failed', { index: 0, failures: 0 })],
      failed('FailedIndexes'),
    ],
    [
      'continues while an index may fail again',
      job({ ...indexed, completions: 1, backoffLimitPerIndex: 1 }),
      [pod('a', 'Failed', { index: 0, failures: 0 })],
      [],
    ],
    [
      'fails with more failed indexes than allowed',
      job({ ...indexed, backoffLimitPerIndex: 0, maxFailedIndexes: 0 }),
      [pod('a', 'Failed', { index: 0 })],
      failed('MaxFailedIndexesExceeded'),
    ],
    [
      'meets its success policy',
      job({ ...indexed, successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 1 }] } }),
      [pod('a', 'Succeeded', { index: 2 })],
      ['SuccessCriteriaMet=True SuccessPolicy', 'Complete=True SuccessPolicy'],
    ],
    [
      'does not meet its success policy',
      job({ ...indexed, successPolicy: { rules: [{ succeededIndexes: '0-1' }] } }),
      [pod('a', 'Succeeded', { index: 1 })],
      [],
    ],
  ])('%s', (_, given, pods, want) => {
    expect(pass(given, pods).conditions).toEqual(want);
  });

  test('counts a Pod in two steps, so that a crash between them neither loses nor repeats it', () => {
    const pods = [pod('a', 'Succeeded'), pod('b', 'Failed')];
    const { first, status, release } = pass(job({ completions: 3 }), pods);
    expect(first.uncountedTerminatedPods).toEqual({ succeeded: ['a'], failed: ['b'] });
    expect(first.succeeded ?? 0).toBe(0);
    expect(release).toEqual(['a', 'b']);
    expect(status).toMatchObject({ succeeded: 1, failed: 1, uncountedTerminatedPods: { succeeded: [], failed: [] } });
    // after the first step and before the second, and after the finalizer of one Pod was removed
    const again = pass(job({ completions: 3 }, first), [pods[0]!, pod('b', 'Failed', { untracked: true })]);
    expect(again.status).toMatchObject({ succeeded: 1, failed: 1 });
  });

  test('reports events', () => {
    expect(pass(job(), [pod('a', 'Succeeded')]).events).toEqual(['Completed: Job completed']);
    expect(pass(job({ backoffLimit: 0 }), [pod('a', 'Failed')]).events).toEqual([
      'BackoffLimitExceeded: Job has reached the specified backoff limit',
    ]);
    expect(pass(job({ suspend: true }), []).events).toEqual(['Suspended: Job suspended']);
    const suspended = { conditions: [{ type: 'Suspended', status: 'True' }] };
    expect(pass(job({}, suspended), []).events).toEqual(['Resumed: Job resumed']);
  });

  test('names the container whose exit code failed the Job', () => {
    const { status } = pass(job(policy), [pod('a', 'Failed', { exitCode: 42 })]);
    expect(status.conditions?.[0]?.message).toBe(
      'Container c for pod ns/a failed with exit code 42 matching FailJob rule at index 1',
    );
  });
});

test('a Pod of an index has its number in the name, host name, label, annotation and environment', () => {
  const created = podFor(
    job({ ...indexed, backoffLimitPerIndex: 2 }),
    3,
    pod('old', 'Failed', { index: 3, failures: 1 }),
  );
  expect(created.metadata).toMatchObject({
    generateName: 'j-3-',
    finalizers: [TRACKING],
    labels: { [INDEX]: '3' },
    annotations: { [INDEX]: '3', 'batch.kubernetes.io/job-index-failure-count': '2' },
  });
  expect(created.spec.hostname).toBe('j-3');
  expect(created.spec.containers[0]?.env).toEqual([
    { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } } },
  ]);
});

test.each([
  ['', 5, ''],
  ['0,1,2', 5, '0-2'],
  ['0-1', 5, '0,1'],
  ['1,3-9', 5, '1,3,4'],
  ['x,2', 5, '2'],
])('reads the indexes %s of %i as %s', (text, completions, want) => {
  expect(format(parseIndexes(text, completions))).toBe(want);
});

test('finds free indexes', () => {
  expect(firstFree([[1, 2]], 3, 5)).toEqual([0, 3, 4]);
  expect(firstFree([], 3, 2)).toEqual([0, 1]);
  expect(firstFree([[0, 4]], 1, 5)).toEqual([]);
});

test.each([
  [0, 0],
  [1, 10_000],
  [2, 20_000],
  [7, 600_000],
  [1_000_000, 600_000],
])('after %i failures a Pod waits %i ms', (failures, want) => {
  expect(remainingMs({ failures, lastFailure: NOW }, NOW)).toBe(want);
});

test('a success resets the delay', () => {
  const before = { failures: 5, lastFailure: 1 };
  expect(countFailures(before, [pod('a', 'Succeeded')], [])).toEqual(NO_FAILURES);
  expect(countFailures(before, [], [pod('a', 'Failed')])).toEqual({ failures: 6, lastFailure: NOW - 300_000 });
  const later = pod('b', 'Failed', { endedSecondsAgo: 1 });
  expect(countFailures(before, [pod('a', 'Succeeded')], [later])).toEqual({ failures: 1, lastFailure: NOW - 1000 });
});

test.each([
  [100, 101, 1000],
  [100, 100, 0],
  [100, 99, 0],
  [100, undefined, undefined],
])('a Job that ended %i s ago with a TTL of %p s expires in %p ms', (secondsAgo, ttlSecondsAfterFinished, want) => {
  const conditions = [{ type: 'Complete', status: 'True', lastTransitionTime: at(secondsAgo) }];
  expect(untilExpired(job({ ttlSecondsAfterFinished }, { conditions }), NOW)).toBe(want);
});
