import { keys } from '../../../../../../src/api/keys';
import { decide, decideRefused } from '../../../../../../src/runtime/controller/protection/restore/decide';
import type { Observed } from '../../../../../../src/runtime/controller/protection/restore/observed';
import { refusedBy } from '../../../../../../src/runtime/controller/storage/refused';
import type { Claim, VolumeSnapshot } from '../../../../../../src/runtime/controller/protection/types';
import {
  claim,
  condition,
  content,
  lines,
  NOW,
  restore,
  snapshot,
  vm,
  vmi,
  volumeSnapshot,
  written,
} from '../fixtures';

const READY = { readyToUse: true, phase: 'Succeeded', sourceUID: 'vm-uid' };
const LOCKED = { restoreInProgress: 'r' };
const MARK = { [keys.lastRestore]: 'r-r-uid' };
const STATUS = 'patch VirtualMachineRestore/status r';
const restores = [
  { volumeName: 'data', persistentVolumeClaim: 'restore-r-uid-data', volumeSnapshotName: 'vs-data' },
  {
    volumeName: 'root',
    persistentVolumeClaim: 'restore-r-uid-root',
    volumeSnapshotName: 'vs-root',
    dataVolumeName: 'restore-r-uid-root',
  },
];
const listed = { complete: false, restores };
const owners = [{ apiVersion: 'v1', kind: 'VirtualMachineRestore', name: 'r', uid: 'r-uid' }];
const restored = (name: string, phase = 'Bound'): [string, Claim] => [
  name,
  claim(name, { phase, metadata: { annotations: MARK, ownerReferences: owners } }),
];
const both = new Map([restored('restore-r-uid-data'), restored('restore-r-uid-root')]);

const taken = (
  data: VolumeSnapshot['status'],
  root: VolumeSnapshot['status'] = {},
): ReadonlyMap<string, VolumeSnapshot> =>
  new Map([
    ['vs-data', volumeSnapshot('vs-data', { status: data })],
    ['vs-root', volumeSnapshot('vs-root', { status: root })],
  ]);

const see = (more: Partial<Observed>): Observed => ({
  restore: restore({ status: listed }),
  snapshot: snapshot({ status: READY }),
  content: content({ status: { readyToUse: true } }),
  vm: vm({ status: LOCKED }),
  claims: new Map(),
  immediate: new Set(['local']),
  volumeSnapshots: taken({ restoreSize: '2Gi' }),
  copies: new Map(),
  claimUsers: new Map(),
  stateClaims: [],
  dataVolumes: new Map(),
  now: NOW,
  ...more,
});

test.each<[string, Partial<Observed>, string[]]>([
  ['locks a stopped target', { vm: vm() }, ['patch VirtualMachine/status db', 'recheck 0']],
  ['lists its volumes first', { restore: restore() }, [STATUS]],
  ['creates the claims one by one', {}, ['create PersistentVolumeClaim restore-r-uid-data', STATUS, 'recheck 0']],
  [
    'waits until they are bound, where the class binds immediately',
    { claims: new Map([restored('restore-r-uid-data', 'Pending')]) },
    [STATUS, 'recheck 1000'],
  ],
  [
    'and does not where the first start binds them',
    {
      claims: new Map([restored('restore-r-uid-data', 'Pending'), restored('restore-r-uid-root', 'Pending')]),
      immediate: new Set(),
    },
    [STATUS, 'recheck 0'],
  ],
  ['then lists the DataVolumes that it will delete', { claims: both }, [STATUS, 'recheck 0']],
  [
    'then writes the VM',
    { claims: both, restore: restore({ status: { ...listed, deletedDataVolumes: ['root-dv'] } }) },
    ['patch VirtualMachine db', STATUS, 'recheck 0'],
  ],
  [
    'then hands the claims over, unlocks the VM and is complete',
    { claims: both, vm: vm({ status: LOCKED, metadata: { annotations: MARK } }) },
    [
      'patch PersistentVolumeClaim restore-r-uid-data',
      'patch PersistentVolumeClaim restore-r-uid-root',
      'patch VirtualMachine/status db',
      STATUS,
      'Normal VirtualMachineRestoreComplete',
    ],
  ],
  ['a complete one does nothing', { restore: restore({ status: { complete: true } }) }, []],
  [
    'one that is deleted unlocks the VM',
    { restore: restore({ metadata: { deletionTimestamp: 'now' } }) },
    ['patch VirtualMachine/status db', 'patch VirtualMachineRestore r'],
  ],
  [
    'a new VM is created halted, when its claims exist',
    { vm: undefined, claims: both },
    ['create VirtualMachine db', STATUS, 'recheck 0'],
  ],
  [
    'and completed in one write with the patches of the user',
    { vm: vm({ metadata: { uid: 'new', annotations: { [keys.restoreName]: 'r-r-uid' } } }), claims: both },
    ['complete db', STATUS, 'recheck 0'],
  ],
  [
    'a new VM whose restore failed is deleted',
    {
      restore: restore({ status: { conditions: [{ type: 'Failure', status: 'True' }] } }),
      vm: vm({ metadata: { annotations: { [keys.restoreName]: 'r-r-uid' } } }),
    },
    ['delete VirtualMachine db'],
  ],
])('%s', (_, seen, want) => expect(lines(decide(see(seen)))).toEqual(want));

