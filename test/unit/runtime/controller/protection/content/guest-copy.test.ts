import { keys } from '../../../../../../src/api/keys';
import type { Backup } from '../../../../../../src/runtime/controller/protection/backup/observed';
import { decide, type Observed } from '../../../../../../src/runtime/controller/protection/content/decide';
import { claim, content, lines, NOW, snapshot, written } from '../fixtures';

const NAME = 'vmsnapshot-content-s-uid';
const GUEST = `${NAME}-guest`;
const STATUS = `patch VirtualMachineSnapshotContent/status ${NAME}`;
const COPIED = { [keys.guestCopies]: 'data,root', [keys.guestCopyBytes]: '1000', [keys.freezesGuest]: 'true' };
const copied = (more: { status?: object; annotations?: object; volumes?: string[] } = {}) =>
  content({
    metadata: { annotations: { ...COPIED, ...more.annotations } },
    spec: {
      volumeBackups: (more.volumes ?? ['data', 'root']).map((volumeName) => ({
        volumeName,
        persistentVolumeClaim: claim(volumeName, {
          metadata: { annotations: { [keys.volumeCopy]: `copy-${volumeName}` } },
        }),
      })),
    },
    status: more.status,
  });
const backup = (more: { status?: object; age?: number } = {}): Backup =>
  ({
    apiVersion: 'backup.kubevirt.io/v1alpha1',
    kind: 'VirtualMachineBackup',
    metadata: { name: GUEST, creationTimestamp: new Date(NOW - (more.age ?? 0) * 1000).toISOString() },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' } },
    status: more.status,
  }) as Backup;
const is = (type: string, message = 'done'): object => ({ type, status: 'True', message });
const complete = (...names: string[]): Backup =>
  backup({
    status: {
      conditions: [is('Complete')],
      checkpointName: 'then',
      includedVolumes: names.map((volumeName) => ({ volumeName })),
    },
  });
const done = complete('data', 'root');
const copies = (phase: string) =>
  new Map(['copy-data', 'copy-root'].map((name) => [name, claim(name, { phase })] as const));
const see = (more: Partial<Observed>): Observed => ({
  content: copied(),
  snapshot: snapshot(),
  volumeSnapshots: new Map(),
  copies: new Map(),
  classes: new Map(),
  now: NOW,
  ...more,
});
const TAKEN = { creationTime: '2030-01-01T00:10:00Z', readyToUse: false };

test.each<[string, Partial<Observed>, string[]]>([
  [
    'QEMU copies all disks into one claim first; the launcher freezes the guest itself',
    {},
    [`create PersistentVolumeClaim ${GUEST}`, `create VirtualMachineBackup ${GUEST}`, 'recheck 0'],
  ],
  ['nothing is read while QEMU copies', { guestCopy: backup({ status: { type: 'Full' } }) }, [STATUS, 'recheck 1000']],
  [
    'then each disk gets a claim of its own',
    { guestCopy: done },
    [
      'create VolumeCloneSource copy-data',
      'create PersistentVolumeClaim copy-data',
      'create VolumeCloneSource copy-root',
      'create PersistentVolumeClaim copy-root',
      'recheck 0',
    ],
  ],
  [
    'the snapshot is taken when QEMU has copied, before the claims are bound',
    { guestCopy: done, copies: copies('Pending') },
    [STATUS, 'recheck 1000'],
  ],
  [
    'it is ready when all claims are bound',
    { content: copied({ status: TAKEN }), guestCopy: done, copies: copies('Bound') },
    [STATUS],
  ],
  [
    'the images are removed then, the record of them last',
    { content: copied({ status: { ...TAKEN, readyToUse: true } }), guestCopy: done },
    [`delete PersistentVolumeClaim ${GUEST}`, `delete VirtualMachineBackup ${GUEST}`],
  ],
  ['and nothing is left to do', { content: copied({ status: { ...TAKEN, readyToUse: true } }) }, []],
])('%s', (_, seen, want) => expect(lines(decide(see(seen)))).toEqual(want));

test('the images are found by the names that the launcher gives them', () => {
  const sources = decide(see({ guestCopy: done })).flatMap((action) =>
    action.do === 'create' && action.object.kind === 'VolumeCloneSource' ? [action.object] : [],
  );
  expect(sources).toMatchObject([
    {
      metadata: { annotations: { [keys.sourceImage]: `db/then/${GUEST}-data.qcow2` } },
      spec: { source: { kind: 'PersistentVolumeClaim', name: GUEST } },
    },
    { metadata: { annotations: { [keys.sourceImage]: `db/then/${GUEST}-root.qcow2` } } },
  ]);
});

