import { clusterOf, inTurns } from '../../../../../src/runtime/api-server/admission/cluster';
import { createWebhooks } from '../../../../../src/runtime/api-server/admission/webhooks';
import { decideWith, resources } from '../../../../../src/runtime/kube';
import type { KubeClient, Source } from '../../../../../src/runtime/kube';
import type { KubeObject } from '../../../../../src/api';

const preset = (namespace: string): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstancePreset',
  metadata: { name: 'p', namespace },
});
const userInfo = { username: 'jane', uid: 'u', groups: ['dev'], extra: { a: ['b'] } };

function clusterWith(status: object | undefined, user: object = userInfo) {
  const asked: unknown[] = [];
  const client = {
    create: async (...question: unknown[]) => {
      asked.push(question);
      return { status };
    },
    list: async (...question: unknown[]) => {
      asked.push(question);
      return { items: ['listed'] };
    },
    find: async (...question: unknown[]) => {
      asked.push(question);
      return 'found';
    },
  } as unknown as KubeClient;
  let watched: KubeObject[] | undefined = [preset('a'), preset('b')];
  const source = clusterOf(client, (kind) => (kind === 'VirtualMachineInstancePreset' ? watched : undefined), {
    userInfo: user,
  });
  return { source, asked, forget: () => (watched = undefined) };
}

test('does not request watched objects', async () => {
  const { source, asked } = clusterWith({});
  expect(await source.list('VirtualMachineInstancePreset', 'b')).toEqual([preset('b')]);
  expect(await source.list('VirtualMachineInstancePreset', undefined)).toHaveLength(2);
  expect(asked).toEqual([]);
});

test('requests watched objects until they are listed', async () => {
  const { source, asked, forget } = clusterWith({});
  forget();
  expect(await source.list('VirtualMachineInstancePreset', 'b')).toEqual(['listed']);
  expect(await source.find('VirtualMachine', 'b', 'web')).toBe('found');
  expect(asked).toEqual([
    [resources.presets, { namespace: 'b' }],
    [resources.virtualMachines, { namespace: 'b', name: 'web' }],
  ]);
});

const access = { verb: 'create', group: 'cdi.kubevirt.io', resource: 'datavolumes', namespace: 'b' };

test.each<[string, object | undefined, boolean]>([
  ['allows', { allowed: true }, true],
  ['refuses', { allowed: false }, false],
  ['does not answer', {}, false],
  ['has no status', undefined, false],
])('allows what the cluster %s', async (_, status, want) => {
  const { source, asked } = clusterWith(status);
  expect(await source.may?.(access)).toBe(want);
  expect(asked).toEqual([
    [
      resources.subjectAccessReviews,
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: { user: 'jane', uid: 'u', groups: ['dev'], extra: { a: ['b'] }, resourceAttributes: access },
      },
    ],
  ]);
});

test('checks the access of a user without a uid without one', async () => {
  const { source, asked } = clusterWith({}, { username: 'jane' });
  await source.may?.(access);
  expect(asked).not.toHaveProperty('0.1.spec.uid');
});

/** A source that holds its answers until `answer` is called, which releases one. */
function slow(): { source: Source; running: () => number; answer: () => void; most: () => number } {
  const pending: (() => void)[] = [];
  let most = 0;
  const ask = <T>(value: T): Promise<T> =>
    new Promise((done) => {
      pending.push(() => done(value));
      most = Math.max(most, pending.length);
    });
  const source = { find: () => ask(undefined), list: () => ask([]), may: () => ask(true) };
  return { source, running: () => pending.length, answer: () => pending.shift()?.(), most: () => most };
}

test('requests the references of an object a few at a time', async () => {
  const { source, running, answer, most } = slow();
  const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
  let done = false;
  const decision = decideWith(inTurns(source, 3), ({ find, list, may }) => {
    for (const name of names) find('VirtualMachine', 'a', name);
    list('VirtualMachine', 'a');
    may(access);
  }).then(() => (done = true));
  while (!done) {
    expect(running()).toBeLessThanOrEqual(3);
    answer();
    await new Promise((later) => setImmediate(later));
  }
  await decision;
  expect(most()).toBe(3);
});

test('a request reads eight objects at a time', async () => {
  const { source, running, answer } = slow();
  const client = { find: source.find } as unknown as KubeClient;
  const asking = clusterOf(client, () => undefined, { userInfo });
  const all = Promise.all(Array.from({ length: 20 }, (_, i) => asking.find('VirtualMachine', 'a', `n${i}`)));
  for (let answered = 0; answered < 20; answered += 1) {
    expect(running()).toBe(Math.min(8, 20 - answered));
    answer();
    await new Promise((later) => setImmediate(later));
  }
  await all;
});

