import { keys } from '../../../../../../src/api/keys';
import { decide } from '../../../../../../src/runtime/controller/protection/restore/decide';
import type { Observed } from '../../../../../../src/runtime/controller/protection/restore/observed';
import type { Claim } from '../../../../../../src/runtime/controller/protection/types';
import { claim, condition, content, lines, NOW, restore, snapshot, vm, volumeSnapshot, written } from '../fixtures';

const STATUS = 'patch VirtualMachineRestore/status r';
const WARNING = 'Warning VirtualMachineRestoreError';
const MARK = { [keys.lastRestore]: 'r-r-uid' };
const LOCKED = { restoreInProgress: 'r' };
const restores = [
  { volumeName: 'data', persistentVolumeClaim: 'data', volumeSnapshotName: 'vs-data' },
  { volumeName: 'root', persistentVolumeClaim: 'root-dv', volumeSnapshotName: 'vs-root', dataVolumeName: 'root-dv' },
];
const listed = { complete: false, restores };
const inPlace = (more: { spec?: object; status?: object; metadata?: object } = {}) =>
  restore({ ...more, spec: { volumeRestorePolicy: 'InPlace', ...more.spec }, status: { ...listed, ...more.status } });

const ownerReferences = [{ apiVersion: 'v1', kind: 'DataVolume', name: 'root-dv', uid: 'dv', controller: true }];
const old = (name: string, metadata: object = {}): [string, Claim] => [
  name,
  claim(name, { metadata: { ...(name === 'root-dv' && { ownerReferences }), ...metadata } }),
];
const done = (name: string, phase = 'Bound'): [string, Claim] => [
  name,
  claim(name, { phase, metadata: { annotations: MARK } }),
];
const ready = new Map(['vs-data', 'vs-root'].map((name) => [name, volumeSnapshot(name)]));
const dataVolumes = new Map([['root-dv', { apiVersion: 'v1', kind: 'DataVolume', metadata: { uid: 'dv' } }]]);

const see = (more: Partial<Observed>): Observed => ({
  restore: inPlace(),
  snapshot: snapshot({ status: { readyToUse: true, phase: 'Succeeded', sourceUID: 'vm-uid' } }),
  content: content({ status: { readyToUse: true } }),
  vm: vm({ status: LOCKED }),
  claims: new Map([old('data'), old('root-dv')]),
  claimUsers: new Map(),
  copies: new Map(),
  immediate: new Set(['local']),
  volumeSnapshots: ready,
  stateClaims: [],
  dataVolumes,
  now: NOW,
  ...more,
});

const deletions = (seen: Partial<Observed>): string[] =>
  lines(decide(see(seen))).filter((line) => line.startsWith('delete'));

test('deletes the old claim', () => {
  expect(lines(decide(see({})))).toEqual(['delete PersistentVolumeClaim data', STATUS, 'recheck 1000']);
});

test('lists the DataVolume of an old claim, which would fill a new one again, and deletes it first', () => {
  const claims = new Map([done('data'), old('root-dv')]);
  const listing = decide(see({ claims }));
  expect(lines(listing)).toEqual([STATUS, 'recheck 0']);
  expect(written(listing).deletedDataVolumes).toEqual(['root-dv']);
  const recorded = inPlace({ status: { deletedDataVolumes: ['root-dv'] } });
  expect(lines(decide(see({ claims, restore: recorded })))).toEqual([
    'delete DataVolume root-dv',
    'delete PersistentVolumeClaim root-dv',
    STATUS,
    'recheck 1000',
  ]);
});

const copied = content({
  status: { readyToUse: true },
  spec: {
    volumeBackups: [
      { volumeName: 'data', volumeSnapshotName: 'vs-data', persistentVolumeClaim: claim('data') },
      {
        volumeName: 'root',
        persistentVolumeClaim: claim('root-dv', { metadata: { annotations: { [keys.volumeCopy]: 'copy' } } }),
      },
    ],
  },
});
const other = { volumeRestoreOverrides: [{ volumeName: 'root', restoreName: 'taken' }] };

test.each<[string, Partial<Observed>, 'Failure' | 'Ready', RegExp]>([
  [
    'a VolumeSnapshot does not exist',
    { volumeSnapshots: new Map([...ready].slice(0, 1)) },
    'Failure',
    /VolumeSnapshot "vs-root" does not exist; the snapshot is lost/,
  ],
  [
    'a VolumeSnapshot is being deleted',
    {
      volumeSnapshots: new Map([
        ...ready,
        ['vs-root', volumeSnapshot('vs-root', { metadata: { deletionTimestamp: 'now' } })],
      ]),
    },
    'Failure',
    /"vs-root" is being deleted; the snapshot is lost/,
  ],
  [
    'a VolumeSnapshot is not ready',
    { volumeSnapshots: new Map([...ready, ['vs-root', volumeSnapshot('vs-root', { status: { readyToUse: false } })]]) },
    'Ready',
    /"vs-root" is not ready to use/,
  ],
  ['a copy does not exist', { content: copied }, 'Failure', /"copy" with the copy of volume "root" does not exist/],
  [
    'another claim has the new name of a volume',
    { restore: inPlace({ spec: other }), claims: new Map([old('data'), old('taken')]) },
    'Failure',
    /"taken", into which volume "root" is restored, exists already/,
  ],
  [
    'a Pod uses a claim',
    { claimUsers: new Map([['root-dv', ['n/virt-export-x']]]) },
    'Ready',
    /"root-dv" of volume "root" is in use by Pod n\/virt-export-x; .*delete the export/,
  ],
])('deletes nothing while %s', (_, seen, type, message) => {
  expect(deletions(seen)).toEqual([]);
  expect(condition(decide(see(seen)), type)).toMatch(message);
});

