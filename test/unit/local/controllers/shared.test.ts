import type { KubeObject, OwnerReference } from '../../../../src/api/meta';
import { scaled } from '../../../../src/local/controllers/amounts';
import { forAll, inGrowingBatches } from '../../../../src/local/controllers/batches';
import { verdictOf } from '../../../../src/local/controllers/ownership';
import { matcherOf, untilAvailable } from '../../../../src/local/controllers/pods';
import { revisionHash, snapshotOf } from '../../../../src/local/controllers/revisions';
import { difference } from '../../../../src/local/controllers/status';
import { fnv32a, safeText } from '../../../../src/local/controllers/template-hash';
import { NOW, pod } from './pods';

describe('batches', () => {
  test('grow while all calls succeed', async () => {
    const running: number[] = [];
    let now = 0;
    await inGrowingBatches(6, async () => {
      now += 1;
      await Promise.resolve();
      running.push(now);
    });
    expect(running).toEqual([1, 3, 3, 6, 6, 6]);
  });

  test('end after the first batch with a failure', async () => {
    const calls: number[] = [];
    const work = (i: number): Promise<void> => {
      calls.push(i);
      return i === 1 ? Promise.reject(new Error('quota')) : Promise.resolve();
    };
    await expect(inGrowingBatches(10, work)).rejects.toThrow('quota');
    expect(calls).toEqual([0, 1, 2]);
  });

  test('for all items, the first failure is thrown after all calls', async () => {
    const done: number[] = [];
    const work = async (i: number): Promise<void> => {
      if (i < 2) throw new Error(`item ${i}`);
      await Promise.resolve();
      done.push(i);
    };
    await expect(forAll([0, 1, 2], work)).rejects.toThrow('item 0');
    expect(done).toEqual([2]);
  });
});

describe('ownership', () => {
  const object = (uid: string, owner?: Partial<OwnerReference>, ending = false): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'default',
      uid,
      ...(owner
        ? { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'set', controller: true, ...owner }] }
        : {}),
      ...(ending ? { deletionTimestamp: '2030-01-01T00:00:00Z' } : {}),
    },
  });

  test.each<[string, KubeObject, boolean, KubeObject, string]>([
    ['its own object', object('set'), true, object('p', {}), 'keep'],
    ['its own object that does not match', object('set'), false, object('p', {}), 'release'],
    [
      'its own object that does not match, while it ends',
      object('set', undefined, true),
      false,
      object('p', {}),
      'ignore',
    ],
    ['an object of another controller', object('set'), true, object('p', { uid: 'other' }), 'ignore'],
    [
      'an object with an owner that does not control it',
      object('set'),
      true,
      object('p', { controller: false }),
      'adopt',
    ],
    ['an orphan that matches', object('set'), true, object('p'), 'adopt'],
    ['an orphan that does not match', object('set'), false, object('p'), 'ignore'],
    ['an orphan that ends', object('set'), true, object('p', undefined, true), 'ignore'],
    ['an orphan, while it ends itself', object('set', undefined, true), true, object('p'), 'ignore'],
  ])('of %s', (_, owner, matches, owned, verdict) => expect(verdictOf(owner, matches, owned)).toBe(verdict));
});

test.each<[Parameters<typeof difference>, object]>([
  [
    [
      { a: 1, b: [1] },
      { a: 1, b: [1] },
    ],
    {},
  ],
  [[{ a: 1, b: 2 }, { a: 3 }], { a: 3, b: null }],
  [[undefined, { a: 0, b: undefined }], { a: 0 }],
])('the difference of %j', ([before, after], want) => expect(difference(before, after)).toEqual(want));

test.each([
  ['25%', 10, 3, 2],
  ['0%', 10, 0, 0],
  ['100%', 3, 3, 3],
  [2, 10, 2, 2],
  [undefined, 10, 0, 0],
  ['5', 10, 0, 0],
] as const)('%s of %d Pods are %d or %d', (value, total, up, down) => {
  expect([scaled(value, total, 'up'), scaled(value, total, 'down')]).toEqual([up, down]);
});

test.each([
  [{}, false],
  [undefined, false],
  [{ matchLabels: { a: 'b' } }, true],
  [{ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, false],
])('a selector %j selects: %s', (selector, result) => expect(matcherOf(selector)({ a: 'b' })).toBe(result));

test('the next Pod becomes available after the shortest remaining time', () => {
  const pods = [pod({ readyFor: 3 }), pod({ readyFor: 7 }), pod({ readyFor: 10 }), pod()];
  expect(untilAvailable(pods, 10, NOW)).toBe(3000);
  expect(untilAvailable(pods, 0, NOW)).toBeUndefined();
});

test('hashes are those of FNV, written with safe characters', () => {
  expect(fnv32a(Buffer.from('foobar'))).toBe(0xbf9cf968);
  expect(safeText(1234567890)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
  expect(revisionHash({ a: '<&>' }, 0)).not.toBe(revisionHash({ a: '<&>' }, 1));
});

test('the name of a revision is the one that Kubernetes 1.36 chose for this template', () => {
  const container = {
    name: 'c',
    image: 'i:1',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File' as const,
    imagePullPolicy: 'IfNotPresent' as const,
  };
  const spec = {
    containers: [container],
    restartPolicy: 'Always' as const,
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    nodeSelector: { none: 'x' },
    securityContext: {},
    schedulerName: 'default-scheduler',
  };
  expect(revisionHash(snapshotOf({ metadata: { labels: { app: 'x' } }, spec }), 0)).toBe('b4965bbc');
});
