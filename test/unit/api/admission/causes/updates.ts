import {
  type Finding,
  type KubeObject,
  validateVirtualMachineInstanceUpdate,
  validateVirtualMachineUpdate,
} from '../../../../../src/api';
import { type Loose, validVm, validVmi } from '../../fixtures';
import { configs, type ConfigName, type Case } from '../causes';

type Change = (spec: Loose, object: Loose) => void;

const changed = (object: Loose, ...changes: Change[]): Loose => {
  // jest's own JSON: objects of structuredClone have other prototypes than those that the rules make
  const copy = JSON.parse(JSON.stringify(object)) as Loose;
  changes.forEach((change) => change(copy.spec, copy));
  return copy;
};
const nothing: Change = () => undefined;

/** A guest that runs with three volumes of its start, and with what `before` adds. */
const running = (before: Change): Loose =>
  changed(
    validVmi(),
    (s, vmi) => (vmi.status = { volumeStatus: s.volumes.map(({ name }: Loose) => ({ name })) }),
    before,
  );

/** Findings for changes of a running guest by the platform's components. */
const plugged = (sentence: string, after: Change, before = nothing, name: ConfigName = 'gated'): Case => {
  const old = running(before);
  const errors = validateVirtualMachineInstanceUpdate(changed(old, after), old, configs[name], { trusted: true });
  return [sentence, errors];
};

const disk =
  (name: string, more: Loose = { disk: { bus: 'scsi' } }) =>
  (s: Loose) =>
    (s.domain.devices.disks ??= []).push({ name, ...more });
const claim =
  (name: string, more: Loose = {}) =>
  (s: Loose) =>
    (s.volumes ??= []).push({ name, persistentVolumeClaim: { claimName: name, ...more } });
const both =
  (...changes: Change[]): Change =>
  (s, object) =>
    changes.forEach((change) => change(s, object));
const hot = (name: string): Change =>
  both(claim(name), disk(name), (_, vmi) => vmi.status?.volumeStatus.push({ name, hotplugVolume: {} }));
const dump = (name: string) => (s: Loose) => s.volumes.push({ name, memoryDump: { claimName: name } });
const utility =
  (...list: Loose[]): Change =>
  (s) =>
    (s.utilityVolumes = list);
const migrated =
  (...names: string[]): Change =>
  (_, vmi) =>
    (vmi.status.migratedVolumes = names.map((volumeName) => ({ volumeName })));
const template = (s: Loose) => s.template.spec;
const drop =
  (name: string, of: (s: Loose) => Loose = (s) => s) =>
  (spec: Loose) => {
    const s = of(spec);
    s.volumes = s.volumes.filter((each: Loose) => each.name !== name);
    s.domain.devices.disks = s.domain.devices.disks.filter((each: Loose) => each.name !== name);
  };
const diskless: Change = (s) => {
  delete template(s).volumes;
  delete template(s).domain.devices.disks;
};