const running = { vm: vm(), vmi: vmi('Running') };
const old = { creationTimestamp: '2030-01-01T00:04:00Z' };
const policy = (targetReadinessPolicy: string): object => ({ spec: { targetReadinessPolicy } });

test.each<[string, Partial<Observed>, string[]]>([
  ['by default waits', running, ['Normal RestoreTargetNotReady', STATUS, 'recheck 1000']],
  [
    'for five minutes',
    { ...running, restore: restore({ metadata: old }) },
    [STATUS, 'Warning VirtualMachineRestoreError'],
  ],
  [
    'WaitEventually waits longer',
    { ...running, restore: restore({ metadata: old, ...policy('WaitEventually') }) },
    ['Normal RestoreTargetNotReady', STATUS, 'recheck 1000'],
  ],
  [
    'FailImmediate fails',
    { ...running, restore: restore(policy('FailImmediate')) },
    [STATUS, 'Warning VirtualMachineRestoreError'],
  ],
  [
    'StopTarget stops it',
    { ...running, restore: restore(policy('StopTarget')) },
    ['stop db', 'Normal RestoreTargetNotReady', STATUS, 'recheck 1000'],
  ],
])('a target that runs: %s', (_, seen, want) => expect(lines(decide(see(seen)))).toEqual(want));

test('a running target is stopped once', () => {
  const first = decide(see({ ...running, restore: restore(policy('StopTarget')) }));
  const again = restore({ ...policy('StopTarget'), status: written(first) });
  expect(lines(decide(see({ ...running, restore: again })))).toEqual(['recheck 1000']);
});

test('a running target is stopped also after a snapshot of it was waited for', () => {
  const waited = decide(see({ ...running, vm: vm({ status: { snapshotInProgress: 's' } }) }));
  const after = restore({ ...policy('StopTarget'), status: written(waited) });
  expect(lines(decide(see({ ...running, restore: after })))[0]).toBe('stop db');
});

test.each<[string, Partial<Observed>, 'Progressing' | 'Failure', RegExp]>([
  ['does not exist', { snapshot: undefined }, 'Progressing', /^False VMSnapshot s does not exist create/],
  ['is not ready', { snapshot: snapshot() }, 'Progressing', /^False VMSnapshot s not ready/],
  [
    'failed',
    { snapshot: snapshot({ status: { phase: 'Failed' } }) },
    'Failure',
    /^True .* failed and is invalid to use/,
  ],
  [
    'has another VM',
    { vm: vm({ metadata: { uid: 'other' } }) },
    'Failure',
    /target already exists: .* choose the name of a VM that does not exist/,
  ],
  [
    'has lost a VolumeSnapshot',
    { volumeSnapshots: new Map() },
    'Failure',
    /VolumeSnapshot "vs-data" does not exist; the snapshot is lost/,
  ],
  [
    'would overwrite a claim',
    { claims: new Map([['restore-r-uid-data', claim('restore-r-uid-data')]]) },
    'Failure',
    /"restore-r-uid-data", .* exists already; delete it/,
  ],
])('reports a snapshot that %s', (_, seen, type, message) => {
  expect(condition(decide(see(seen)), type)).toMatch(message);
});

