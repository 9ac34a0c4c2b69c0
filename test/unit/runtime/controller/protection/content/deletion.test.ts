import { keys } from '../../../../../../src/api/keys';
import { decide, type Observed } from '../../../../../../src/runtime/controller/protection/content/decide';
import { dependentsOf, type CloneSource } from '../../../../../../src/runtime/controller/protection/content/dependents';
import type { Claim } from '../../../../../../src/runtime/controller/protection/types';
import { claim, content, lines, NOW, restore, snapshot, written } from '../fixtures';

const of = content({
  spec: {
    volumeBackups: [
      { volumeName: 'root', volumeSnapshotName: 'vs-root', persistentVolumeClaim: claim('root-dv') },
      {
        volumeName: 'data',
        persistentVolumeClaim: claim('data', { metadata: { annotations: { [keys.volumeCopy]: 'copy' } } }),
      },
    ],
  },
});
const from = (kind: string, name: string, more: { phase?: string; metadata?: object } = {}): Claim => {
  const made = claim('disk', { phase: 'Pending', ...more });
  return { ...made, spec: { ...made.spec, dataSourceRef: { kind, name } } };
};
const cloneSource = (kind: string, name: string): CloneSource => ({
  metadata: { name: 'source' },
  spec: { source: { kind, name } },
});
const none = { claims: [], cloneSources: [], restores: [] };
const CLAIM = 'PersistentVolumeClaim "disk" (start a VM that uses it, or delete it)';

test.each<[string, Claim, CloneSource[], string[]]>([
  ['is restored from a VolumeSnapshot', from('VolumeSnapshot', 'vs-root'), [], [CLAIM]],
  ['has no phase yet', { ...from('VolumeSnapshot', 'vs-root'), status: {} }, [], [CLAIM]],
  ['is bound', from('VolumeSnapshot', 'vs-root', { phase: 'Bound' }), [], []],
  ['has lost its volume', from('VolumeSnapshot', 'vs-root', { phase: 'Lost' }), [], []],
  ['is being deleted', from('VolumeSnapshot', 'vs-root', { metadata: { deletionTimestamp: 'now' } }), [], []],
  ['is restored from another VolumeSnapshot', from('VolumeSnapshot', 'other'), [], []],
  ['is cloned from a copy by the storage', from('PersistentVolumeClaim', 'copy'), [], [CLAIM]],
  ['is cloned from the original', from('PersistentVolumeClaim', 'data'), [], []],
  ['is copied', from('VolumeCloneSource', 'source'), [cloneSource('PersistentVolumeClaim', 'copy')], [CLAIM]],
  [
    'is filled from a VolumeSnapshot',
    from('VolumeCloneSource', 'source'),
    [cloneSource('VolumeSnapshot', 'vs-root')],
    [CLAIM],
  ],
  ['is copied from elsewhere', from('VolumeCloneSource', 'source'), [cloneSource('PersistentVolumeClaim', 'x')], []],
  ['has no source', claim('disk', { phase: 'Pending' }), [], []],
])('a claim that %s', (_, disk, cloneSources, want) => {
  expect(dependentsOf(of, { ...none, claims: [disk], cloneSources })).toEqual(want);
});

test('a claim may have its source in the older field', () => {
  const disk = claim('disk', { phase: 'Pending' });
  const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'vs-root' };
  expect(dependentsOf(of, { ...none, claims: [{ ...disk, spec: { ...disk.spec, dataSource } }] })).toEqual([CLAIM]);
});

const failure = { conditions: [{ type: 'Failure', status: 'True' }] };

test.each<[string, object, boolean]>([
  ['has begun', { status: { restores: [] } }, true],
  ['has not begun', { status: {} }, false],
  ['is complete', { status: { restores: [], complete: true } }, false],
  ['has failed', { status: { restores: [], ...failure } }, false],
  ['is being deleted', { status: { restores: [] }, metadata: { deletionTimestamp: 'now' } }, false],
])('a restore that %s', (_, more, isDependent) => {
  const want = isDependent ? ['VirtualMachineRestore "r" (wait until it is complete, or delete it)'] : [];
  expect(dependentsOf(of, { ...none, restores: [restore(more)] })).toEqual(want);
});

describe('a content that is being deleted', () => {
  const metadata = { deletionTimestamp: 'now', finalizers: [keys.snapshotContentFinalizer] };
  const see = (more: Partial<Observed> = {}): Observed => ({
    content: content({ metadata, status: { creationTime: '2030-01-01T00:09:59Z', readyToUse: true } }),
    snapshot: snapshot({ metadata: { deletionTimestamp: 'now' } }),
    volumeSnapshots: new Map(),
    copies: new Map(),
    classes: new Map(),
    now: NOW,
    ...more,
  });
  const NAME = 'vmsnapshot-content-s-uid';

  test('is released when nothing needs its data', () => {
    expect(lines(decide(see({ dependents: [] })))).toEqual([`patch VirtualMachineSnapshotContent ${NAME}`]);
  });

  test('is kept while something needs its data, and reports it once', () => {
    const actions = decide(see({ dependents: [CLAIM] }));
    expect(lines(actions)).toEqual([
      `patch VirtualMachineSnapshotContent/status ${NAME}`,
      'Warning SnapshotInUse',
      'recheck 5000',
    ]);
    const message = `the data is deleted when nothing needs it: ${CLAIM}`;
    expect(written(actions)).toMatchObject({ readyToUse: true, error: { message } });
    const reported = content({ metadata, status: written(actions) });
    expect(lines(decide(see({ content: reported, dependents: [CLAIM] })))).toEqual(['recheck 5000']);
  });

  test('thaws its guest also while it is kept', () => {
    const annotations = { [keys.frozenAt]: new Date(NOW).toISOString() };
    const frozen = content({ metadata: { ...metadata, annotations } });
    expect(lines(decide(see({ content: frozen, dependents: [CLAIM] })))[0]).toBe('unfreeze db');
  });
});
