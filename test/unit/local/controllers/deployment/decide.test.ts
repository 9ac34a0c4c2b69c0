import type { Deployment, ReplicaSet } from '../../../../../src/local/controllers/apps-v1';
import { decide, type Decision } from '../../../../../src/local/controllers/deployment/decide';
import { ago, deployment, NOW, pod, replicaSet, template } from '../pods';

const step = (own: Deployment, sets: ReplicaSet[] = [], pods = [] as ReturnType<typeof pod>[]): Decision =>
  decide({ deployment: own, sets, pods, now: NOW });

const sizes = ({ changes }: Decision) =>
  Object.fromEntries(changes.map(({ set, replicas }) => [set.metadata.name, replicas]));
const progress = ({ status }: Decision) => status.conditions?.find(({ type }) => type === 'Progressing');

/** A Deployment with template 2, whose ReplicaSet `web-1` has template 1. */
const changed = (spec: Partial<Deployment['spec']> = {}) => deployment({ template: template('web:2'), ...spec });
const oldSet = (facts = {}) => replicaSet({ name: 'web-1', revision: 1, desired: 3, max: 4, age: 600, ...facts });
const newSet = (facts = {}) => replicaSet({ name: 'web-2', image: 'web:2', revision: 2, desired: 3, max: 4, ...facts });

test('creates the first ReplicaSet with all Pods, and reports revision and conditions', () => {
  const decision = step(deployment());
  const { create } = decision;
  const hash = create?.metadata.labels?.['pod-template-hash'];
  expect(create).toMatchObject({
    metadata: {
      name: `web-${hash}`,
      labels: { app: 'web', 'pod-template-hash': hash },
      annotations: {
        'deployment.kubernetes.io/revision': '1',
        'deployment.kubernetes.io/desired-replicas': '3',
        'deployment.kubernetes.io/max-replicas': '4',
      },
    },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } } },
  });
  expect(decision.revision).toBe('1');
  expect(decision.status.conditions).toMatchObject([
    {
      type: 'Progressing',
      status: 'True',
      reason: 'NewReplicaSetCreated',
      message: `Created new replica set "web-${hash}"`,
    },
    { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
  ]);
});

test('the hash depends on template and collision count only', () => {
  const nameOf = (own: Deployment) => step(own).create?.metadata.name;
  const collided = deployment();
  collided.status = { collisionCount: 1 };
  expect(nameOf(deployment({ replicas: 7 }))).toBe(nameOf(deployment()));
  expect(nameOf(changed())).not.toBe(nameOf(deployment()));
  expect(nameOf(collided)).not.toBe(nameOf(deployment()));
});

test('a new template creates a ReplicaSet of the size that the surge allows', () => {
  const decision = step(changed(), [oldSet()]);
  expect(decision.create).toMatchObject({
    metadata: { annotations: { 'deployment.kubernetes.io/revision': '2' } },
    spec: { replicas: 1 },
  });
  expect(decision.changes).toEqual([]);
});

test('a rollout grows the new ReplicaSet before it shrinks the old one', () => {
  expect(sizes(step(changed(), [oldSet({ replicas: 2 }), newSet({ replicas: 1 })]))).toEqual({ 'web-2': 2 });
  expect(sizes(step(changed(), [oldSet(), newSet({ replicas: 1 })]))).toEqual({ 'web-1': 2 });
  expect(sizes(step(changed(), [oldSet(), newSet({ replicas: 1, available: 0 })]))).toEqual({});
});

