import {
  clusterConfig,
  Disk,
  formatFieldError,
  Interface,
  root,
  validateInstanceSpec,
  VirtualMachineInstanceSpec,
} from '../../../src/api';
import { gated, Loose, reported, validVmi } from './fixtures';

type Spec = VirtualMachineInstanceSpec;
type Case = [string, (spec: Loose) => void, string[]];

const disk = (change: Partial<Disk>) => (spec: Spec) => Object.assign(spec.domain.devices.disks![1], change);
const nic = (change: Partial<Interface>) => (spec: Spec) => Object.assign(spec.domain.devices.interfaces![0], change);
const d = 'spec.domain.devices.disks';
const n = 'spec.domain.devices.interfaces';

test('the valid spec passes', () => expect(reported(() => {})).toEqual([]));

describe('memory', () => {
  test.each<Case>([
    ['none at all', (s) => delete s.domain.memory, ['memory-required spec.domain.memory.guest']],
    ['negative guest memory', (s) => (s.domain.memory.guest = '-1Gi'), ['amount-positive spec.domain.memory.guest']],
    ['no guest memory', (s) => (s.domain.memory.guest = '0'), ['guest-memory-positive spec.domain.memory.guest']],
    ['no quantity', (s) => (s.domain.memory.guest = '1GB'), ['quantity spec.domain.memory.guest']],
    [
      'more than the limit',
      (s) => (s.domain.resources = { limits: { memory: '512Mi' } }),
      ['guest-memory-limit spec.domain.memory.guest'],
    ],
    [
      'a request above its limit',
      (s) => (s.domain.resources = { requests: { memory: '3Gi' }, limits: { memory: '2Gi' } }),
      ['request-within-limit spec.domain.resources.requests.memory'],
    ],
    [
      'a negative request',
      (s) => (s.domain.resources = { requests: { memory: '-1' } }),
      ['amount-positive spec.domain.resources.requests.memory'],
    ],
    [
      'huge pages that do not divide',
      (s) => (s.domain.memory = { guest: '1025Mi', hugepages: { pageSize: '2Mi' } }),
      ['hugepages-divide spec.domain.memory.guest'],
    ],
    [
      'a huge page larger than the guest',
      (s) => (s.domain.memory = { guest: '512Mi', hugepages: { pageSize: '1Gi' } }),
      ['hugepages-fit spec.domain.memory.guest'],
    ],
    [
      'a maximum below the guest',
      (s) => (s.domain.memory.maxGuest = '512Mi'),
      ['max-guest spec.domain.memory.maxGuest'],
    ],
    [
      'a maximum without guest memory',
      (s) => (s.domain.memory = { maxGuest: '2Gi' }),
      ['memory-required spec.domain.memory.guest', 'max-guest spec.domain.memory.maxGuest'],
    ],
  ])('%s', (_, change, want) => expect(reported(change)).toEqual(want));
});

describe('cpu', () => {
  test.each<Case>([
    ['zero cores', (s) => (s.domain.cpu.cores = 0), ['cpu-positive spec.domain.cpu.cores']],
    [
      'more sockets than the maximum',
      (s) => (s.domain.cpu = { sockets: 4, maxSockets: 2 }),
      ['cpu-max-sockets spec.domain.cpu.sockets'],
    ],
    [
      'an unknown feature policy',
      (s) => (s.domain.cpu.features = [{ name: 'avx', policy: 'requires' }]),
      ['cpu-feature-policy spec.domain.cpu.features[0].policy'],
    ],
    [
      'a request above its limit',
      (s) => (s.domain.resources = { requests: { cpu: '2' }, limits: { cpu: '1500m' } }),
      ['request-within-limit spec.domain.resources.requests.cpu'],
    ],
    [
      'an isolated emulator without pinning',
      (s) => (s.domain.cpu.isolateEmulatorThread = true),
      ['isolate-emulator-thread spec.domain.cpu.isolateEmulatorThread'],
    ],
    [
      'a fraction of a pinned CPU',
      (s) => {
        s.domain.cpu.dedicatedCpuPlacement = true;
        s.domain.resources = { requests: { cpu: '1500m' } };
      },
      ['dedicated-cpu-whole spec.domain.resources.requests.cpu'],
    ],
    [
      'another count than the guest has',
      (s) => {
        s.domain.cpu.dedicatedCpuPlacement = true;
        s.domain.resources = { limits: { cpu: '3' } };
      },
      ['dedicated-cpu-count spec.domain.resources.limits.cpu'],
    ],
    [
      'NUMA without pinning and huge pages',
      (s) => (s.domain.cpu.numa = { guestMappingPassthrough: {} }),
      [
        'numa-dedicated spec.domain.cpu.numa.guestMappingPassthrough',
        'numa-hugepages spec.domain.cpu.numa.guestMappingPassthrough',
      ],
    ],
    [
      'realtime alone',
      (s) => (s.domain.cpu.realtime = {}),
      [
        'realtime-dedicated spec.domain.cpu.realtime',
        'realtime-numa spec.domain.cpu.realtime',
        'realtime-hugepages spec.domain.cpu.realtime',
      ],
    ],
  ])('%s', (_, change, want) => expect(reported(change)).toEqual(want));
});