const guests: Case[] = [
  plugged('nothing changes', nothing),
  plugged('sockets', (s) => (s.domain.cpu.sockets = 2)),
  plugged('the most sockets', (s) => (s.domain.cpu.maxSockets = 2)),
  plugged('the most sockets of zero', (s) => (s.domain.cpu.maxSockets = 0)),
  plugged(
    'no CPU',
    (s) => delete s.domain.cpu,
    (s) => (s.domain.cpu.maxSockets = 2),
  ),
  plugged('the most memory', (s) => (s.domain.memory.maxGuest = '2Gi')),
  plugged(
    'no memory',
    (s) => delete s.domain.memory,
    (s) => (s.domain.memory.maxGuest = '2Gi'),
  ),
  plugged(
    'other memory',
    (s) => (s.domain.memory.maxGuest = '3Gi'),
    (s) => (s.domain.memory.maxGuest = '2Gi'),
  ),
  plugged(
    'the same memory',
    (s) => (s.domain.memory.maxGuest = '2048Mi'),
    (s) => (s.domain.memory.maxGuest = '2Gi'),
  ),
  plugged('a disk without a volume', disk('a')),
  plugged('a volume without a disk', claim('a')),
  plugged('a volume of another disk', both(claim('a'), disk('b'))),
  plugged(
    'a volume that is shared',
    both(claim('a'), (s) => (s.domain.devices.filesystems = [{ name: 'a', virtiofs: {} }])),
  ),
  plugged('a volume on SCSI', both(claim('a'), disk('a'))),
  plugged('a volume on virtio', both(claim('a'), disk('a', { disk: { bus: 'virtio' } }))),
  plugged('a volume on SATA', both(claim('a'), disk('a', { disk: { bus: 'sata' } }))),
  plugged('a volume on no bus', both(claim('a'), disk('a', { disk: {} }))),
  plugged('a volume as a LUN', both(claim('a'), disk('a', { lun: { bus: 'scsi' } }))),
  plugged('a volume as a LUN on virtio', both(claim('a'), disk('a', { lun: { bus: 'virtio' } }))),
  plugged('a volume as a CD', both(claim('a'), disk('a', { cdrom: { bus: 'sata' } }))),
  plugged('a volume with a thread', both(claim('a'), disk('a', { disk: { bus: 'virtio' }, dedicatedIOThread: true }))),
  plugged(
    'a volume with a thread on SCSI',
    both(claim('a'), disk('a', { disk: { bus: 'scsi' }, dedicatedIOThread: true })),
  ),
  plugged('a volume that boots as 0', both(claim('a'), disk('a', { disk: { bus: 'scsi' }, bootOrder: 0 }))),
  plugged('a volume that boots as 1', both(claim('a'), disk('a', { disk: { bus: 'scsi' }, bootOrder: 1 }))),
  plugged(
    'a DataVolume',
    both(disk('a'), (s) => s.volumes.push({ name: 'a', dataVolume: { name: 'a' } })),
  ),
  plugged(
    'a volume of no claim',
    both(disk('a'), (s) => s.volumes.push({ name: 'a', emptyDisk: { capacity: '1' } })),
  ),
  plugged('a dump of memory', dump('a')),
  plugged('a dump that changes', (s) => (s.volumes.at(-1).memoryDump.claimName = 'b'), dump('a')),
  plugged('a dump that stays', claim('b'), dump('a')),
  plugged('a dump beside a volume', both(claim('b'), disk('b')), dump('a')),
  plugged('a medium for an empty drive', claim('cd'), disk('cd', { cdrom: { bus: 'sata' } })),
  plugged('an empty drive', disk('cd', { cdrom: { bus: 'sata' } })),
  plugged('an empty drive behind its gate', disk('cd', { cdrom: { bus: 'sata' } }), nothing, 'noGates'),
  plugged(
    'a drive that loses its medium',
    (s) => s.volumes.pop(),
    both(claim('cd'), disk('cd', { cdrom: { bus: 'sata' } })),
  ),
  plugged('a hot disk that leaves', drop('hot'), hot('hot')),
  plugged('a hot disk that changes', (s) => (s.domain.devices.disks.at(-1).disk.bus = 'virtio'), hot('hot')),
  plugged('a hot volume that changes', (s) => (s.volumes.at(-1).persistentVolumeClaim.claimName = 'b'), hot('hot')),
  plugged(
    'a hot volume that migrates',
    both(migrated('hot'), (s) => (s.volumes.at(-1).persistentVolumeClaim.claimName = 'b')),
    hot('hot'),
  ),
  plugged(
    'a hot volume while another migrates',
    both(migrated('root'), (s) => (s.volumes.at(-1).persistentVolumeClaim.claimName = 'b')),
    hot('hot'),
  ),
  plugged(
    'a hot volume whose disk is another',
    both((s) => (s.domain.devices.disks.at(-1).name = 'b')),
    hot('hot'),
  ),
  plugged('a first volume that leaves', drop('scratch')),
  plugged('a first volume that becomes another', both(drop('scratch'), claim('a'), disk('a'))),
  plugged(
    'a first volume that is new',
    both(drop('scratch'), (s) => s.volumes.push({ name: 'was', emptyDisk: { capacity: '1' } }), disk('was')),
    (_, vmi) => vmi.status.volumeStatus.push({ name: 'was' }),
  ),
  plugged('a first volume that changes', (s) => (s.volumes[0].containerDisk.image = 'b')),
  plugged(
    'a first volume that migrates',
    both(migrated('root'), (s) => (s.volumes[0].containerDisk.image = 'b')),
  ),
  plugged('a first disk that changes', (s) => (s.domain.devices.disks[0].disk.bus = 'sata')),
  plugged('no disks', (s) => delete s.domain.devices.disks),
  plugged('no volumes', (s) => delete s.volumes),
  plugged(
    'neither',
    (s) => {
      delete s.volumes;
      delete s.domain.devices.disks;
    },
    (s, vmi) => {
      delete s.volumes;
      delete s.domain.devices.disks;
      delete vmi.status;
      s.domain.cpu = { sockets: 1 };
    },
  ),
  plugged('first disks', both(claim('a'), disk('a')), (s, vmi) => {
    delete s.volumes;
    delete s.domain.devices.disks;
    delete vmi.status;
  }),
  plugged('utility volumes behind their gate', utility({ name: 'u', claimName: 'c' }), nothing, 'default'),
  plugged('utility volumes', utility({ name: 'u', claimName: 'c' }, { name: 'v', claimName: 'c' })),
  plugged('utility volumes of nothing', utility({}, { name: 'v' })),
  plugged('a utility volume twice', utility({ name: 'u', claimName: 'c' }, { name: 'u', claimName: 'd' })),
  plugged('a utility volume of another’s name', utility({ name: 'scratch', claimName: 'c' })),
  plugged('a utility volume of the first one’s name', utility({ name: 'root', claimName: 'c' })),
  plugged('a utility volume that was there', utility({ name: 'was', claimName: 'c' }), (_, vmi) =>
    vmi.status.volumeStatus.push({ name: 'was' }),
  ),
  plugged('a utility volume that was plugged', utility({ name: 'was', claimName: 'c' }), (_, vmi) =>
    vmi.status.volumeStatus.push({ name: 'was', hotplugVolume: {} }),
  ),
  plugged(
    'a utility volume that changes',
    utility({ name: 'u', claimName: 'd' }),
    utility({ name: 'u', claimName: 'c' }),
  ),
  plugged(
    'a utility volume that comes to another',
    utility({ name: 'u', claimName: 'c' }, { name: 'v', claimName: 'c' }),
    utility({ name: 'u', claimName: 'c' }),
  ),
  plugged('a utility volume that leaves', utility(), utility({ name: 'u', claimName: 'c' })),
];

