import { decide, statusOf, type Observed } from '../../../../../src/local/controllers/replica-set/decide';
import { ago, NOW, pod, replicaSet } from '../pods';

const observed = (replicas: number, pods: number): Observed => ({
  set: replicaSet({ replicas }),
  active: Array.from({ length: pods }, (_, i) => pod({ name: `p${i}`, readyFor: 60 })),
  ending: [],
  related: [],
  now: NOW,
});

test.each([
  [3, 2, { do: 'create', count: 1 }],
  [3, 3, { do: 'nothing' }],
  [500, 0, { do: 'create', count: 500 }],
  [501, 0, { do: 'create', count: 500 }],
])('%d replicas and %d Pods: %j', (replicas, pods, plan) => {
  expect(decide(observed(replicas, pods))).toEqual(plan);
});

test('deletes surplus Pods', () => {
  expect(decide(observed(3, 5))).toMatchObject({ do: 'delete', pods: { length: 2 } });
});

test('creates nothing for a ReplicaSet that is being deleted', () => {
  const seen = observed(3, 0);
  seen.set.metadata.deletionTimestamp = ago(0);
  expect(decide(seen)).toEqual({ do: 'nothing' });
});

describe('status', () => {
  test('counts labelled, ready, available and ending Pods', () => {
    const set = replicaSet({ replicas: 3 });
    set.spec.minReadySeconds = 10;
    const active = [
      pod({ readyFor: 10 }),
      pod({ readyFor: 9 }),
      pod({ phase: 'Pending' }),
      pod({ labels: { other: 'x' } }),
    ];
    expect(statusOf({ ...observed(3, 0), set, active, ending: [pod({ deleting: true })] }, undefined)).toEqual({
      replicas: 4,
      fullyLabeledReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 1,
    });
  });

  test.each([
    [3, 2, 'FailedCreate'],
    [3, 4, 'FailedDelete'],
  ])('reports a failure with %d replicas and %d Pods as %s', (replicas, pods, reason) => {
    const { conditions } = statusOf(observed(replicas, pods), 'exceeded quota');
    expect(conditions).toEqual([
      { type: 'ReplicaFailure', status: 'True', lastTransitionTime: ago(0), reason, message: 'exceeded quota' },
    ]);
  });

  test('keeps the first failure, and drops it after a success', () => {
    const seen = observed(3, 2);
    seen.set.status!.conditions = [{ type: 'ReplicaFailure', status: 'True', message: 'first' }];
    expect(statusOf(seen, 'second').conditions).toMatchObject([{ message: 'first' }]);
    expect(statusOf(seen, undefined).conditions).toBeUndefined();
  });
});