describe('disks', () => {
  test.each<Case>([
    [
      'two of one name',
      (s) => s.domain.devices.disks.push({ name: 'root', disk: {} }),
      [`disk-name-unique ${d}[3].name`],
    ],
    [
      'a name that is no label',
      (s) => {
        s.domain.devices.disks[1].name = 'My Disk';
        s.volumes[1].name = 'My Disk';
      },
      [`disk-name ${d}[1].name`, 'volume-name spec.volumes[1].name'],
    ],
    ['no volume of its name', (s) => (s.domain.devices.disks[0].name = 'roott'), [`disk-has-volume ${d}[0].name`]],
    ['an empty CD drive is fine', (s) => s.domain.devices.disks.push({ name: 'cd', cdrom: { bus: 'sata' } }), []],
    ['an unknown bus', disk({ disk: { bus: 'virtoi' as never } }), [`disk-bus ${d}[1].disk.bus`]],
    ['IDE', disk({ disk: { bus: 'ide' as never } }), [`disk-bus ${d}[1].disk.bus`]],
    [
      'a CD drive on virtio',
      disk({ disk: undefined, cdrom: { bus: 'virtio' as never } }),
      [`cdrom-bus ${d}[1].cdrom.bus`],
    ],
    ['two targets', disk({ cdrom: {} }), [`disk-one-target ${d}[1]`]],
    ['a LUN of no claim', disk({ disk: undefined, lun: { bus: 'scsi' } }), [`lun-has-claim ${d}[1].lun`]],
    ['one boot order twice', disk({ bootOrder: 1 }), [`boot-order-unique ${d}[1].bootOrder`]],
    ['one boot order on disk and interface', nic({ bootOrder: 1 }), [`boot-order-unique ${n}[0].bootOrder`]],
    ['boot order zero', disk({ bootOrder: 0 }), [`boot-order-positive ${d}[1].bootOrder`]],
    ['an unknown cache mode', disk({ cache: 'write-back' as never }), [`disk-cache ${d}[1].cache`]],
    ['an unknown io mode', disk({ io: 'aio' as never }), [`disk-io ${d}[1].io`]],
    ['an unknown error policy', disk({ errorPolicy: 'panic' as never }), [`disk-errorpolicy ${d}[1].errorPolicy`]],
    ['a serial with a blank', disk({ serial: 'a b' }), [`disk-serial ${d}[1].serial`]],
    ['a serial that QEMU would cut', disk({ serial: 'x'.repeat(37) }), [`disk-serial-length ${d}[1].serial`]],
    [
      'a PCI address on sata',
      disk({ disk: { bus: 'sata', pciAddress: '0000:81:01.0' } }),
      [`disk-pci-bus ${d}[1].disk.pciAddress`],
    ],
    [
      'a malformed PCI address',
      disk({ disk: { bus: 'virtio', pciAddress: '0000:81:99.0' } }),
      [`disk-pci-address ${d}[1].disk.pciAddress`],
    ],
    [
      'a block size that is no power of two',
      disk({ blockSize: { custom: { logical: 513, physical: 4096 } } }),
      [`block-size ${d}[1].blockSize.custom.logical`],
    ],
    [
      'logical blocks above physical',
      disk({ blockSize: { custom: { logical: 4096, physical: 512 } } }),
      [`block-size-order ${d}[1].blockSize.custom.logical`],
    ],
  ])('%s', (_, change, want) => expect(reported(change)).toEqual(want));
});

