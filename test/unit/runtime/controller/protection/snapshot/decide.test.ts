import { keys } from '../../../../../../src/api/keys';
import { decide } from '../../../../../../src/runtime/controller/protection/snapshot/decide';
import type { Observed, VolumeState } from '../../../../../../src/runtime/controller/protection/snapshot/observed';
import type { Claim, Content, Vmi } from '../../../../../../src/runtime/controller/protection/types';
import { claim, condition, content, lines, NOW, snapshot, vm, vmi, written } from '../fixtures';

const supported = { className: 'local' };
const volume = (of: Claim | undefined, more: Partial<VolumeState> = {}): VolumeState => ({
  name: of?.metadata.name ?? 'missing',
  claim: of,
  support: supported,
  ...more,
});
const disks = (more: Readonly<Record<string, VolumeState>> = {}): ReadonlyMap<string, VolumeState> =>
  new Map(Object.entries({ data: volume(claim('data')), root: volume(claim('root-dv')), ...more }));

const see = (more: Partial<Observed>): Observed => ({
  snapshot: snapshot(),
  vm: vm(),
  volumes: disks(),
  now: NOW,
  ...more,
});
const LOCKED = {
  status: { snapshotInProgress: 's' },
  metadata: { finalizers: [keys.snapshotSourceFinalizer] },
};
const STATUS = 'patch VirtualMachineSnapshot/status s';

test.each<[string, Partial<Observed>, string[]]>([
  [
    'a new one gets its finalizer first',
    { snapshot: snapshot({ metadata: { finalizers: [] } }) },
    ['patch VirtualMachineSnapshot s'],
  ],
  ['locks a stopped VM in its status', {}, ['patch VirtualMachine/status db', 'recheck 0', 'recheck 240000']],
  [
    'then protects it',
    { vm: vm({ status: { snapshotInProgress: 's' } }) },
    ['patch VirtualMachine db', 'recheck 0', 'recheck 240000'],
  ],
  [
    'then creates the content, after the status that its controller reads',
    { vm: vm(LOCKED) },
    [
      STATUS,
      'create VirtualMachineSnapshotContent vmsnapshot-content-s-uid',
      'Normal SuccessfulVirtualMachineSnapshotContentCreate',
      'recheck 240000',
    ],
  ],
  [
    'releases the VM when all disks are taken',
    { vm: vm(LOCKED), content: content({ status: { creationTime: '2030-01-01T00:09:30Z', readyToUse: true } }) },
    [STATUS, 'Normal SnapshotSucceeded', 'patch VirtualMachine db', 'patch VirtualMachine/status db'],
  ],
  [
    'fails after its deadline, releases the VM and deletes the incomplete content',
    { snapshot: snapshot({ spec: { failureDeadline: '30s' } }), vm: vm(LOCKED), content: content() },
    [
      STATUS,
      'Warning SnapshotFailed',
      'patch VirtualMachine db',
      'patch VirtualMachine/status db',
      'delete VirtualMachineSnapshotContent vmsnapshot-content-s-uid',
    ],
  ],
  [
    'a deadline of zero never passes',
    { snapshot: snapshot({ spec: { failureDeadline: '0s' } }) },
    ['patch VirtualMachine/status db', 'recheck 0'],
  ],
  ['waits for a VM that does not exist', { vm: undefined }, [STATUS, 'recheck 240000', 'recheck 5000']],
  [
    'one that is deleted deletes its content before it releases the VM',
    {
      snapshot: snapshot({ metadata: { deletionTimestamp: 'now' } }),
      vm: vm(LOCKED),
      content: content({ status: { creationTime: 'then', readyToUse: true } }),
    },
    [STATUS, 'delete VirtualMachineSnapshotContent vmsnapshot-content-s-uid', 'recheck 1000'],
  ],
  [
    'then releases the VM and loses its finalizer',
    { snapshot: snapshot({ metadata: { deletionTimestamp: 'now' } }), vm: vm(LOCKED) },
    ['patch VirtualMachine db', 'patch VirtualMachine/status db', 'patch VirtualMachineSnapshot s'],
  ],
  [
    'Retain keeps a complete content',
    {
      snapshot: snapshot({ metadata: { deletionTimestamp: 'now' }, spec: { deletionPolicy: 'Retain' } }),
      content: content({ status: { creationTime: 'then', readyToUse: true } }),
    },
    ['patch VirtualMachineSnapshot s'],
  ],
  [
    'Retain keeps no incomplete content',
    {
      snapshot: snapshot({ metadata: { deletionTimestamp: 'now' }, spec: { deletionPolicy: 'Retain' } }),
      content: content(),
    },
    [STATUS, 'delete VirtualMachineSnapshotContent vmsnapshot-content-s-uid', 'recheck 1000'],
  ],
  ['a failed one has nothing left to do', { snapshot: snapshot({ status: { phase: 'Failed' } }) }, []],
])('%s', (_, seen, want) => expect(lines(decide(see(seen)))).toEqual(want));

