import { afterEviction, isFree } from '../../../../src/local/api-server/subresources/eviction-budget';
import { StatusError } from '../../../../src/local/api-server/errors';
import type { AnyObject } from '../../../../src/local/api-server/types';
import { decide, untilStale } from '../../../../src/local/controllers/disruption/decide';
import type { DisruptionStatus, PodDisruptionBudget } from '../../../../src/local/controllers/policy-v1';
import type { Pod } from '../../../../src/local/core-v1';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString().replace('.000Z', 'Z');

const pod = (name: string, ready = true, deleted = false): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns', ...(deleted ? { deletionTimestamp: at(0) } : {}) },
  spec: { containers: [] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

const budget = (spec: PodDisruptionBudget['spec'], status?: Partial<DisruptionStatus>): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b', namespace: 'ns', generation: 2 },
  spec,
  ...(status
    ? { status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...status } }
    : {}),
});

const three = [pod('a'), pod('b'), pod('c', false)];

test.each<[string, PodDisruptionBudget['spec'], Pod[], number, [allowed: number, healthy: number, desired: number]]>([
  ['allows nothing without Pods', { minAvailable: 0 }, [], 0, [0, 0, 0]],
  ['allows nothing at its minimum', { minAvailable: 2 }, three, 3, [0, 2, 2]],
  ['allows a disruption above its minimum', { minAvailable: 1 }, three, 3, [1, 2, 1]],
  ['allows nothing below its minimum', { minAvailable: 3 }, three, 3, [0, 2, 3]],
  ['rounds its percentage up', { minAvailable: '34%' }, three, 3, [0, 2, 2]],
  ['counts unavailable Pods', { maxUnavailable: 1 }, three, 3, [0, 2, 2]],
  ['counts Pods that are still missing', { maxUnavailable: 1 }, three, 4, [0, 2, 3]],
  ['rounds the unavailable percentage up', { maxUnavailable: '34%' }, three, 3, [1, 2, 1]],
  ['needs no negative number of Pods', { maxUnavailable: 9 }, three, 3, [2, 2, 0]],
  ['does not count Pods that are being deleted', { minAvailable: 1 }, [pod('a'), pod('b', true, true)], 2, [0, 1, 1]],
])('a budget %s', (_, spec, pods, expected, [disruptionsAllowed, currentHealthy, desiredHealthy]) => {
  const { status } = decide({ budget: budget(spec), pods, expected, now: NOW });
  expect(status).toMatchObject({ disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods: expected });
  expect(status.observedGeneration).toBe(2);
  expect(status.conditions).toEqual([
    {
      type: 'DisruptionAllowed',
      status: disruptionsAllowed ? 'True' : 'False',
      reason: disruptionsAllowed ? 'SufficientPods' : 'InsufficientPods',
      message: '',
      observedGeneration: 2,
      lastTransitionTime: at(0),
    },
  ]);
});

test.each([
  [119, 1, 1001],
  [120, 1, 1],
  [121, 2, undefined],
])('an evicted Pod counts again when it was not deleted (%i s ago)', (secondsAgo, currentHealthy, requeueAfterMs) => {
  const disruptedPods = { a: at(secondsAgo), gone: at(1) };
  const observed = { budget: budget({ minAvailable: 1 }, { disruptedPods }), pods: three, expected: 3, now: NOW };
  const plan = decide(observed);
  expect(plan.status.currentHealthy).toBe(currentHealthy);
  expect(plan.requeueAfterMs).toBe(requeueAfterMs);
  expect(plan.status.disruptedPods).toEqual(currentHealthy === 1 ? { a: at(secondsAgo) } : undefined);
  expect(plan.notDeleted.map(({ metadata }) => metadata.name)).toEqual(currentHealthy === 1 ? [] : ['a']);
});