/** Findings for changes by a user. `spec.template.metadata` changes too: an update that changes nothing is not validated. */
const written = (sentence: string, change: Change, before = nothing, others: Loose[] = []): Case => {
  const old = changed(validVm(), before);
  const vm = changed(old, (s) => (s.template.metadata.labels.changed = 'yes'), change);
  const find = (kind: string, namespace: string | undefined, name: string) =>
    others.find((o) => o.kind === kind && o.metadata.namespace === namespace && o.metadata.name === name) as KubeObject;
  const context = { config: configs.gated, by: { trusted: false }, find, list: () => [] };
  const errors: Finding[] = validateVirtualMachineUpdate(vm, old, context);
  return [sentence, errors];
};
const status =
  (fields: Loose): Change =>
  (_, vm) =>
    (vm.status = { ...vm.status, ...fields });
const strategy =
  (runStrategy?: string, on?: boolean): Change =>
  (s) => {
    delete s.runStrategy;
    delete s.running;
    if (runStrategy !== undefined) s.runStrategy = runStrategy;
    if (on !== undefined) s.running = on;
  };
const snapshot = status({ snapshotInProgress: 'snap' });
const restore = status({ restoreInProgress: 'back' });

const locks: Case[] = [
  written('a change during a snapshot', nothing, snapshot),
  written('another volume during a snapshot', drop('init', template), snapshot),
  written('an image during a snapshot', (s) => (s.template.spec.volumes[0].containerDisk.image = 'b'), snapshot),
  written('no volumes during a snapshot', nothing, both(snapshot, diskless)),
  written(
    'volumes that come during a snapshot',
    (s) => (s.template.spec.volumes = [{ name: 'root', emptyDisk: { capacity: '1' } }]),
    both(snapshot, diskless),
  ),
  written('a strategy during a snapshot', strategy('Halted'), snapshot),
  written(
    'the strategy alone during a snapshot of a VM of both',
    strategy('Always'),
    both(snapshot, strategy('Always', true)),
  ),
  written('a strategy during a restore', strategy('Halted'), restore),
  written('the same during a restore', nothing, restore),
  ...[snapshot, restore].flatMap((lock, i) => {
    const during = i === 0 ? 'a snapshot' : 'a restore';
    return [
      written(`true during ${during} of a VM that is Always`, strategy(undefined, true), lock),
      written(
        `false during ${during} of a VM that is Halted`,
        strategy(undefined, false),
        both(lock, strategy('Halted')),
      ),
      written(
        `Halted during ${during} of a VM that is false`,
        strategy('Halted'),
        both(lock, strategy(undefined, false)),
      ),
      written(`true during ${during} of a VM that is true`, nothing, both(lock, strategy(undefined, true))),
      written(
        `false during ${during} of a VM that is true`,
        strategy(undefined, false),
        both(lock, strategy(undefined, true)),
      ),
      written(`Manual during ${during} of a VM that is Once`, strategy('Manual'), both(lock, strategy('Once'))),
    ];
  }),
  written(
    'running during a restore of a VM of both',
    strategy(undefined, true),
    both(restore, strategy('Always', true)),
  ),
  written('running during a restore of a VM of neither', strategy(undefined, false), both(restore, strategy())),
];