test('checks every VolumeSnapshot before it creates a claim', () => {
  const actions = decide(see({ volumeSnapshots: new Map([...taken({})].slice(0, 1)) }));
  expect(lines(actions)).toEqual([STATUS, 'Warning VirtualMachineRestoreError']);
  expect(condition(actions, 'Failure')).toMatch(/^True VolumeSnapshotMissing VolumeSnapshot "vs-root"/);
});

test('waits for a VolumeSnapshot that is not ready', () => {
  const actions = decide(see({ volumeSnapshots: taken({}, { readyToUse: false }) }));
  expect(lines(actions)).toEqual([STATUS, 'Warning VirtualMachineRestoreError', 'recheck 5000']);
  expect(condition(actions, 'Ready')).toMatch(/^False VolumeSnapshotNotReady VolumeSnapshot "vs-root"/);
});

test.each<[string, Partial<Observed>]>([
  ['snapshot', { snapshot: snapshot({ status: READY, metadata: { deletionTimestamp: 'now' } }) }],
  ['content', { content: content({ status: { readyToUse: true }, metadata: { deletionTimestamp: 'now' } }) }],
])('does not begin with a %s that is being deleted, but continues', (_, seen) => {
  expect(condition(decide(see({ restore: restore(), ...seen })), 'Ready')).toMatch(/VMSnapshot s is being deleted/);
  expect(lines(decide(see(seen)))).toContain('create PersistentVolumeClaim restore-r-uid-data');
});

describe('a refusal of the API server', () => {
  const message = 'pods "x" is forbidden: exceeded quota: storage';
  const problem = refusedBy(new Error(message), 'Refused');

  test('is tried again, and reported once', () => {
    const first = decideRefused(see({}), problem, false);
    expect(lines(first)).toEqual([STATUS, 'Warning VirtualMachineRestoreError', 'recheck 30000']);
    expect(condition(first, 'Ready')).toMatch(/^False ErrExceededQuota .*exceeded quota: storage; raise the quota/);
    expect(condition(first, 'Failure')).toBe('none');
    const again = restore({ status: { ...listed, ...written(first) } });
    expect(lines(decideRefused(see({ restore: again }), problem, false))).toEqual(['recheck 30000']);
  });

  test('finds the status as it was read, regardless of what was refused', () => {
    const recorded = restore({ status: { ...listed, deletedDataVolumes: ['root-dv'] } });
    const created = { metadata: { uid: 'new', annotations: { [keys.restoreName]: 'r-r-uid' } } };
    for (const seen of [
      {},
      { restore: recorded, claims: both },
      { vm: undefined, claims: both },
      { vm: vm(created), claims: both },
    ]) {
      const actions = lines(decide(see(seen)));
      expect(actions.indexOf(STATUS)).toBe(actions.length - 2);
    }
  });

  test('of a patch of the user ends the restore', () => {
    const actions = decideRefused(see({}), refusedBy(new Error('no such path'), 'Refused'), true);
    expect(condition(actions, 'Failure')).toMatch(/^True Refused .*no such path; correct spec.patches/);
  });
});

const bodyOf = (seen: Partial<Observed>, kind: string): unknown => {
  const found = decide(see(seen)).find(
    (action) => action.do === 'patch' && action.kind === kind && !action.subresource,
  );
  return (found as { body: unknown }).body;
};

