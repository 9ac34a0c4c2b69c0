import { keys } from '../../../../../../src/api/keys';
import {
  decide,
  quiesceFailed,
  type Observed,
} from '../../../../../../src/runtime/controller/protection/content/decide';
import type { VolumeSnapshot } from '../../../../../../src/runtime/controller/protection/types';
import { claim, content, lines, NOW, snapshot, written } from '../fixtures';

const taken = (status?: VolumeSnapshot['status']): VolumeSnapshot => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot',
  metadata: {},
  status,
});
const DONE = { creationTime: '2030-01-01T00:09:59Z', readyToUse: true };
const all = (status: VolumeSnapshot['status']) =>
  new Map([
    ['vs-data', taken(status)],
    ['vs-root', taken(status)],
  ]);
const FREEZES = { [keys.freezesGuest]: 'true' };
const frozenFor = (seconds: number): object => ({
  annotations: { ...FREEZES, [keys.frozenAt]: new Date(NOW - seconds * 1000).toISOString() },
});
const see = (more: Partial<Observed>): Observed => ({
  content: content(),
  snapshot: snapshot(),
  volumeSnapshots: new Map(),
  copies: new Map(),
  classes: new Map([['data', 'local']]),
  now: NOW,
  ...more,
});
const NAME = 'vmsnapshot-content-s-uid';
const STATUS = `patch VirtualMachineSnapshotContent/status ${NAME}`;
const copied = content({
  spec: {
    volumeBackups: [
      {
        volumeName: 'data',
        persistentVolumeClaim: claim('data', { metadata: { annotations: { [keys.volumeCopy]: 'copy' } } }),
      },
    ],
  },
});

test.each<[string, Partial<Observed>, string[]]>([
  [
    'a guest with an agent is frozen before anything is taken',
    { content: content({ metadata: { annotations: FREEZES } }) },
    ['freeze db', 'recheck 0'],
  ],
  [
    'all volumes are taken at once, also after a freeze that failed',
    { content: content({ metadata: { annotations: { ...FREEZES, [keys.quiesceFailed]: 'no answer' } } }) },
    [
      'create VolumeSnapshot vs-data',
      'Normal SuccessfulVolumeSnapshotCreate',
      'create VolumeSnapshot vs-root',
      'Normal SuccessfulVolumeSnapshotCreate',
      'recheck 0',
    ],
  ],
  ...(
    [
      [0.09, 10],
      [0.11, 11],
      [1, 100],
      [11, 1000],
    ] as const
  ).map(([seconds, recheckMs]): [string, Partial<Observed>, string[]] => [
    `a guest that is frozen for ${seconds} s is looked after in time`,
    {
      content: content({ metadata: frozenFor(seconds) }),
      volumeSnapshots: all({ readyToUse: false }),
    },
    [STATUS, `recheck ${recheckMs}`],
  ]),
  [
    'the guest is thawed when all are taken, before they are ready',
    {
      content: content({ metadata: frozenFor(1) }),
      volumeSnapshots: all({ creationTime: DONE.creationTime, readyToUse: false }),
    },
    ['unfreeze db', STATUS, 'recheck 1000'],
  ],
  [
    'a guest that was thawed meanwhile is recorded',
    { content: content({ metadata: frozenFor(61) }), volumeSnapshots: all(DONE) },
    ['unfreeze db', 'Warning QuiesceFailed', `patch VirtualMachineSnapshotContent ${NAME}`, 'recheck 0'],
  ],
  ['a complete one is not changed', { content: content({ status: DONE }) }, []],
  [
    'one whose snapshot failed thaws the guest and takes nothing more',
    { snapshot: snapshot({ status: { phase: 'Failed' } }), content: content({ metadata: frozenFor(1) }) },
    ['unfreeze db'],
  ],
  [
    'one that is deleted thaws the guest before it loses its finalizer',
    {
      content: content({
        metadata: { ...frozenFor(1), deletionTimestamp: 'now', finalizers: [keys.snapshotContentFinalizer] },
      }),
    },
    ['unfreeze db', `patch VirtualMachineSnapshotContent ${NAME}`],
  ],
  ['one that was kept has no snapshot', { snapshot: undefined, content: content({ status: DONE }) }, []],
  [
    'a volume without snapshots is copied into a claim',
    { content: copied },
    ['create VolumeCloneSource copy', 'create PersistentVolumeClaim copy', 'recheck 0'],
  ],
  [
    'a copy is taken when its claim is bound',
    { content: copied, copies: new Map([['copy', claim('copy')]]) },
    [STATUS],
  ],
  [
    'an unbound copy is waited for',
    { content: copied, copies: new Map([['copy', claim('copy', { phase: 'Pending' })]]) },
    [STATUS, 'recheck 1000'],
  ],
])('%s', (_, seen, want) => expect(lines(decide(see(seen)))).toEqual(want));

test('a problem of the storage is reported once', () => {
  const failing = all({ readyToUse: false, error: { message: 'no space left' } });
  const first = decide(see({ volumeSnapshots: failing }));
  expect(lines(first)).toEqual([STATUS, 'Warning VolumeSnapshotFailed', 'recheck 1000']);
  expect(written(first).error).toEqual({
    message: 'VolumeSnapshot vs-data error: no space left',
    time: '2030-01-01T00:10:00Z',
  });
  const again = decide(see({ volumeSnapshots: failing, content: content({ status: written(first) }) }));
  expect(lines(again)).toEqual(['recheck 1000']);
});

test('a VolumeSnapshot that is gone makes the content useless', () => {
  const volumeSnapshots = new Map([['vs-data', taken(DONE)]]);
  const lost = decide(see({ volumeSnapshots, content: content({ status: { creationTime: DONE.creationTime } }) }));
  expect(written(lost)).toMatchObject({ readyToUse: false, error: { message: expect.stringContaining('vs-root') } });
});

test('a freeze that failed is recorded with its cause, and the snapshot continues', () => {
  expect(quiesceFailed(see({}), 'the agent does not answer')).toMatchObject([
    { do: 'event', reason: 'QuiesceFailed', message: expect.stringContaining('the agent does not answer') },
    { do: 'patch', body: { metadata: { annotations: { [keys.quiesceFailed]: expect.stringContaining('crash') } } } },
  ]);
});