const OLD = { creationTimestamp: '2030-01-01T00:05:00Z' };
/** A guest that has the volume "data" as a CD. */
const withDisk = (disk: object, ...conditions: string[]): Vmi => {
  const guest = vmi('Running', ...conditions);
  const disks = [
    { name: 'data', ...disk },
    { name: 'root', disk: {} },
  ];
  return { ...guest, spec: { ...guest.spec, domain: { devices: { disks } } } };
};
const withCd = withDisk({ cdrom: {} });
const failing = (time: string): object => ({ error: { message: 'full', time } });
const copying = (status?: object): Content =>
  content({
    spec: {
      volumeBackups: [
        {
          volumeName: 'data',
          persistentVolumeClaim: claim('data', { metadata: { annotations: { [keys.volumeCopy]: 'copy' } } }),
        },
      ],
    },
    status,
  });

test.each<[string, Partial<Observed>, RegExp]>([
  ['another snapshot', { vm: vm({ status: { snapshotInProgress: 'other' } }) }, /snapshot "other" .* begins after it/],
  ['a restore', { vm: vm({ status: { restoreInProgress: 'r' } }) }, /restore "r" .* begins after it/],
  ['a VM that is being deleted', { vm: vm({ metadata: { deletionTimestamp: 'now' } }) }, /being deleted/],
  ['a guest that starts', { vmi: vmi('Scheduled') }, /starting \(phase Scheduled\)/],
  ['a guest that will start', { vm: vm({ spec: { runStrategy: 'Always' } }) }, /starting/],
  [
    'a claim that does not exist',
    { volumes: disks({ data: volume(undefined) }) },
    /"missing" does not exist; create it/,
  ],
  [
    'a claim without a volume',
    { volumes: disks({ data: volume(claim('data', { phase: 'Pending' })) }) },
    /"data" is not bound; start the VM once/,
  ],
  [
    'an import',
    { volumes: disks({ root: volume(claim('root-dv'), { importPhase: 'ImportInProgress' }) }) },
    /not filled yet \(phase ImportInProgress\)/,
  ],
  [
    'a choice between two classes',
    { volumes: disks({ data: volume(claim('data'), { support: { ambiguous: 'two classes; mark one' } }) }) },
    /two classes; mark one/,
  ],
])('waits for %s, and reports it', (_, seen, message) => {
  const actions = decide(see(seen));
  expect(lines(actions)).toEqual([STATUS, 'recheck 1000', 'recheck 240000']);
  expect(condition(actions, 'Progressing')).toMatch(/^False Source not locked /);
  expect(condition(actions, 'Progressing')).toMatch(message);
});

test.each<[string, Partial<Observed>, string[] | undefined]>([
  ['a stopped VM has none', {}, undefined],
  ['a guest with an agent', { vmi: vmi('Running', 'AgentConnected') }, ['Online', 'GuestAgent']],
  ['a guest without one', { vmi: vmi('Running') }, ['Online', 'NoGuestAgent']],
  ['a paused guest', { vmi: vmi('Running', 'AgentConnected', 'Paused') }, ['Online', 'Paused']],
  [
    'a disk that cannot be included',
    { vmi: withCd, volumes: disks({ data: volume(claim('data'), { support: {} }) }) },
    ['Online', 'NoGuestAgent', 'PartialSnapshot'],
  ],
  [
    'a disk that QEMU copies',
    { vmi: withDisk({}), volumes: disks({ data: volume(claim('data'), { support: {} }) }) },
    ['Online', 'NoGuestAgent'],
  ],
])('indications: %s', (_, seen, want) => {
  expect(written(decide(see({ vm: vm(LOCKED), ...seen }))).indications).toEqual(want);
});

test('a guest that was thawed too early adds an indication to those before', () => {
  const before = { phase: 'InProgress', indications: ['Online', 'GuestAgent'] };
  const late = content({
    metadata: { annotations: { [keys.quiesceFailed]: 'slow' } },
    status: { creationTime: 'then' },
  });
  const status = written(decide(see({ snapshot: snapshot({ status: before }), content: late })));
  expect(status.indications).toEqual(['Online', 'GuestAgent', 'QuiesceTimeout']);
});

