import type { Disk, Volume } from '../../../../../src/api';
import { disks } from '../../../../../src/runtime/launcher/domain/disks';
import { type Fixture, rendered } from './fixture';

const claim: Volume = { name: 'a', persistentVolumeClaim: { claimName: 'claim' } };
const block: Fixture = { claims: { claim: { volumeMode: 'Block' } } };

/** One disk on one volume. */
function one(disk: Partial<Disk>, change: Fixture & { volume?: Partial<Volume> } = {}): string {
  const { volume, ...fixture } = change;
  const volumes = [volume ? ({ name: 'a', ...volume } as Volume) : claim];
  return rendered(disks, { volumes, ...fixture, devices: { ...fixture.devices, disks: [{ name: 'a', ...disk }] } });
}

const image = (kind: string): string => `/var/run/kubevirt-private/${kind}`;

test.each<[string, Partial<Volume>, string, string]>([
  [
    'containerDisk',
    { containerDisk: { image: 'a' } },
    '/var/run/kubevirt-ephemeral-disks/disk-data/a/disk.qcow2',
    "type='qcow2' discard='unmap'",
  ],
  [
    'emptyDisk',
    { emptyDisk: { capacity: '1Gi' } },
    '/var/run/libvirt/empty-disks/a.qcow2',
    "type='qcow2' discard='unmap'",
  ],
  ['dataVolume', { dataVolume: { name: 'd' } }, image('vmi-disks/a/disk.img'), "type='raw' discard='unmap'"],
  [
    'hostDisk',
    { hostDisk: { path: '/x/y.raw', type: 'Disk' } },
    image('vmi-disks/a/y.raw'),
    "type='raw' discard='unmap'",
  ],
  [
    'cloudInitNoCloud',
    { cloudInitNoCloud: {} },
    '/var/run/kubevirt-ephemeral-disks/cloud-init-data/default/vm/noCloud.iso',
    "type='raw' discard='unmap'",
  ],
  [
    'cloudInitConfigDrive',
    { cloudInitConfigDrive: {} },
    '/var/run/kubevirt-ephemeral-disks/cloud-init-data/default/vm/configdrive.iso',
    "type='raw' discard='unmap'",
  ],
  ['sysprep', { sysprep: {} }, image('sysprep-disks/a.iso'), "type='raw' discard='unmap'"],
  ['configMap', { configMap: { name: 'c' } }, image('config-map-disks/a.iso'), "type='raw' discard='unmap'"],
  ['secret', { secret: { secretName: 's' } }, image('secret-disks/a.iso'), "type='raw' discard='unmap'"],
  ['downwardAPI', { downwardAPI: { fields: [] } }, image('downwardapi-disks/a.iso'), "type='raw' discard='unmap'"],
  [
    'serviceAccount',
    { serviceAccount: { serviceAccountName: 's' } },
    image('service-account-disk/service-account.iso'),
    "type='raw' discard='unmap'",
  ],
  ['downwardMetrics', { downwardMetrics: {} }, image('downwardapi-disks/vhostmd0'), "name='qemu' type='raw'/>"],
])('a volume of %s is a file of its own', (_, volume, file, driver) => {
  const xml = one({ disk: { bus: 'virtio' } }, { volume });
  expect(xml).toContain(`<source file='${file}'`);
  expect(xml).toContain(driver);
});

test('a CD made of files never discards, one on a claim does', () => {
  expect(one({ cdrom: { bus: 'sata' } }, { volume: { cloudInitNoCloud: {} } })).not.toContain('discard');
  expect(one({ cdrom: { bus: 'sata' } })).toContain("discard='unmap'");
});

test.each<[string, Partial<Volume>, string]>([
  ['a claim is a device', { persistentVolumeClaim: { claimName: 'claim' } }, "<source dev='/dev/a' name='a'/>"],
  ['a DataVolume has the claim of its name', { dataVolume: { name: 'claim' } }, "<source dev='/dev/a' name='a'/>"],
  [
    'a copy lies on the device',
    { ephemeral: { persistentVolumeClaim: { claimName: 'claim' } } },
    "<backingStore type='block'><format type='raw'/><source dev='/dev/a' name='a'/></backingStore>",
  ],
])('in mode Block, %s', (_, volume, want) => {
  expect(one({ disk: { bus: 'virtio' } }, { ...block, volume })).toContain(want);
});