describe('volumes', () => {
  const v = 'spec.volumes';
  const userData = (source: object) => (s: Loose) => (s.volumes[2] = { name: 'init', cloudInitNoCloud: source });
  test.each<Case>([
    [
      'two of one name',
      (s) => s.volumes.push({ name: 'root', emptyDisk: { capacity: '1Gi' } }),
      [`volume-name-unique ${v}[3].name`],
    ],
    ['no source', (s) => (s.volumes[1] = { name: 'scratch' }), [`volume-one-source ${v}[1]`]],
    ['two sources', (s) => (s.volumes[1].containerDisk = { image: 'x' }), [`volume-one-source ${v}[1]`]],
    [
      'an image without a name',
      (s) => (s.volumes[0].containerDisk.image = ''),
      [`container-disk-image ${v}[0].containerDisk.image`],
    ],
    [
      'a path that climbs out of the image',
      (s) => (s.volumes[0].containerDisk.path = '/disk/../../etc/shadow'),
      [`container-disk-path ${v}[0].containerDisk.path`],
    ],
    [
      'a relative path',
      (s) => (s.volumes[0].containerDisk.path = 'disk.img'),
      [`container-disk-path ${v}[0].containerDisk.path`],
    ],
    [
      'the root of the image',
      (s) => (s.volumes[0].containerDisk.path = '/'),
      [`container-disk-path ${v}[0].containerDisk.path`],
    ],
    [
      'an empty disk of no size',
      (s) => (s.volumes[1].emptyDisk.capacity = 'big'),
      [`quantity ${v}[1].emptyDisk.capacity`],
    ],
    ['cloud-init without data', userData({}), [`cloud-init-empty ${v}[2].cloudInitNoCloud`]],
    [
      'two kinds of user data',
      userData({ userData: 'a', secretRef: { name: 'x' } }),
      [`cloud-init-user-data ${v}[2].cloudInitNoCloud`],
    ],
    [
      'user data above 2048 bytes',
      userData({ userData: 'é'.repeat(1025) }),
      [`cloud-init-size ${v}[2].cloudInitNoCloud.userData`],
    ],
    [
      'network data above 2048 bytes',
      userData({ networkData: 'x'.repeat(2049) }),
      [`cloud-init-size ${v}[2].cloudInitNoCloud.networkData`],
    ],
    [
      'data that is not base64',
      userData({ userDataBase64: '%%%' }),
      [`cloud-init-base64 ${v}[2].cloudInitNoCloud.userDataBase64`],
    ],
    [
      'two cloud-init volumes',
      (s) => (s.volumes[1] = { name: 'scratch', cloudInitConfigDrive: { userData: 'x' } }),
      [`cloud-init-one ${v}`],
    ],
    [
      'a ConfigMap without a name',
      (s) => (s.volumes[1] = { name: 'scratch', configMap: { name: '' } }),
      [`volume-reference ${v}[1].configMap.name`],
    ],
    [
      'a Secret without a name',
      (s) => (s.volumes[1] = { name: 'scratch', secret: {} }),
      [`volume-reference ${v}[1].secret.secretName`],
    ],
    [
      'a claim without a name',
      (s) => (s.volumes[1] = { name: 'scratch', persistentVolumeClaim: { claimName: '' } }),
      [`volume-reference ${v}[1].persistentVolumeClaim.claimName`],
    ],
    [
      'a host disk behind its gate',
      (s) => (s.volumes[1] = { name: 'scratch', hostDisk: { path: '/a', type: 'Disk' } }),
      [`gate-host-disk ${v}[1]`],
    ],
    [
      'sysprep without a reference',
      (s) => (s.volumes[1] = { name: 'scratch', sysprep: {} }),
      [`sysprep-one ${v}[1].sysprep`],
    ],
  ])('%s', (_, change, want) => expect(reported(change)).toEqual(want));

  test('a host disk whose gate is on needs a plain path and a size to create', () => {
    const change = (s: Loose) => (s.volumes[1] = { name: 'scratch', hostDisk: { path: '../x', type: 'DiskOrCreate' } });
    expect(reported(change, gated('HostDisk'))).toEqual([
      `host-disk-path ${v}[1].hostDisk.path`,
      `host-disk-capacity ${v}[1].hostDisk.capacity`,
    ]);
  });
});

test('an error says what, where, what is allowed and what to do', () => {
  const { spec } = validVmi();
  spec.domain.devices.disks![0].name = 'roott';
  const [error] = validateInstanceSpec(spec, root.at('spec'), clusterConfig());
  expect(formatFieldError(error)).toBe(
    'spec.domain.devices.disks[0].name: spec.domain.devices.disks[0].name \'roott\' not found (allowed: "root", "scratch", "init"); ' +
      'add a volume of this name or rename the disk [disk-has-volume]',
  );
});
