import type { VirtualMachineInstance, VirtualMachineInstanceReplicaSet } from '../../../../../src/api';
import { BURST, decide, statusOf } from '../../../../../src/runtime/controller/replica-set/decide';
import { NOW } from '../fixtures';

type Set = VirtualMachineInstanceReplicaSet;

const set = (spec: Partial<Set['spec']> = {}, more: Partial<Set> = {}): Set => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceReplicaSet',
  metadata: { name: 'web', namespace: 'n', uid: 'set-uid' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { domain: { devices: {} } } },
    ...spec,
  } as Set['spec'],
  ...more,
});

const vmi = (name: string, status: object = {}, metadata: object = {}): VirtualMachineInstance =>
  ({ metadata: { name, namespace: 'n', ...metadata }, spec: {}, status }) as VirtualMachineInstance;
const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const leaving = { deletionTimestamp: '2026-01-01T00:00:00Z' };

const shown = (of: Set, ...vmis: VirtualMachineInstance[]): string[] =>
  decide({ set: of, vmis }).map(({ do: what, vmi: { metadata } }) =>
    what === 'deleteVmi' ? `delete ${metadata.name}` : 'create',
  );

test.each<[string, string[], string[]]>([
  ['creates what is missing', shown(set()), ['create', 'create']],
  ['creates one by default', shown(set({ replicas: undefined })), ['create']],
  ['creates none of zero', shown(set({ replicas: 0 })), []],
  ['creates a limited number', shown(set({ replicas: BURST })), Array<string>(BURST).fill('create')],
  ['creates no more than that', shown(set({ replicas: BURST + 1 })), Array<string>(BURST).fill('create')],
  ['is content with its number', shown(set(), vmi('a'), vmi('b', READY)), []],
  ['does not count one that is being deleted', shown(set(), vmi('a'), vmi('b', READY, leaving)), ['create']],
  ['replaces one that failed', shown(set(), vmi('a'), vmi('b', { phase: 'Failed' })), ['delete b', 'create']],
  ['replaces one that ended', shown(set(), vmi('a'), vmi('b', { phase: 'Succeeded' })), ['delete b', 'create']],
  ['deletes an ended one once', shown(set({ replicas: 0 }), vmi('b', { phase: 'Failed' }, leaving)), []],
  [
    'deletes unready ones first',
    shown(set({ replicas: 1 }), vmi('a', READY, { creationTimestamp: '2' }), vmi('b', {}, { creationTimestamp: '1' })),
    ['delete b'],
  ],
  [
    'deletes the youngest first',
    shown(
      set({ replicas: 1 }),
      vmi('a', READY, { creationTimestamp: '2' }),
      vmi('b', READY, { creationTimestamp: '1' }),
    ),
    ['delete a'],
  ],
  ['does nothing when it is paused', shown(set({ paused: true }), vmi('b', { phase: 'Failed' })), []],
  ['does nothing when it is being deleted', shown(set({}, { metadata: leaving })), []],
])('a replica set %s', (_, actions, want) => expect(actions).toEqual(want));

test('the names of instances follow from the set, so that an outdated cache leads to no second one', () => {
  const names = (...vmis: VirtualMachineInstance[]) =>
    decide({ set: set(), vmis }).map((action) => action.vmi.metadata.name!);
  const [first, second] = names();
  expect(names()).toEqual([first, second]);
  expect(names(vmi(first!))).toEqual([second]);
  // an instance that is being deleted still has its name
  const [third, fourth] = names(vmi(first!, {}, leaving), vmi(second!, {}, leaving));
  expect(new Set([first, second, third, fourth]).size).toBe(4);
});

test('an instance is what the template describes, and belongs to the set', () => {
  const [action] = decide({ set: set(), vmis: [] });
  expect(action!.vmi).toMatchObject({
    metadata: {
      namespace: 'n',
      labels: { app: 'web' },
      ownerReferences: [{ kind: 'VirtualMachineInstanceReplicaSet', name: 'web', uid: 'set-uid', controller: true }],
    },
    spec: { domain: { devices: {} } },
  });
});

test('the status has the numbers of instances and the selector', () => {
  const status = statusOf({ set: set(), vmis: [vmi('a', READY), vmi('b'), vmi('c', READY, leaving)] }, undefined, NOW)!;
  expect(status).toEqual({ replicas: 2, readyReplicas: 1, labelSelector: 'app=web', conditions: [] });
  // an equal status is not written again
  expect(statusOf({ set: set({}, { status }), vmis: [vmi('a', READY), vmi('b')] }, undefined, NOW)).toBeUndefined();
});

test('a selector with expressions is written as Kubernetes does', () => {
  const matchExpressions = [
    { key: 'x', operator: 'In' as const, values: ['b', 'a'] },
    { key: 'y', operator: 'NotIn' as const, values: ['c'] },
    { key: 'z', operator: 'Exists' as const },
    { key: 'w', operator: 'DoesNotExist' as const },
  ];
  const { labelSelector } = statusOf({ set: set({ selector: { matchExpressions } }), vmis: [] }, undefined, NOW)!;
  expect(labelSelector).toBe('!w,x in (a,b),y notin (c),z');
});

test('conditions report a pause and a failure, with the time of their start', () => {
  const paused = statusOf({ set: set({ paused: true }), vmis: [] }, 'quota', NOW)!;
  expect(paused.conditions).toMatchObject([
    { type: 'ReplicaPaused', reason: 'Paused', lastTransitionTime: '2026-01-01T12:00:00Z' },
    { type: 'ReplicaFailure', reason: 'FailedCreate', message: 'quota' },
  ]);
  const later = statusOf({ set: set({}, { status: paused }), vmis: [] }, 'another', NOW + 60_000)!;
  expect(later.conditions).toMatchObject([{ message: 'another', lastTransitionTime: '2026-01-01T12:00:00Z' }]);
});