const asked = (...volumeRequests: Loose[]): Change => status({ volumeRequests });
const add = (
  name: string,
  source: Loose = { dataVolume: { name } },
  more: Loose = { disk: { disk: { bus: 'scsi' } } },
) => ({
  addVolumeOptions: { name, volumeSource: source, ...more },
});
const remove = (name: string) => ({ removeVolumeOptions: { name } });
const guest = (change = nothing): Loose => changed(validVmi(), change);
const ready = status({ ready: true });
const requested = (sentence: string, requests: Loose[], more: Change = nothing, ...others: Loose[]): Case =>
  written(sentence, nothing, both(more, asked(...requests)), others);
const migrating = (migrationState: Loose) => guest((_, vmi) => (vmi.status = { migrationState }));

const requests: Case[] = [
  requested('no request', []),
  requested('a request', [add('a')]),
  requested('a request of a claim', [add('a', { persistentVolumeClaim: { claimName: 'a' } })]),
  requested('a request of nothing', [{}]),
  requested('a request of both', [{ ...add('a'), ...remove('a') }]),
  requested('a request twice', [add('a'), add('a')]),
  requested('a removal twice', [remove('a'), remove('a')]),
  requested('a request and its removal', [add('a'), remove('a')]),
  requested('the removal of a disk', [remove('scratch')]),
  requested(
    'the removal of the cloud-init of a key',
    [remove('init')],
    (s) =>
      (s.template.spec.accessCredentials = [
        { sshPublicKey: { source: { secret: { secretName: 'x' } }, propagationMethod: { noCloud: {} } } },
      ]),
  ),
  requested('a request without a disk', [add('a', undefined, {})]),
  requested('a request on SATA', [add('a', undefined, { disk: { disk: { bus: 'sata' } } })]),
  requested('a request of no bus', [add('a', undefined, { disk: { disk: {} } })]),
  requested('a request of a LUN', [add('a', undefined, { disk: { lun: { bus: 'scsi' } } })]),
  requested('a request of a LUN on virtio', [add('a', undefined, { disk: { lun: { bus: 'virtio' } } })]),
  requested('a request of a CD', [add('a', undefined, { disk: { cdrom: { bus: 'sata' } } })]),
  requested('a request of a thread', [
    add('a', undefined, { disk: { disk: { bus: 'scsi' }, dedicatedIOThread: true } }),
  ]),
  requested('a request that boots as 0', [add('a', undefined, { disk: { disk: { bus: 'scsi' }, bootOrder: 0 } })]),
  requested('a request that boots as 1', [add('a', undefined, { disk: { disk: { bus: 'scsi' }, bootOrder: 1 } })]),
  requested('a request of no source', [add('a', {})]),
  requested('a request of a name that is taken', [add('scratch')]),
  requested(
    'a request of a volume that is there',
    [add('a')],
    both((s) => s.template.spec.volumes.push({ name: 'a', dataVolume: { name: 'a' } })),
  ),
  requested(
    'a request of a claim that is there',
    [add('a', { persistentVolumeClaim: { claimName: 'a' } })],
    both((s) => s.template.spec.volumes.push({ name: 'a', persistentVolumeClaim: { claimName: 'a' } })),
  ),
  requested('a request of a running guest', [add('a'), remove('scratch')], ready, guest()),
  requested(
    'a request of a name that the guest has',
    [add('a')],
    ready,
    guest((s) => s.volumes.push({ name: 'a', emptyDisk: { capacity: '1' } })),
  ),
  requested(
    'a request of a name that the guest has, which is not ready',
    [add('a')],
    nothing,
    guest((s) => s.volumes.push({ name: 'a', emptyDisk: { capacity: '1' } })),
  ),
  requested(
    'a request of a name that a guest has which leaves',
    [add('a')],
    ready,
    guest((s, vmi) => {
      s.volumes.push({ name: 'a', emptyDisk: { capacity: '1' } });
      vmi.metadata.deletionTimestamp = 'now';
    }),
  ),
  requested(
    'a request of a running guest without volumes',
    [add('a')],
    ready,
    guest((s) => {
      delete s.volumes;
      delete s.domain.devices.disks;
    }),
  ),
  requested(
    'a request of a running guest that boots',
    [add('a', undefined, { disk: { disk: { bus: 'scsi' }, bootOrder: 3 } })],
    ready,
    guest((s) => (s.domain.devices.disks[1].bootOrder = 3)),
  ),
  requested('a removal of a guest without volumes', [remove('a')], (s) => {
    delete s.template.spec.volumes;
    delete s.template.spec.domain.devices.disks;
  }),
  requested('a request of a migration', [add('a')], ready, migrating({})),
  requested('a request of a migration that is over', [add('a')], ready, migrating({ completed: true })),
  requested('a request of a migration that failed', [add('a')], ready, migrating({ failed: true })),
  requested('a request of no template', [add('a')], (s) => delete s.template.spec),
];

export const updates: readonly Case[] = [...guests, ...locks, ...requests];