describe('after a disk was deleted', () => {
  test.each<[string, Partial<Observed>]>([
    ['is not restored', { claims: new Map([old('root-dv')]) }],
    ['is being deleted', { claims: new Map([old('data', { deletionTimestamp: 'now' }), old('root-dv')]) }],
    ['is restored', { claims: new Map([done('data'), old('root-dv')]) }],
    ['may be deleted', { restore: inPlace({ status: { deletedDataVolumes: ['root-dv'] } }) }],
  ])('and %s, a lost snapshot keeps the VM locked, and is reported once', (_, seen) => {
    const volumeSnapshots = new Map([...ready].slice(0, 1));
    const actions = decide(see({ volumeSnapshots, ...seen }));
    expect(lines(actions)).toEqual([STATUS, WARNING, 'recheck 5000']);
    expect(condition(actions, 'Failure')).toBe('none');
    expect(condition(actions, 'Ready')).toMatch(
      /^False VolumeSnapshotMissing VolumeSnapshot "vs-root" .* stays locked until this restore is complete or deleted$/,
    );
    const again = see({ volumeSnapshots, ...seen });
    const reported = { ...again.restore, status: written(actions) } as Observed['restore'];
    expect(lines(decide({ ...again, restore: reported }))).toEqual(['recheck 5000']);
  });

  test('a claim that is created meanwhile keeps the VM locked', () => {
    const claims = new Map([done('data'), old('taken')]);
    const actions = decide(see({ restore: inPlace({ spec: other }), claims }));
    expect(lines(actions)).toEqual([STATUS, WARNING, 'recheck 5000']);
    expect(condition(actions, 'Ready')).toMatch(/ClaimExists .*stays locked/);
  });

  test('the wait for its deletion is reported with its finalizers', () => {
    const leaving = old('data', { deletionTimestamp: 'now', finalizers: ['kubernetes.io/pvc-protection'] });
    expect(condition(decide(see({ claims: new Map([leaving, old('root-dv')]) })), 'Progressing')).toBe(
      'True Creating new PVCs waiting until the old PersistentVolumeClaim "data" is deleted ' +
        '(finalizers: kubernetes.io/pvc-protection)',
    );
  });
});

describe('the owner of a restored claim is never the restore', () => {
  const owners = (seen: Partial<Observed>, kind = 'PersistentVolumeClaim') => {
    const made = decide(see(seen)).find((action) => action.do === 'create' && action.object.kind === kind);
    return (made as { object: { metadata: Claim['metadata'] } }).object.metadata.ownerReferences?.map(({ uid }) => uid);
  };
  const data = new Map([old('root-dv')]);
  const root = new Map([done('data')]);

  test.each<[string, Partial<Observed>, string[]]>([
    ['the VM', { claims: data }, ['vm-uid']],
    ['nobody, if a DataVolume will adopt it', { claims: root }, []],
    ['nobody, on request', { claims: data, restore: inPlace({ spec: { volumeOwnershipPolicy: 'None' } }) }, []],
    ['nobody, while the VM does not exist', { claims: data, vm: undefined }, []],
  ])('but %s', (_, seen, want) => expect(owners(seen)).toEqual(want));

  test('nor that of the source of a copy, which is deleted at the end', () => {
    const seen = { content: copied, copies: new Map([['copy', claim('copy')]]) };
    expect(owners({ ...seen, claims: root }, 'VolumeCloneSource')).toEqual(['vm-uid']);
    const marked = vm({ status: LOCKED, metadata: { annotations: MARK } });
    const end = { ...seen, vm: marked, claims: new Map([done('data'), done('root-dv')]) };
    expect(deletions(end)).toEqual(['delete VolumeCloneSource restore-r-uid-root']);
  });

  test('the VM gets a claim that was restored before it existed', () => {
    const marked = vm({ status: LOCKED, metadata: { annotations: MARK } });
    const end = decide(see({ vm: marked, claims: new Map([done('data'), done('root-dv')]) }));
    expect(lines(end).filter((line) => line.includes('Claim'))).toEqual(['patch PersistentVolumeClaim data']);
  });

  test('a restore that is deleted releases the VM and changes no claim', () => {
    const deleted = inPlace({ metadata: { deletionTimestamp: 'now' } });
    expect(lines(decide(see({ restore: deleted, claims: new Map([done('data')]) })))).toEqual([
      'patch VirtualMachine/status db',
      'patch VirtualMachineRestore r',
    ]);
  });
});

test('another target than the VM of the snapshot is rejected', () => {
  const target = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'copy' };
  const actions = decide(see({ restore: inPlace({ spec: { target } }), vm: undefined }));
  expect(lines(actions)).toEqual([STATUS, WARNING]);
  expect(condition(actions, 'Failure')).toMatch(
    /^True InPlaceOtherTarget .*disks of VirtualMachine "db", but the target is VirtualMachine "copy"; .*RandomizeNames/,
  );
});