test('look-ups one after another do not raise the number of simultaneous ones', async () => {
  const { source, running, answer } = slow();
  const asking = inTurns(source, 1);
  for (const name of ['a', 'b']) {
    const alone = asking.find('VirtualMachine', 'a', name);
    answer();
    await alone;
  }
  const all = Promise.all(['c', 'd', 'e'].map((name) => asking.find('VirtualMachine', 'a', name)));
  for (let answered = 0; answered < 3; answered += 1) {
    expect(running()).toBe(1);
    answer();
    await new Promise((later) => setImmediate(later));
  }
  await all;
});

test('a failed look-up lets the next one start', async () => {
  const failing: Source = { find: () => Promise.reject(new Error('down')), list: async () => [] };
  const source = inTurns(failing, 1);
  await Promise.all([1, 2, 3].map(() => expect(source.find('A', 'a', 'a')).rejects.toThrow('down')));
  expect(await source.list('A', 'a')).toEqual([]);
});

test('a source without access checks denies them', () => {
  expect(inTurns({ find: async () => undefined, list: async () => [] }).may).toBeUndefined();
});

const blocking = { uninstallStrategy: 'BlockUninstallIfWorkloadsExist' };
const withoutCrons = '!cdi.kubevirt.io/dataImportCron';
const migration = { vmiName: 'web' };
test.each<[string, string, string, string, object, number, string, [string, object][]]>([
  [
    'a deletion of KubeVirt',
    '/kubevirt-validate-delete',
    'DELETE',
    'kubevirt.io/v1 KubeVirt',
    blocking,
    0,
    '',
    [
      ['virtualmachineinstances', { most: 1 }],
      ['virtualmachines', { most: 1 }],
      ['virtualmachineinstancereplicasets', { most: 1 }],
    ],
  ],
  [
    'a deletion of KubeVirt that has work',
    '/kubevirt-validate-delete',
    'DELETE',
    'kubevirt.io/v1 KubeVirt',
    blocking,
    1,
    'still Virtual Machine Instances present',
    [
      ['virtualmachineinstances', { most: 1 }],
      ['virtualmachines', { most: 1 }],
      ['virtualmachineinstancereplicasets', { most: 1 }],
    ],
  ],
  ...([99, 100] as const).map((count): [string, string, string, string, object, number, string, [string, object][]] => [
    `a deletion of CDI that has ${count} disks`,
    '/cdi-validate',
    'DELETE',
    'cdi.kubevirt.io/v1beta1 CDI',
    blocking,
    count,
    `still ${count === 100 ? '100 or more' : count} DataVolumes`,
    [['datavolumes', { most: 100, labelSelector: withoutCrons }]],
  ]),
  [
    'a migration',
    '/migration-validate-create',
    'CREATE',
    'kubevirt.io/v1 VirtualMachineInstanceMigration',
    migration,
    0,
    '',
    [['virtualmachineinstancemigrations', { namespace: 'a', labelSelector: 'kubevirt.io/vmi-name=web' }]],
  ],
])('%s reads no more of the cluster than it needs', async (_, path, operation, type, spec, there, want, questions) => {
  const asked: [string, object][] = [];
  const client = {
    find: async () => ({ metadata: { name: 'web' }, spec: {} }),
    list: async ({ plural }: { plural: string }, options: object) => {
      asked.push([plural, JSON.parse(JSON.stringify(options)) as object]);
      return { items: Array.from({ length: there }, () => ({ metadata: {} })) };
    },
  } as unknown as KubeClient;
  const webhooks = createWebhooks({
    namespace: 'kubevirt',
    kubeVirt: () => undefined,
    cluster: (request) => clusterOf(client, () => undefined, request),
  });
  const [apiVersion, kind] = type.split(' ') as [string, string];
  const object = { apiVersion, kind, metadata: { name: 'x', namespace: 'a' }, spec, status: { phase: 'Deployed' } };
  const request = { uid: 'u', operation, object: operation === 'DELETE' ? null : object, oldObject: object, userInfo };
  const verdict = await webhooks.get(path)!(request as never);
  expect(asked).toEqual(questions);
  const errors = 'errors' in verdict ? verdict.errors : [];
  expect(errors.map(({ cause: message }) => message).join()).toContain(want);
  expect(errors.length).toBe(want === '' ? 0 : 1);
});