test('the content has the VM, its claims, and a copy of each volume whose class has no snapshots', () => {
  const volumes = disks({ data: volume(claim('data'), { support: {} }) });
  const create = decide(see({ vm: vm(LOCKED), volumes })).find((action) => action.do === 'create');
  expect(create).toMatchObject({
    object: {
      metadata: { finalizers: [keys.snapshotContentFinalizer] },
      spec: {
        virtualMachineSnapshotName: 's',
        source: { virtualMachine: { metadata: { name: 'db', uid: 'vm-uid' }, spec: vm().spec } },
        volumeBackups: [
          {
            volumeName: 'data',
            persistentVolumeClaim: {
              metadata: { name: 'data', annotations: { [keys.volumeCopy]: 'vmsnapshot-s-uid-volume-data' } },
            },
          },
          { volumeName: 'root', volumeSnapshotName: 'vmsnapshot-s-uid-volume-root' },
        ],
      },
    },
  });
});

test('what QEMU does not copy of a running guest is excluded with a remedy', () => {
  const volumes = disks({ data: volume(claim('data', { className: 'nfs' }), { support: {} }) });
  const actions = decide(see({ vm: vm(LOCKED), vmi: withCd, volumes }));
  expect(actions).toContainEqual(
    expect.objectContaining({
      reason: 'VolumeExcluded',
      message: expect.stringMatching(/"data" is not in the snapshot: StorageClass "nfs" .* stop the VM/),
    }),
  );
});

test('a snapshot without any disk does not begin', () => {
  const volumes = new Map([['data', volume(claim('data', { className: 'nfs' }), { support: {} })]]);
  const actions = decide(see({ vmi: withCd, volumes }));
  expect(condition(actions, 'Progressing')).toMatch(/^False Source not locked no disk can be included: volume "data"/);
});

test.each([
  ['without an agent', withDisk({}), {}],
  ['with an agent', withDisk({}, 'AgentConnected'), { [keys.freezesGuest]: 'true' }],
  ['that is paused', withDisk({}, 'AgentConnected', 'Paused'), {}],
])('the content records whether a guest %s is frozen, and that QEMU copies its disks', (_, guest, freezes) => {
  const volumes = disks({ data: volume(claim('data'), { support: {} }) });
  const create = decide(see({ vm: vm(LOCKED), vmi: guest, volumes })).find((action) => action.do === 'create');
  const bytes = String(Math.ceil(2 * 2 ** 30 * 1.1) + 64 * 2 ** 20);
  expect(create?.object.metadata.annotations).toEqual({
    ...freezes,
    [keys.guestCopies]: 'data,root',
    [keys.guestCopyBytes]: bytes,
  });
  const { volumeBackups } = (create?.object as Content).spec;
  expect(volumeBackups?.map(({ volumeSnapshotName }) => volumeSnapshotName)).toEqual([undefined, undefined]);
});

test.each<[string, Partial<Observed>, boolean]>([
  ['a VolumeSnapshot', { content: content() }, true],
  ['a copy', { content: copying() }, false],
  ['a copy that fails for 5 minutes', { content: copying(failing('2030-01-01T00:05:00Z')) }, true],
  ['a copy that fails for less', { content: copying(failing('2030-01-01T00:05:01Z')) }, false],
  [
    'a copy with a limit of the user',
    { content: copying(), snapshot: snapshot({ spec: { failureDeadline: '5m' }, metadata: OLD }) },
    true,
  ],
])('the default deadline applies to %s: %#', (_, seen, fails) => {
  const actions = decide(see({ vm: vm(LOCKED), snapshot: snapshot({ metadata: OLD }), ...seen }));
  expect(written(actions).phase === 'Failed').toBe(fails);
});

test('a copy by QEMU that failed ends the snapshot, which keeps its VM from starting', () => {
  const guestCopy = {
    metadata: { name: 'backup' },
    status: { conditions: [{ type: 'Failed', status: 'True', message: 'the guest ended' }] },
  } as never;
  const endless = snapshot({ spec: { failureDeadline: '0s' } });
  const actions = decide(see({ vm: vm(LOCKED), snapshot: endless, content: copying(), guestCopy }));
  expect(condition(actions, 'Failure')).toMatch(/^True guest copy failed .*the guest ended; remove the cause/);
  expect(lines(actions)).toContain('delete VirtualMachineSnapshotContent vmsnapshot-content-s-uid');
  expect(lines(actions)).toContain('patch VirtualMachine/status db');
});

test('included and excluded volumes are listed', () => {
  const status = written(decide(see({ content: content({ status: { creationTime: 'then' } }) })));
  expect(status.snapshotVolumes).toEqual({ includedVolumes: ['data', 'root'], excludedVolumes: ['image'] });
});

test('a failure names the deadline and the last cause', () => {
  const late = snapshot({ spec: { failureDeadline: '30s' } });
  const failed = decide(see({ snapshot: late, vm: vm({ status: { restoreInProgress: 'r' } }) }));
  expect(condition(failed, 'Failure')).toMatch(
    /^True snapshot deadline exceeded .*restore "r" .* create a new snapshot/,
  );
});
