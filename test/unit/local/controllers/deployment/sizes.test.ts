import { maxSurge, maxUnavailable } from '../../../../../src/local/controllers/deployment/limits';
import { isScaling, newSetSize, scale, shrinkOld } from '../../../../../src/local/controllers/deployment/sizes';
import { deployment, replicaSet, type SetFacts } from '../pods';

const rolling = (surge: number | string, unavailable: number | string, replicas = 10) =>
  deployment({
    replicas,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
  });

test.each<[number | string, number | string, number, number, number]>([
  ['25%', '25%', 10, 3, 2],
  ['25%', '25%', 1, 1, 0],
  ['0%', '1%', 2, 0, 1],
  ['0%', '1%', 0, 0, 0],
  [0, 5, 3, 0, 3],
  ['100%', 0, 3, 3, 0],
  ['x', 1, 3, 0, 1],
])('surge %s and unavailable %s of %d Pods are %d and %d', (surge, unavailable, replicas, more, fewer) => {
  const limited = rolling(surge, unavailable, replicas);
  expect([maxSurge(limited), maxUnavailable(limited)]).toEqual([more, fewer]);
});

test('strategy Recreate has no surge', () => {
  const recreate = deployment({ strategy: { type: 'Recreate' } });
  expect([maxSurge(recreate), maxUnavailable(recreate)]).toEqual([0, 0]);
});

test.each([
  ['as many as the surge allows', 10, 0, 3],
  ['no more than there is room', 11, 1, 2],
  ['none if there is no room', 13, 0, 0],
  ['no more than desired', 0, 0, 10],
])('the new ReplicaSet gets %s', (_, old, current, size) => {
  const sets = [replicaSet({ name: 'old', replicas: old }), replicaSet({ name: 'new', replicas: current })];
  expect(newSetSize(rolling(3, 2), sets, current)).toBe(size);
});

/** Sizes of old ReplicaSets after a step; those of the rule's own examples. */
const shrunk = (old: SetFacts[], fresh: SetFacts) =>
  Object.fromEntries(shrinkOld(rolling(3, 2), old.map(replicaSet), replicaSet({ name: 'new', ...fresh })));

test.each<[string, SetFacts[], SetFacts, object]>([
  [
    'ends Pods that are not available first',
    [{ name: 'a', replicas: 8, available: 4 }],
    { replicas: 5, available: 5 },
    { 'uid-a': 3 },
  ],
  ['ends none while new Pods are not available', [{ name: 'a', replicas: 8 }], { replicas: 5, available: 0 }, {}],
  [
    'ends as many as new Pods are available',
    [{ name: 'a', replicas: 8 }],
    { replicas: 5, available: 5 },
    { 'uid-a': 3 },
  ],
  [
    'ends the oldest first',
    [
      { name: 'a', replicas: 4, age: 10 },
      { name: 'b', replicas: 4, age: 20 },
    ],
    { replicas: 5 },
    { 'uid-b': 0, 'uid-a': 3 },
  ],
  ['ends all at the end', [{ name: 'a', replicas: 1 }], { replicas: 10 }, { 'uid-a': 0 }],
])('a rolling update %s', (_, old, fresh, sizes) => {
  expect(shrunk(old, fresh)).toEqual(sizes);
});

test.each<[string, SetFacts, boolean]>([
  ['another number', { desired: 5 }, true],
  ['the same number', { desired: 10 }, false],
  ['no number', {}, false],
  ['another number without Pods', { desired: 5, replicas: 0 }, false],
])('%s of desired Pods: scaling is %s', (_, facts, result) => {
  expect(isScaling(rolling(3, 2), [replicaSet(facts)])).toBe(result);
});

describe('scaling', () => {
  const scaled = (replicas: number, fresh: SetFacts | undefined, old: SetFacts[]) => {
    const { sizes } = scale(
      rolling(5, 2, replicas),
      fresh && replicaSet({ name: 'new', ...fresh }),
      old.map(replicaSet),
    );
    return Object.fromEntries(sizes);
  };

  test.each<[string, number, SetFacts | undefined, SetFacts[], object]>([
    ['the only active ReplicaSet gets all', 20, { replicas: 10 }, [{ name: 'a', replicas: 0 }], { 'uid-new': 20 }],
    ['without active ones, the new one gets all', 20, { replicas: 0 }, [{ name: 'a', replicas: 0 }], { 'uid-new': 20 }],
    [
      'without a new one, the youngest gets all',
      4,
      undefined,
      [
        { name: 'a', replicas: 0, age: 9 },
        { name: 'b', replicas: 0, age: 5 },
      ],
      { 'uid-b': 4 },
    ],
    [
      'old ones end if the new one is complete',
      10,
      { replicas: 10, desired: 10 },
      [{ name: 'a', replicas: 2 }],
      { 'uid-a': 0 },
    ],
    [
      'keeps the proportion when it grows',
      20,
      { replicas: 5, max: 15 },
      [{ name: 'a', replicas: 10, max: 15 }],
      { 'uid-a': 17, 'uid-new': 8 },
    ],
    [
      'keeps the proportion when it shrinks',
      5,
      { replicas: 5, max: 15 },
      [{ name: 'a', replicas: 10, max: 15 }],
      { 'uid-a': 7, 'uid-new': 3 },
    ],
    [
      'ends all at zero',
      0,
      { replicas: 5, max: 15 },
      [{ name: 'a', replicas: 10, max: 15 }],
      { 'uid-a': 0, 'uid-new': 0 },
    ],
    [
      'keeps sizes without a difference',
      10,
      { replicas: 5, max: 15 },
      [{ name: 'a', replicas: 10, max: 15 }],
      { 'uid-a': 10, 'uid-new': 5 },
    ],
  ])('%s', (_, replicas, fresh, old, sizes) => {
    expect(scaled(replicas, fresh, old)).toEqual(sizes);
  });
});
