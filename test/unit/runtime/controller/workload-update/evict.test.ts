import { ApiError } from '../../../../../src/runtime/kube';
import type { UpdateContext } from '../../../../../src/runtime/controller/workload-update/context';
import { evictBatch } from '../../../../../src/runtime/controller/workload-update/evict';
import type { Launched } from '../../../../../src/runtime/controller/workload-update/observed';
import { NOW, onNode, pod, running } from '../fixtures';

const candidate = (name: string): Launched => ({
  vmi: running((v) => {
    v.metadata = { ...v.metadata, name, uid: `uid-${name}` };
  }),
  pod: pod({}, (p) => {
    onNode(p);
    p.metadata = { ...p.metadata, name: `launcher-${name}`, uid: `pod-${name}` };
  }),
});

const status = (code: number, message: string): ApiError =>
  ApiError.of(code, JSON.stringify({ kind: 'Status', code, message }), 'POST /eviction');

/** Evicts with an API server that answers as said for each instance; others are evicted. */
async function evictAll(names: readonly string[], room: number, answers: Readonly<Record<string, Error>> = {}) {
  const requests: { path: string; body: unknown }[] = [];
  const events: string[] = [];
  const record =
    (type: string) =>
    ({ metadata }: { metadata: { name?: string } }, reason: string, message: string): void =>
      void events.push(`${type} ${metadata.name} ${reason}: ${message}`);
  const context = {
    client: {
      request: (_method: string, path: string, body: unknown) => {
        requests.push({ path, body });
        const failure = Object.entries(answers).find(([name]) => path.includes(`/launcher-${name}/`));
        return failure ? Promise.reject(failure[1]) : Promise.resolve({});
      },
    },
    recorder: { normal: record('Normal'), warning: record('Warning') },
    lastBatch: { begin: (now: number) => Promise.resolve(requests.push({ path: 'batch', body: now })) },
    launcherImage: 'launcher:2',
    refusals: new Map<string, number>(),
    evictions: new Map<string, number>(),
    now: () => NOW,
  };
  const done = evictBatch(context as unknown as UpdateContext, names.map(candidate), room);
  await done;
  const { refusals, evictions } = context;
  return { requests, events, refusals: [...refusals.keys()], evictions: [...evictions.keys()] };
}

test('a batch is recorded before its first eviction', async () => {
  const { requests, events } = await evictAll(['a'], 1);
  expect(requests).toEqual([
    { path: 'batch', body: NOW },
    {
      path: '/api/v1/namespaces/web/pods/launcher-a/eviction',
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'launcher-a', namespace: 'web' },
        deleteOptions: { preconditions: { uid: 'pod-a' } },
      },
    },
  ]);
  expect(events).toEqual([
    'Normal a SuccessfulEvict: Evicted launcher Pod launcher-a: its image is "launcher:1", and that of this version is "launcher:2"',
  ]);
});

const forbidden = status(403, 'VMI "web/a" is not live-migratable');
const busy = status(429, "Cannot evict pod as it would violate the pod's disruption budget.");

test.each<[string, Record<string, Error>, { evictions: string[]; refusals: string[] }]>([
  ['are as many as there is room for', {}, { evictions: ['a', 'b'], refusals: [] }],
  ['go on after one that the webhook rejects', { a: forbidden }, { evictions: ['b', 'c'], refusals: ['a'] }],
  ['go on after one that a budget rejects', { b: busy }, { evictions: ['a', 'c'], refusals: ['b'] }],
  ['go on after a Pod that is gone', { a: status(404, 'gone') }, { evictions: ['b', 'c'], refusals: [] }],
  ['go on after a Pod that was replaced', { a: status(409, 'UID') }, { evictions: ['b', 'c'], refusals: [] }],
  ['count one without an answer', { a: new Error('reset') }, { evictions: ['a', 'b'], refusals: ['a'] }],
  ['count one that timed out', { a: status(504, 'timeout') }, { evictions: ['a', 'b'], refusals: ['a'] }],
  ['end when all are rejected', { a: busy, b: busy, c: busy }, { evictions: [], refusals: ['a', 'b', 'c'] }],
])('the evictions of a batch %s', async (_, answers, want) => {
  const { evictions, refusals } = await evictAll(['a', 'b', 'c'], 2, answers);
  expect(evictions.sort()).toEqual(want.evictions.map((name) => `pod-${name}`));
  expect(refusals).toEqual(want.refusals.map((name) => `uid-${name}`));
});

describe('an eviction that was rejected', () => {
  test('is reported with cause and remedy', async () => {
    const { events } = await evictAll(['a'], 1, { a: forbidden });
    expect(events).toEqual([
      'Warning a FailedEvict: launcher Pod launcher-a has the image of an earlier version, and its eviction failed: ' +
        'VMI "web/a" is not live-migratable. virt-controller retries after 5 minutes; to update the guest now, restart it ' +
        '("virtctl restart a -n web")',
    ]);
  });

  test('is reported with its remedy although the cause is long', async () => {
    const { events } = await evictAll(['a'], 1, { a: status(403, 'x'.repeat(2000)) });
    expect(events[0]!.length).toBeLessThan(1000);
    expect(events[0]).toContain('virtctl restart a');
  });
});
