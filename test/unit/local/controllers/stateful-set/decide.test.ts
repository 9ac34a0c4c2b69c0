import type { ControllerRevision, StatefulSet } from '../../../../../src/local/controllers/apps-v1';
import { snapshotOf } from '../../../../../src/local/controllers/revisions';
import { decide, surplusRevisions, type Observed } from '../../../../../src/local/controllers/stateful-set/decide';
import type { PersistentVolumeClaim, Pod } from '../../../../../src/local/core-v1';
import { ago, NOW, pod, template, type PodFacts } from '../pods';

const set = (spec: Partial<StatefulSet['spec']> = {}): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'default', uid: 'uid-db', generation: 1 },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'db' } },
    template: template(),
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    ...spec,
  },
});

const revision = (name: string, image = 'web:1', number = 1): ControllerRevision => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name },
  revision: number,
  data: snapshotOf(template(image)),
});

/** Pod `db-N`; available unless the facts differ. */
const member = (ordinal: number, facts: PodFacts & { revision?: string } = {}): Pod => {
  const name = `db-${ordinal}`;
  const labels = {
    'statefulset.kubernetes.io/pod-name': name,
    'controller-revision-hash': facts.revision ?? 'db-a',
  };
  return pod({ name, readyFor: 60, labels, ...facts });
};

const step = (own: StatefulSet, pods: Pod[], more: Partial<Observed> = {}) =>
  decide({
    set: own,
    pods,
    current: revision('db-a'),
    update: revision('db-a'),
    collisionCount: 0,
    claim: () => undefined,
    now: NOW,
    ...more,
  });

const actions = (...from: Parameters<typeof step>): string[] =>
  step(...from).actions.map((action) =>
    action.do === 'ownClaim' ? `own ${action.claim.metadata.name}` : `${action.do} ${action.pod.metadata.name}`,
  );

const changed = { current: revision('db-a'), update: revision('db-b', 'web:2', 2) };

test.each<[string, Partial<StatefulSet['spec']>, Pod[], string[]]>([
  ['creates the first Pod', {}, [], ['create db-0']],
  ['waits until it is ready', {}, [member(0, { readyFor: undefined })], []],
  ['waits until it is available', { minReadySeconds: 61 }, [member(0)], []],
  ['creates the next one then', { minReadySeconds: 60 }, [member(0)], ['create db-1']],
  [
    'creates all at once if Pods are parallel',
    { podManagementPolicy: 'Parallel' },
    [],
    ['create db-0', 'create db-1', 'create db-2'],
  ],
  ['numbers Pods from the first ordinal', { ordinals: { start: 5 } }, [], ['create db-5']],
  ['replaces a Pod that has ended', {}, [member(0, { phase: 'Failed' })], ['delete db-0']],
  ['waits for a Pod that is being deleted', {}, [member(0, { deleting: true })], []],
  ['fills a gap', {}, [member(0), member(2)], ['create db-1']],
  ['deletes the highest Pod first', { replicas: 1 }, [member(0), member(1), member(2)], ['delete db-2']],
  [
    'deletes the next one after it has ended',
    { replicas: 1 },
    [member(0), member(1), member(2, { deleting: true })],
    [],
  ],
  [
    'deletes all surplus Pods if they are parallel',
    { replicas: 1, podManagementPolicy: 'Parallel' },
    [member(0), member(1), member(2)],
    ['delete db-2', 'delete db-1'],
  ],
  ['deletes no Pod while a replica is not ready', { replicas: 1 }, [member(0, { readyFor: undefined }), member(1)], []],
  [
    'deletes a surplus Pod that is the first that is not ready',
    { replicas: 1 },
    [member(0), member(1, { readyFor: undefined })],
    ['delete db-1'],
  ],
  [
    'waits for a lower surplus Pod that is not ready',
    { replicas: 1 },
    [member(0), member(1, { readyFor: undefined }), member(2, { readyFor: undefined })],
    [],
  ],
  ['does nothing when all run', {}, [member(0), member(1), member(2)], []],
])('%s', (_, spec, pods, want) => expect(actions(set(spec), pods)).toEqual(want));

test.each<[string, Partial<StatefulSet['spec']>, Pod[], string[]]>([
  ['starts with the highest Pod', {}, [member(0), member(1), member(2)], ['delete db-2']],
  ['creates it with the new revision', {}, [member(0), member(1)], ['create db-2']],
  ['waits until it is available', {}, [member(0), member(1), member(2, { revision: 'db-b', readyFor: undefined })], []],
  ['continues with the next one', {}, [member(0), member(1), member(2, { revision: 'db-b' })], ['delete db-1']],
  [
    'keeps Pods below the partition',
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
    [member(0), member(1), member(2, { revision: 'db-b' })],
    [],
  ],
  ['deletes no Pod with OnDelete', { updateStrategy: { type: 'OnDelete' } }, [member(0), member(1), member(2)], []],
])('an update %s', (_, spec, pods, want) => expect(actions(set(spec), pods, changed)).toEqual(want));

test.each([
  [0, 'db-b', 'web:2'],
  [1, 'db-a', 'web:1'],
])('with partition %d, Pod db-0 is created with revision %s', (partition, hash, image) => {
  const own = set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } });
  expect(step(own, [], changed).actions).toMatchObject([
    { pod: { metadata: { labels: { 'controller-revision-hash': hash } }, spec: { containers: [{ image }] } } },
  ]);
});