test('the restored VM has the spec of the snapshot, names the new claims and keeps its run strategy', () => {
  const edited = vm({ status: LOCKED, spec: { runStrategy: 'Manual', preference: { name: 'x' } } });
  const recorded = restore({ status: { ...listed, deletedDataVolumes: ['root-dv'] } });
  expect(bodyOf({ claims: both, vm: edited, restore: recorded }, 'VirtualMachine')).toMatchObject({
    metadata: { annotations: MARK, resourceVersion: '5' },
    spec: {
      runStrategy: 'Manual',
      preference: null,
      dataVolumeTemplates: [{ metadata: { name: 'restore-r-uid-root' } }],
      template: {
        spec: {
          volumes: [
            { name: 'image' },
            { name: 'data', persistentVolumeClaim: { claimName: 'restore-r-uid-data' } },
            { name: 'root', dataVolume: { name: 'restore-r-uid-root' } },
          ],
        },
      },
    },
  });
});

test('the claim of a template is left to its DataVolume, every other one to the VM', () => {
  const done = { claims: both, vm: vm({ status: LOCKED, metadata: { annotations: MARK } }) };
  const patches = decide(see(done)).flatMap((action) =>
    action.do === 'patch' && action.kind === 'PersistentVolumeClaim' ? [[action.name, action.body]] : [],
  );
  expect(patches).toEqual([
    [
      'restore-r-uid-data',
      { metadata: { ownerReferences: [expect.objectContaining({ uid: 'vm-uid', controller: true })] } },
    ],
    ['restore-r-uid-root', { metadata: { ownerReferences: [] } }],
  ]);
});

test('with ownership None, the claims belong to nobody', () => {
  const none = restore({ spec: { volumeOwnershipPolicy: 'None' }, status: listed });
  const done = { restore: none, claims: both, vm: vm({ metadata: { annotations: MARK } }) };
  expect(bodyOf(done, 'PersistentVolumeClaim')).toEqual({ metadata: { ownerReferences: [] } });
});

test('a new claim comes from the VolumeSnapshot, is as large as it needs, and has the overrides', () => {
  const volumeRestoreOverrides = [{ volumeName: 'data', labels: { tier: 'gold' }, annotations: { note: 'x' } }];
  const seen = { restore: restore({ spec: { volumeRestoreOverrides }, status: listed }) };
  const create = decide(see(seen)).find((action) => action.do === 'create');
  expect(create).toMatchObject({
    object: {
      metadata: {
        labels: { tier: 'gold', [keys.restoreSourceName]: 'db' },
        annotations: { note: 'x', ...MARK },
        ownerReferences: owners.map(({ name, uid }) => expect.objectContaining({ name, uid })),
      },
      spec: {
        dataSource: { kind: 'VolumeSnapshot', name: 'vs-data' },
        storageClassName: 'local',
        resources: { requests: { storage: '2Gi' } },
      },
    },
  });
});

test.each<[string, object, string]>([
  ['RandomizeNames', {}, 'restore-r-uid-data'],
  ['PrefixTargetName', { volumeRestorePolicy: 'PrefixTargetName' }, 'db-data'],
  ['InPlace', { volumeRestorePolicy: 'InPlace' }, 'data'],
  ['an override', { volumeRestoreOverrides: [{ volumeName: 'data', restoreName: 'mine' }] }, 'mine'],
])('%s names the claim', (_, spec, want) => {
  const status = written(decide(see({ restore: restore({ spec }) })));
  expect((status.restores as { persistentVolumeClaim: string }[])[0].persistentVolumeClaim).toBe(want);
});

test('DataVolumes that the restored VM does not use are listed, then deleted', () => {
  const listing = decide(see({ claims: both }));
  expect(written(listing).deletedDataVolumes).toEqual(['root-dv']);
  const dataVolumes = new Map([['root-dv', { apiVersion: 'v1', kind: 'DataVolume', metadata: { uid: 'dv' } }]]);
  const seen = {
    restore: restore({ status: { ...listed, deletedDataVolumes: ['root-dv'] } }),
    claims: both,
    vm: vm({ metadata: { annotations: MARK } }),
    dataVolumes,
  };
  expect(lines(decide(see(seen)))).toContain('delete DataVolume root-dv');
});