test('a complete rollout is reported, and old ReplicaSets beyond the limit are deleted', () => {
  const own = changed({ revisionHistoryLimit: 1 });
  own.status = { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
  const history = [1, 2, 3].map((revision) => oldSet({ name: `old-${revision}`, replicas: 0, revision }));
  const decision = step(own, [...history, newSet({ revision: 4 })]);
  expect(decision.deletions.map(({ metadata }) => metadata.name)).toEqual(['old-1', 'old-2']);
  expect(progress(decision)).toMatchObject({
    reason: 'NewReplicaSetAvailable',
    message: 'ReplicaSet "web-2" has successfully progressed.',
  });
});

test('returning to an earlier template keeps its ReplicaSet and records its revisions', () => {
  const [change] = step(deployment(), [oldSet({ replicas: 0 }), newSet()]).changes;
  expect(change?.annotations).toMatchObject({
    'deployment.kubernetes.io/revision': '3',
    'deployment.kubernetes.io/revision-history': '1',
  });
});

test('annotations of the Deployment are copied, except those of kubectl and the revisions', () => {
  const own = deployment();
  own.metadata.annotations = {
    'kubernetes.io/change-cause': 'x',
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
    'deployment.kubernetes.io/revision': '1',
  };
  const [change] = step(own, [oldSet()]).changes;
  expect(change?.annotations).toEqual({ ...oldSet().metadata.annotations, 'kubernetes.io/change-cause': 'x' });
});

test('scaling changes all active ReplicaSets and starts no rollout', () => {
  const decision = step(changed({ replicas: 6 }), [oldSet({ replicas: 3 }), newSet({ replicas: 1 })]);
  expect(sizes(decision)).toEqual({ 'web-1': 6, 'web-2': 2 });
});

test('a Deployment that has the new size already records it, so that its rollout continues', () => {
  const [change] = step(changed({ replicas: 2 }), [oldSet({ replicas: 2, desired: 3 })]).changes;
  expect(change).toMatchObject({ replicas: 2, annotations: { 'deployment.kubernetes.io/desired-replicas': '2' } });
});

test('a paused Deployment is scaled, and creates no ReplicaSet', () => {
  const decision = step(changed({ paused: true, replicas: 5 }), [oldSet()]);
  expect(decision.create).toBeUndefined();
  expect(sizes(decision)).toEqual({ 'web-1': 5 });
  expect(progress(decision)).toMatchObject({ status: 'Unknown', reason: 'DeploymentPaused' });
});

test('a resumed Deployment reports it and continues', () => {
  const own = changed();
  own.status = {
    ...{ updatedReplicas: 1, replicas: 4, readyReplicas: 3, availableReplicas: 3 },
    conditions: [{ type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused' }],
  };
  expect(step(own, [oldSet(), newSet({ replicas: 1, available: 0 })]).status.conditions).toContainEqual(
    expect.objectContaining({ reason: 'DeploymentResumed', message: 'Deployment is resumed' }),
  );
});

test('strategy Recreate waits until the old Pods have ended', () => {
  const recreate = changed({ strategy: { type: 'Recreate' } });
  expect(sizes(step(recreate, [oldSet()]))).toEqual({ 'web-1': 0 });
  expect(step(recreate, [oldSet({ replicas: 0 })], [pod({ deleting: true })]).create).toBeUndefined();
  expect(step(recreate, [oldSet({ replicas: 0 })], [pod({ phase: 'Failed' })]).create?.spec.replicas).toBe(3);
});

test.each([
  ['at the deadline', 600, 'NewReplicaSetCreated'],
  ['a second after the deadline', 601, 'ProgressDeadlineExceeded'],
])('without progress, the condition %s (%d s) has reason %s', (_, seconds, reason) => {
  const own = changed();
  own.status = {
    updatedReplicas: 1,
    replicas: 4,
    readyReplicas: 3,
    availableReplicas: 3,
    conditions: [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetCreated', lastUpdateTime: ago(seconds) }],
  };
  expect(progress(step(own, [oldSet(), newSet({ replicas: 1, available: 0 })]))?.reason).toBe(reason);
});

test('a failure of a ReplicaSet becomes a condition of the Deployment', () => {
  const failing = oldSet();
  failing.status!.conditions = [
    { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota', lastTransitionTime: ago(9) },
  ];
  expect(step(deployment(), [failing]).status.conditions).toContainEqual({
    type: 'ReplicaFailure',
    status: 'True',
    reason: 'FailedCreate',
    message: 'quota',
    lastTransitionTime: ago(9),
    lastUpdateTime: ago(9),
  });
});

test('a Deployment that is being deleted only updates its status', () => {
  const own = changed();
  own.metadata.deletionTimestamp = ago(0);
  const decision = step(own, [oldSet()]);
  expect([decision.create, decision.changes, decision.deletions]).toEqual([undefined, [], []]);
});