test('a new Pod has its name, host name, Service, labels and claims', () => {
  const own = set({ serviceName: 'dbs', volumeClaimTemplates: [claimTemplate] });
  const [action] = step(own, []).actions;
  expect(action).toMatchObject({
    pod: {
      metadata: {
        name: 'db-0',
        generateName: 'db-',
        labels: { 'statefulset.kubernetes.io/pod-name': 'db-0', 'apps.kubernetes.io/pod-index': '0' },
        ownerReferences: [{ kind: 'StatefulSet', uid: 'uid-db', controller: true }],
      },
      spec: {
        hostname: 'db-0',
        subdomain: 'dbs',
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }],
      },
    },
    claims: [{ metadata: { name: 'data-db-0', namespace: 'default', labels: { app: 'db' } } }],
  });
});

const claimTemplate: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'] },
};

describe('claims', () => {
  const owner = (kind: string, name: string, uid = `uid-${name}`, controller = true) => ({
    apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
    kind,
    name,
    uid,
    ...(controller ? { controller } : {}),
  });
  const claims = (ownerReferences: ReturnType<typeof owner>[]) => ({
    claim: (name: string) => ({ ...claimTemplate, metadata: { name, ownerReferences: ownerReferences as never } }),
  });
  const policy = (whenDeleted: 'Retain' | 'Delete', whenScaled: 'Retain' | 'Delete', replicas = 1) =>
    set({
      replicas,
      volumeClaimTemplates: [claimTemplate],
      persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
    });
  const owners = (own: StatefulSet, known: ReturnType<typeof owner>[]) =>
    step(own, [member(0)], claims(known)).actions.flatMap((action) =>
      action.do === 'ownClaim' ? [(action.ownerReferences ?? []).map(({ kind }) => kind)] : [],
    );

  test.each<[string, StatefulSet, ReturnType<typeof owner>[], string[][]]>([
    ['have no owner if they are retained', policy('Retain', 'Retain'), [], []],
    ['lose their owner when they are retained', policy('Retain', 'Retain'), [owner('StatefulSet', 'db')], [[]]],
    ['belong to the set if they are deleted with it', policy('Delete', 'Retain'), [], [['StatefulSet']]],
    ['keep their owner', policy('Delete', 'Retain'), [owner('StatefulSet', 'db')], []],
    ['get a controller', policy('Delete', 'Retain'), [owner('StatefulSet', 'db', 'uid-db', false)], [['StatefulSet']]],
    ['belong to their Pod if it is surplus', policy('Retain', 'Delete', 0), [], [['Pod']]],
    ['change their owner with the size', policy('Delete', 'Delete', 0), [owner('StatefulSet', 'db')], [['Pod']]],
    ['return to the set with the size', policy('Delete', 'Delete'), [owner('Pod', 'db-0')], [['StatefulSet']]],
    ['of another controller are not taken', policy('Delete', 'Retain'), [owner('Other', 'x')], []],
    [
      'of an earlier set are left to the garbage collector',
      policy('Delete', 'Retain'),
      [owner('StatefulSet', 'db', 'old')],
      [],
    ],
  ])('%s', (_, own, known, want) => expect(owners(own, known)).toEqual(want));

  test('of a pending Pod are created if they are missing', () => {
    expect(actions(policy('Retain', 'Retain'), [member(0, { phase: 'Pending', readyFor: undefined })])).toEqual([
      'createClaims db-0',
    ]);
  });

  test('of a deleted Pod delay the next Pod of its name', () => {
    expect(actions(policy('Retain', 'Delete'), [], claims([owner('Pod', 'db-0', 'earlier')]))).toEqual([]);
  });
});

test('a Pod without its labels gets them', () => {
  expect(
    actions(set({ replicas: 1 }), [
      pod({ name: 'db-0', readyFor: 60, labels: { 'controller-revision-hash': 'db-a' } }),
    ]),
  ).toEqual(['label db-0']);
});

test('a set that is being deleted only updates its status', () => {
  const own = set();
  own.metadata.deletionTimestamp = ago(0);
  expect(step(own, [member(0)])).toMatchObject({ actions: [], status: { replicas: 1 } });
});

test.each([
  ['OrderedReady', 1],
  ['Parallel', 500],
] as const)('with policy %s, a pass creates at most %d Pods', (podManagementPolicy, count) => {
  expect(actions(set({ replicas: 2147483647, podManagementPolicy }), [])).toHaveLength(count);
});

describe('status', () => {
  test('counts Pods by readiness and revision', () => {
    const pods = [member(0), member(1, { readyFor: undefined }), member(2, { revision: 'db-b', readyFor: 5 })];
    expect(step(set({ minReadySeconds: 10 }), pods, changed).status).toMatchObject({
      replicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      currentReplicas: 2,
      updatedReplicas: 1,
      currentRevision: 'db-a',
      updateRevision: 'db-b',
      collisionCount: 0,
    });
  });

  test('a Pod that is deleted for its update is not current any more', () => {
    expect(step(set(), [member(0), member(1), member(2)], changed).status.currentReplicas).toBe(2);
  });

  test('the new revision becomes the current one when all Pods have it', () => {
    const pods = [0, 1, 2].map((ordinal) => member(ordinal, { revision: 'db-b' }));
    expect(step(set(), pods, changed).status).toMatchObject({ currentRevision: 'db-b', currentReplicas: 3 });
  });
});

test.each([
  [0, ['db-1', 'db-2']],
  [1, ['db-1']],
  [2, []],
  [-1, []],
])('with a limit of %d revisions, the surplus is %j', (revisionHistoryLimit, want) => {
  const history = [revision('db-1'), revision('db-2'), revision('db-a'), revision('db-used')];
  const observed = {
    set: set({ revisionHistoryLimit }),
    pods: [member(0, { revision: 'db-used' })],
  } as unknown as Observed;
  const surplus = surplusRevisions({ ...observed, current: revision('db-a'), update: revision('db-a') }, history);
  expect(surplus.map(({ metadata }) => metadata.name)).toEqual(want);
});