test('a budget that cannot be computed allows nothing and reports the cause', () => {
  const known = budget({ minAvailable: '50%' }, { disruptionsAllowed: 3, currentHealthy: 4, observedGeneration: 1 });
  const { status } = decide({ budget: known, pods: three, expected: { failure: 'no scale' }, now: NOW });
  expect(status).toMatchObject({
    disruptionsAllowed: 0,
    currentHealthy: 4,
    conditions: [{ status: 'False', reason: 'SyncFailed', message: 'no scale', observedGeneration: 1 }],
  });
});

test.each([
  [119, 1000],
  [120, 0],
  [121, 0],
])('an announced disruption is stale after two minutes (%i s ago)', (secondsAgo, want) => {
  const announced = pod('a');
  announced.status!.conditions!.push({ type: 'DisruptionTarget', status: 'True', lastTransitionTime: at(secondsAgo) });
  expect(untilStale(announced, NOW)).toBe(want);
  expect(untilStale(pod('a'), NOW)).toBeUndefined();
});

describe('an eviction', () => {
  const with_ = (status: object, spec: object = {}): AnyObject =>
    ({ ...budget(spec, status), metadata: { name: 'b', generation: 2 } }) as unknown as AnyObject;

  const refusalOf = (given: AnyObject): [number, string | undefined] => {
    try {
      afterEviction(given, 'p', at(0));
    } catch (error) {
      const { status, code } = error as StatusError;
      return [code, status.details?.causes?.[0]?.message ?? status.message];
    }
    return [201, undefined];
  };

  const counted = { observedGeneration: 2 };
  const full = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`p${i}`, at(0)]));
  const failed = { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: 'no scale' };
  test.each<[string, object, number, string | undefined]>([
    ['is accepted', { ...counted, disruptionsAllowed: 1 }, 201, undefined],
    [
      'waits for the controller',
      { observedGeneration: 1, disruptionsAllowed: 1 },
      429,
      'The disruption budget b is still being processed by the server.',
    ],
    [
      'is rejected without budget',
      { ...counted, currentHealthy: 1, desiredHealthy: 1 },
      429,
      'The disruption budget b needs 1 healthy pods and has 1 currently',
    ],
    [
      'names the failure of the controller',
      { ...counted, conditions: [failed] },
      429,
      'The disruption budget b does not allow evicting pods currently because it failed sync: no scale',
    ],
    [
      'is rejected after a disruption that the controller has not counted',
      { ...counted, currentHealthy: 2, desiredHealthy: 1 },
      429,
      'The disruption budget b does not allow evicting pods currently',
    ],
    [
      'is rejected when too many evictions wait',
      { ...counted, disruptionsAllowed: 1, disruptedPods: full },
      403,
      'poddisruptionbudget.policy "b" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    ],
  ])('%s', (_, status, code, message) => {
    expect(refusalOf(with_(status))).toEqual([code, message]);
  });

  test('uses the budget', () => {
    const next = afterEviction(with_({ ...counted, disruptionsAllowed: 1 }), 'p', at(0));
    expect(next.status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: at(0) },
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
    });
  });

  test.each<[string, boolean, object, object, boolean]>([
    ['a ready Pod needs the budget', true, { currentHealthy: 2, desiredHealthy: 1 }, {}, false],
    ['an unready Pod is free while enough are healthy', false, { currentHealthy: 1, desiredHealthy: 1 }, {}, true],
    ['an unready Pod is not free below the minimum', false, { currentHealthy: 0, desiredHealthy: 1 }, {}, false],
    ['an unready Pod is not free without a minimum', false, { currentHealthy: 0, desiredHealthy: 0 }, {}, false],
    ['an unready Pod is free if the budget allows it', false, {}, { unhealthyPodEvictionPolicy: 'AlwaysAllow' }, true],
  ])('%s', (_, ready, status, spec, want) => {
    expect(isFree(pod('p', ready) as unknown as AnyObject, with_(status, spec))).toBe(want);
  });
});