test.each<[string, Partial<Disk>, string | RegExp]>([
  ['a cache mode is passed on', { cache: 'writeback' }, "<driver cache='writeback'"],
  ['a shared disk is not cached', { disk: { bus: 'virtio' }, shareable: true }, "<driver cache='none'"],
  ['a shared disk is marked', { disk: { bus: 'virtio' }, shareable: true }, '<shareable/>'],
  ['native I/O is passed on', { io: 'native' }, "io='native'"],
  ['an error policy is passed on', { errorPolicy: 'enospace' }, "error_policy='enospace'"],
  ['without one, errors stop the guest', {}, "error_policy='stop'"],
  ['a serial number', { disk: { bus: 'sata' }, serial: 'x<y' }, '<serial>x&lt;y</serial>'],
  ['a readonly disk', { disk: { bus: 'sata', readonly: true } }, '<readonly/>'],
  ['a CD is readonly', { cdrom: { bus: 'sata' } }, '<readonly/>'],
  ['the tray of a CD', { cdrom: { bus: 'sata', tray: 'open' } }, "tray='open'"],
  ['a boot order', { bootOrder: 3 }, "<boot order='3'/>"],
  ['a PCI address', { disk: { bus: 'virtio', pciAddress: '0000:0a:1f.7' } }, "bus='0x0a' slot='0x1f' function='0x7'"],
  ['a virtio model', { disk: { bus: 'virtio' } }, "model='virtio-non-transitional'"],
  ['a place on the SCSI controller', { disk: { bus: 'scsi' } }, "type='drive' controller='0' bus='0' unit='0'"],
  [
    'reservations by the helper of the node',
    { lun: { bus: 'scsi', reservation: true } },
    "<reservations managed='no' migration='yes'><source type='unix' path='/var/run/kubevirt/daemons/pr/pr-helper.sock'",
  ],
  [
    'block sizes of its own',
    { blockSize: { custom: { logical: 512, physical: 4096, discardGranularity: 0 } } },
    "<blockio logical_block_size='512' physical_block_size='4096' discard_granularity='0'/>",
  ],
  [
    'block sizes of the volume',
    { blockSize: { matchVolume: {} } },
    "<blockio logical_block_size='4096' physical_block_size='4096' discard_granularity='4096'/>",
  ],
])('%s', (_, disk, want) => {
  expect(one('disk' in disk || 'cdrom' in disk || 'lun' in disk ? disk : { disk: { bus: 'virtio' }, ...disk })).toMatch(
    want instanceof RegExp ? want : new RegExp(want.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')),
  );
});

test.each<[string, Partial<Disk>, string]>([
  ['a serial number of a LUN', { lun: { bus: 'scsi' }, serial: 'S' }, '<serial>'],
  ['readonly where a CD may be written', { cdrom: { bus: 'sata', readonly: false } }, '<readonly/>'],
  ['an address of a CD on SCSI', { cdrom: { bus: 'scsi' } }, '<address'],
  ['block sizes when matching is off', { disk: {}, blockSize: { matchVolume: { enabled: false } } }, '<blockio'],
  ['sharing of a LUN', { lun: { bus: 'scsi' }, shareable: true }, '<shareable/>'],
])('there is no %s', (_, disk, not) => {
  expect(one(disk)).not.toContain(not);
});

describe('metrics are a file that only the launcher writes', () => {
  const devices = { blockMultiQueue: true };
  const xml = one(
    { disk: { bus: 'virtio' }, cache: 'none', io: 'native' },
    { volume: { downwardMetrics: {} }, devices, domain: { launchSecurity: { sev: {} } } },
  );
  test('the guest reads it', () => expect(xml).toContain('<readonly/>'));
  test('and its driver settings are ignored', () =>
    expect(xml).toContain("<driver error_policy='stop' name='qemu' type='raw'/>"));
});

test('queues follow the vCPUs, on virtio only', () => {
  const change = { devices: { blockMultiQueue: true }, domain: { cpu: { cores: 3 } } };
  expect(one({ disk: { bus: 'virtio' } }, change)).toContain("queues='3'");
  expect(one({ disk: { bus: 'sata' } }, change)).not.toContain('queues');
});

test('under launch security virtio disks go through the IOMMU', () => {
  const change = { domain: { launchSecurity: { snp: {} } } };
  expect(one({ disk: { bus: 'virtio' } }, change)).toContain("iommu='on'");
  expect(one({ disk: { bus: 'sata' } }, change)).not.toContain('iommu');
});

test('a pool of threads serves each virtio disk', () => {
  const domain = { ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 2 } } as const;
  expect(one({ disk: { bus: 'virtio' } }, { domain })).toContain(
    "<iothreads><iothread id='1'/><iothread id='2'/></iothreads></driver>",
  );
});

test('an empty drive is a block device without a device', () => {
  const xml = rendered(disks, { devices: { disks: [{ name: 'a', cdrom: { bus: 'sata' } }] } });
  expect(xml).toContain("<disk device='cdrom' type='block'><source/>");
  expect(xml).toContain("name='qemu' type='raw' discard='unmap'");
});

test.each<[string, Partial<Disk>, Fixture & { volume?: Partial<Volume> }, RegExp]>([
  ['a disk without volume', { disk: {} }, { volumes: [] }, /disks\[0\]: disk "a" has no volume/],
  [
    'a volume that cannot be a disk',
    { disk: {} },
    { volume: { memoryDump: { claimName: 'c' } } },
    /memoryDump cannot be a disk/,
  ],
  [
    'a shared disk with a cache',
    { disk: {}, shareable: true, cache: 'writeback' },
    {},
    /disks\[0\].cache: a shareable disk cannot be cached, got "writeback"; set it to none/,
  ],
  ['a PCI address on SATA', { disk: { bus: 'sata', pciAddress: '0000:01:00.0' } }, {}, /only virtio disks/],
  ['an invalid PCI address', { disk: { bus: 'virtio', pciAddress: '1:2' } }, {}, /"1:2" is not a PCI address/],
  [
    'blocks that s390x does not know',
    { disk: {}, blockSize: { custom: { logical: 8192, physical: 8192 } } },
    { architecture: 's390x' },
    /blockSize.custom: 8192 is too large for s390x; use at most 4096/,
  ],
])('%s is rejected', (_, disk, change, message) => {
  expect(() => one(disk, change)).toThrow(message);
});
