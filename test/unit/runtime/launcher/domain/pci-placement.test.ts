import type { NodeTopology } from '../../../../../src/runtime/launcher/domain/facts';
import type { Fixture } from './fixture';
import { part } from './part';

const devices = (fixture: Fixture): string => part('devices', fixture)!;
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1]!);

const ROOT = { 'kubevirt.io/placePCIDevicesOnRootComplex': 'true' };
const nics = (count: number): Fixture => ({
  devices: { interfaces: Array.from({ length: count }, (_, i) => ({ name: `n${i}`, bridge: {} })) },
  networks: Array.from({ length: count }, (_, i) => ({ name: `n${i}`, pod: {} })),
});

test('on the root complex devices have slots in the order of their kinds, after the taken slots', () => {
  const { devices: of, networks } = nics(2);
  const given: Fixture = {
    annotations: ROOT,
    networks,
    devices: {
      ...of,
      rng: {},
      disks: [
        { name: 'd', disk: { bus: 'virtio' } },
        { name: 's', disk: { bus: 'sata' } },
      ],
    },
    volumes: ['d', 's'].map((name) => ({ name, emptyDisk: { capacity: '1Gi' } })),
  };
  const kinds = /<(interface|controller|memballoon|disk|rng) (?:(?!<\/\1>).)*?bus='0x00' slot='(0x..)'/g;
  const slots = [...devices(given).matchAll(kinds)];
  expect(slots.map(([, kind, slot]) => `${kind} ${slot}`)).toEqual([
    'interface 0x02',
    'interface 0x03',
    'controller 0x04',
    'controller 0x05',
    'controller 0x06',
    'memballoon 0x09',
    'disk 0x07',
    'rng 0x08',
  ]);
});

test("slots of the chipset's own sound and SATA stay free", () => {
  const slots = all(devices({ ...nics(22), annotations: ROOT }), /slot='(0x..)'/g);
  expect(slots).toHaveLength(26);
  expect(slots).not.toContain('0x1b');
  expect(slots).toContain('0x1c');
});

test('more devices than slots are rejected', () => {
  expect(() => devices({ ...nics(30), annotations: ROOT })).toThrow(/the root complex has no slot left; use fewer/);
});

test('keeps an address of the VM, and s390x has no PCI Express bus', () => {
  const given = nics(1);
  const placed = { ...given, annotations: ROOT };
  const own = { ...placed, devices: { interfaces: [{ name: 'n0', bridge: {}, pciAddress: '0000:00:0a.0' }] } };
  expect(all(devices(own), /slot='(0x..)'/g)).toEqual(['0x0a', '0x02', '0x03', '0x04', '0x05']);
  expect(devices({ ...placed, architecture: 's390x' })).not.toContain('slot');
});

const topology: NodeTopology = {
  cells: [0, 1].map((id) => ({ id, cpus: [0, 1].map((cpu) => ({ id: id * 2 + cpu, siblings: [id * 2 + cpu] })) })),
};
const gpus = (...cells: (number | undefined)[]): Fixture => ({
  devices: { gpus: cells.map((_, i) => ({ name: `g${i}`, deviceName: 'a/b' })) },
  facts: {
    hostDevices: cells.map((numaCell, i) => ({
      ...{ list: 'gpus', name: `g${i}`, kind: 'pci', address: `0000:8${i}:00.0`, numaCell },
    })) as NonNullable<Fixture['facts']>['hostDevices'],
  },
});
const aligned = (cells: (number | undefined)[], passthrough = true): Fixture => ({
  ...gpus(...cells),
  node: { topology },
  configuration: { developerConfiguration: { featureGates: ['PCINUMAAwareTopology'] } },
  domain: {
    cpu: { cores: 4, dedicatedCpuPlacement: true, ...(passthrough && { numa: { guestMappingPassthrough: {} } }) },
    memory: { guest: '8Mi', hugepages: { pageSize: '2Mi' } },
  },
});
const bus = (index: number, busNr: number, cell: number): string =>
  `<controller type='pci' index='${index}' model='pcie-expander-bus'><target busNr='${busNr}'><node>${cell}</node></target></controller>`;
const port = (index: number, of: number, slot: string): string =>
  `<controller type='pci' index='${index}' model='pcie-root-port'>` +
  `<address type='pci' domain='0x0000' bus='${of}' slot='${slot}' function='0x0'/></controller>`;

test('host devices are on a bus of the cell that they are near to', () => {
  const text = devices(aligned([1, 0, 1]));
  expect(text).toContain(
    bus(1, 254, 0) + port(2, 1, '0x00') + bus(3, 251, 1) + port(4, 3, '0x00') + port(5, 3, '0x01'),
  );
  expect(all(text, /bus='(\d+)' slot='0x00' function='0x0'\/><\/hostdev>/g)).toEqual(['4', '2', '5']);
});

test('without a layout of its own a guest has one cell, and libvirt places the other devices', () => {
  expect(devices(aligned([1], false))).toContain(bus(1, 254, 0) + port(2, 1, '0x00'));
  expect(devices(aligned([undefined], false))).not.toContain('expander');
});

test('fails if a guest that requested the node’s layout cannot get it', () => {
  expect(() => devices(aligned([undefined]))).toThrow(/host device 0000:80:00.0 cannot be placed beside/);
});

test.each<[string, Fixture, number]>([
  ['all ports that a small guest may use', { ...nics(1) }, 8],
  ['as many for a guest of exactly 2 GiB', { ...nics(1), domain: { memory: { guest: '2Gi' } } }, 8],
  ['more for one of a byte more', { ...nics(1), domain: { memory: { guest: '2147483649' } } }, 16],
  ['three more than it has devices', { ...nics(9) }, 16],
  ['no more than bus 0 has slots', { ...nics(40) }, 31],
  ['none on a machine without PCI Express', { ...nics(1), domain: { machine: { type: 'pc' } } }, 0],
  ['none on s390x', { ...nics(1), architecture: 's390x' }, 0],
])('root ports for hotplugged devices: %s', (_, fixture, want) => {
  const text = devices({ ...fixture, facts: { spareRootPorts: true } });
  expect(all(text, /index='(\d+)' model='pcie-root-port'/g)).toHaveLength(want);
});