test.each([
  [true, false],
  [false, true],
])('a guest that is frozen: %s; QEMU copies without a freeze: %s', (freezes, skipQuiesce) => {
  const annotations = { [keys.freezesGuest]: freezes ? 'true' : undefined };
  expect(decide(see({ content: copied({ annotations }) }))).toContainEqual(
    expect.objectContaining({
      do: 'create',
      object: expect.objectContaining({
        kind: 'VirtualMachineBackup',
        spec: {
          source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' },
          pvcName: GUEST,
          forceFullBackup: true,
          skipQuiesce,
        },
      }),
    }),
  );
});

const waiting = {
  conditions: [{ ...is('Progressing', 'the guest has another backup'), reason: 'Initializing' }],
};
const begun = { type: 'Full', conditions: [{ ...is('Progressing'), reason: 'Initiated' }] };
test.each<[string, Backup, string | undefined]>([
  ['a backup that begins', backup({ status: waiting, age: 30 }), undefined],
  ['a backup that waits', backup({ status: waiting, age: 31 }), 'the guest has another backup'],
  ['a backup in progress', backup({ status: begun, age: 31 }), undefined],
  [
    'a backup that the launcher refuses',
    backup({ status: { ...waiting, type: 'Full' }, age: 31 }),
    'the guest has another backup',
  ],
  ['a backup that failed', backup({ status: { conditions: [is('Failed', 'the guest ended')] } }), 'the guest ended'],
  ['a backup without a disk', complete('data'), 'the running guest has no disk of volume "root"'],
])('%s is reported: %#', (_, guestCopy, message) => {
  const { error } = written(decide(see({ guestCopy }))) as { error?: { message: string } | null };
  expect(error?.message).toBe(message && `QEMU does not copy the disks of the guest: ${message}`);
});

test('a volume that the guest does not have yet is copied from its claim', () => {
  const made = decide(see({ content: copied({ volumes: ['data', 'root', 'later'] }) }));
  expect(lines(made)).toEqual([
    `create PersistentVolumeClaim ${GUEST}`,
    `create VirtualMachineBackup ${GUEST}`,
    'create VolumeCloneSource copy-later',
    'create PersistentVolumeClaim copy-later',
    'recheck 0',
  ]);
  const source = made.find((action) => action.do === 'create' && action.object.kind === 'VolumeCloneSource');
  expect(source).toMatchObject({ object: { spec: { source: { name: 'later' } } } });
  expect(source).not.toHaveProperty('object.metadata.annotations');
});

test('the backup names the volumes, because the guest may have others', () => {
  expect(decide(see({}))).toContainEqual(
    expect.objectContaining({
      object: expect.objectContaining({
        kind: 'VirtualMachineBackup',
        metadata: expect.objectContaining({ annotations: { [keys.guestCopies]: 'data,root' } }),
      }),
    }),
  );
});

test('a guest that could not be frozen is recorded before the snapshot is taken', () => {
  const conditions = [
    is('Complete', 'Completed VirtualMachineBackup, warning: the agent does not answer'),
    { type: 'Quiesced', status: 'False', reason: 'QuiesceFailed' },
  ];
  const guestCopy = { ...done, status: { ...done.status, conditions } } as Backup;
  const actions = decide(see({ guestCopy, copies: copies('Pending') }));
  expect(lines(actions)).toEqual(['Warning QuiesceFailed', `patch VirtualMachineSnapshotContent ${NAME}`, 'recheck 0']);
  expect(actions[0]).toMatchObject({ message: expect.stringContaining('the agent does not answer') });
});

test.each<[string, object, string | undefined]>([
  [
    'a claim that is not filled',
    { [keys.runningMessage]: 'the storage is full' },
    'PersistentVolumeClaim copy-data error: the storage is full',
  ],
  ['a claim that waits without a cause', { [keys.runningMessage]: '' }, undefined],
  [
    'a copy whose volume is handed over',
    { [keys.runningReason]: 'Completed', [keys.runningMessage]: 'Clone Complete' },
    undefined,
  ],
  ['a copy whose Pod has ended', { [keys.podPhase]: 'Succeeded', [keys.runningMessage]: 'Import Complete' }, undefined],
])('%s is reported with its cause: %#', (_, given, message) => {
  const annotations = { [keys.runningCondition]: 'false', ...given };
  const failing = new Map([
    ['copy-data', claim('copy-data', { phase: 'Pending', metadata: { annotations } })],
    ['copy-root', claim('copy-root')],
  ]);
  const { error } = written(decide(see({ guestCopy: done, copies: failing }))) as { error?: { message: string } };
  expect(error?.message).toBe(message);
});