test('the old persistent state is deleted with the end of the restore, before the VM can start', () => {
  const name = 'persistent-state-for-db';
  const backup = { volumeName: name, volumeSnapshotName: 'vs-state', persistentVolumeClaim: claim('state') };
  const state = { volumeName: name, persistentVolumeClaim: 'new', volumeSnapshotName: 'vs-state' };
  const seen = {
    restore: restore({ status: { ...listed, restores: [state] } }),
    content: content({ status: { readyToUse: true }, spec: { volumeBackups: [backup] } }),
    vm: vm({ status: LOCKED, metadata: { annotations: MARK } }),
    stateClaims: [claim('state')],
  };
  const actions = lines(decide(see(seen)));
  expect(actions.indexOf('delete PersistentVolumeClaim state')).toBe(0);
  expect(actions.indexOf('patch VirtualMachine/status db')).toBeGreaterThan(0);
});

test('a copy of the platform is cloned into the new claim', () => {
  const backup = {
    volumeName: 'data',
    persistentVolumeClaim: claim('data', { metadata: { annotations: { [keys.volumeCopy]: 'copy' } } }),
  };
  const spec = { volumeRestorePolicy: 'PrefixTargetName' };
  const seen = {
    restore: restore({ spec, status: listed }),
    content: content({ status: { readyToUse: true }, spec: { volumeBackups: [backup] } }),
    copies: new Map([['copy', claim('copy')]]),
  };
  const actions = decide(see(seen));
  expect(lines(actions)).toEqual([
    'create VolumeCloneSource restore-r-uid-data',
    'create PersistentVolumeClaim db-data',
    STATUS,
    'recheck 0',
  ]);
  expect(actions[1]).toMatchObject({ object: { spec: { dataSourceRef: { name: 'restore-r-uid-data' } } } });
});

describe('the claim that is waited for', () => {
  const waitsFor = (data: Claim, more: Partial<Observed> = {}): string =>
    condition(decide(see({ claims: new Map([['restore-r-uid-data', data]]), ...more })), 'Progressing');
  const pending = (annotations: object = {}, status: object = {}): Claim => {
    const [, made] = restored('restore-r-uid-data', 'Pending');
    return {
      ...made,
      metadata: { ...made.metadata, annotations: { ...made.metadata.annotations, ...annotations } },
      status: { phase: 'Pending', ...status },
    };
  };
  const title =
    'True Creating new PVCs waiting until PersistentVolumeClaim "restore-r-uid-data" of volume "data" is bound: ';

  test.each<[string, Claim, Partial<Observed>, string]>([
    ['its population', pending({ [keys.runningMessage]: 'no node has space' }), {}, 'no node has space'],
    ['its conditions', pending({}, { conditions: [{ type: 'X', message: 'too large' }] }), {}, 'too large'],
    ['its VolumeSnapshot', pending(), { volumeSnapshots: taken({ error: { message: 'offline' } }) }, 'offline'],
    [
      'its phase',
      pending({}, { phase: 'Lost' }),
      {},
      'its volume was lost; delete the claim, and it is restored again',
    ],
    ['its events', pending(), {}, 'its events show its state (kubectl describe pvc restore-r-uid-data)'],
  ])('is reported with the cause from %s', (_, data, more, want) => expect(waitsFor(data, more)).toBe(title + want));
});

test('a restore that is deleted after it wrote the VM leaves the claims to the VM', () => {
  const deleted = restore({ metadata: { deletionTimestamp: 'now' }, status: listed });
  const written = vm({ status: LOCKED, metadata: { annotations: MARK } });
  const actions = decide(see({ restore: deleted, vm: written, claims: both, snapshot: undefined, content: undefined }));
  expect(lines(actions)).toEqual([
    'patch PersistentVolumeClaim restore-r-uid-data',
    'patch PersistentVolumeClaim restore-r-uid-root',
    'patch VirtualMachine/status db',
    'patch VirtualMachineRestore r',
  ]);
});
