import type { Interface } from '../../../../../src/api';
import { interfaces } from '../../../../../src/runtime/launcher/domain/interfaces';
import { slirpArguments } from '../../../../../src/runtime/launcher/domain/interfaces/slirp';
import { type Fixture, rendered, vmiOf } from './fixture';

const networks = [{ name: 'a', pod: {} }];
const one = (nic: Partial<Interface>, change: Fixture = {}): string =>
  rendered(interfaces, { networks, ...change, devices: { ...change.devices, interfaces: [{ name: 'a', ...nic }] } });

test.each<[string, Partial<Interface>, string]>([
  ['a NIC is on a tap', { masquerade: {} }, "<interface type='ethernet'><source/>"],
  ['its model is virtio', { bridge: {} }, "<model type='virtio-non-transitional'/>"],
  ['or another', { bridge: {}, model: 'e1000e' }, "<model type='e1000e'/>"],
  ['a MAC', { bridge: {}, macAddress: 'DE:AD:00:00:BE:AF' }, "<mac address='DE:AD:00:00:BE:AF'/>"],
  ['a link that is down', { bridge: {}, state: 'down' }, "<link state='down'/>"],
  ['an index for the guest', { bridge: {}, acpiIndex: 5 }, "<acpi index='5'/>"],
  ['a boot order', { bridge: {}, bootOrder: 2 }, "<boot order='2'/>"],
  ['without one, no option ROM', { bridge: {} }, "<rom enabled='no'/>"],
  ['a PCI address', { bridge: {}, pciAddress: '0000:82:01.1' }, "bus='0x82' slot='0x01' function='0x1'"],
])('%s', (_, nic, want) => {
  expect(one(nic)).toContain(want);
});

test.each<[string, Partial<Interface>, Fixture, string]>([
  ['an option ROM to boot from', { bridge: {}, bootOrder: 1 }, {}, '<rom'],
  ['an option ROM on s390x', { bridge: {} }, { architecture: 's390x' }, '<rom'],
  ['a link that is up', { bridge: {}, state: 'up' }, {}, '<link'],
  ['a NIC that is absent', { bridge: {}, state: 'absent' }, {}, 'interface'],
  ['a NIC that is a device', { sriov: {} }, {}, 'interface'],
  ['a NIC that a plugin brings', { binding: { name: 'own' } }, {}, 'interface'],
  ['a NIC that QEMU brings', { slirp: {} }, {}, 'interface'],
])('the domain does not contain %s', (_, nic, change, not) => {
  expect(one(nic, change)).not.toContain(not);
});

test.each(['tap', 'managedTap'] as const)("a plugin's NIC with attachment %s is on a tap", (domainAttachmentType) => {
  const configuration = { network: { binding: { own: { domainAttachmentType } } } };
  expect(one({ binding: { name: 'own' } }, { configuration })).toContain("type='ethernet'");
});

test('a NIC that is not attached has no type', () => {
  expect(one({})).toContain("<interface type=''><source/>");
});

test.each<[string, Partial<Interface>, Fixture, string]>([
  ['vhost serves a queue for each vCPU', {}, { domain: { cpu: { cores: 3 } } }, "<driver name='vhost' queues='3'/>"],
  ['at most 256', {}, { domain: { cpu: { cores: 300 } } }, "queues='256'"],
  [
    'QEMU serves them where there is no vhost',
    {},
    { facts: { hasVhostNet: false } },
    "<driver name='qemu' queues='1'/>",
  ],
  [
    'under launch security they go through the IOMMU',
    {},
    { domain: { launchSecurity: { sev: {} } } },
    "<driver name='vhost' queues='1' iommu='on'/>",
  ],
])('%s', (_, nic, change, want) => {
  expect(one({ bridge: {}, ...nic }, { ...change, devices: { networkInterfaceMultiqueue: true } })).toContain(want);
});

test('the option ROM is useless under launch security', () => {
  const xml = one({ bridge: {}, bootOrder: 1 }, { domain: { launchSecurity: { sev: {} } } });
  expect(xml).toContain("<boot order='1'/>");
  expect(xml).toContain("<rom enabled='no'/>");
});

test('uses the interfaces of phase 1 unchanged', () => {
  const facts = { interfaces: [{ name: 'a', tap: 'tap7', mac: '02:00:00:00:00:07', mtu: 1400 }] };
  const xml = one({ bridge: {} }, { facts });
  expect(xml).toContain("<target dev='tap7' managed='no'/>");
  expect(xml).toContain("<mac address='02:00:00:00:00:07'/><mtu size='1400'/>");
});

describe('passt', () => {
  const passt = (ports: Interface['ports'], annotations?: Record<string, string>): string =>
    one({ passtBinding: {}, ports }, { annotations });

  test.each<[string, Interface['ports'], string]>([
    ['every port without any', undefined, "<portForward proto='tcp'/><portForward proto='udp'/>"],
    ['TCP by default', [{ port: 80 }], "<portForward proto='tcp'><range start='80'/></portForward></interface>"],
    ['UDP', [{ port: 53, protocol: 'UDP' }], "<portForward proto='udp'><range start='53'/></portForward></interface>"],
  ])('forwards %s', (_, ports, want) => {
    expect(passt(ports)).toContain(want);
  });

  test('uses the Pod’s own NIC', () => {
    expect(passt([])).toContain("<interface type='vhostuser'><source dev='eth0'/>");
    expect(passt([])).toContain("<backend type='passt' logFile='/var/run/kubevirt/passt.log'/>");
  });

  test("leaves Istio's ports to its proxy", () => {
    expect(passt([{ port: 80 }], { 'sidecar.istio.io/inject': 'True' })).toMatch(
      /<range start='15000' exclude='yes'\/>.*<range start='15090' exclude='yes'\/><range start='80'\/>/,
    );
  });

  test('waits for the NIC', () => {
    const facts = { interfaces: [{ name: 'a', attachment: 'none' as const }] };
    expect(() => one({ passtBinding: {} }, { facts })).toThrow(/interfaces\[0\]: the Pod has no NIC for "a" yet/);
  });
});

test.each<[string, Partial<Interface>, string[]]>([
  ['has a network of its own', {}, ['-netdev', 'user,id=a,net=10.0.2.0/24', '-device', 'virtio-net-pci,netdev=a,id=a']],
  [
    'forwards ports',
    { ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }], model: 'e1000' },
    ['-netdev', 'user,id=a,net=10.0.2.0/24,hostfwd=tcp::80-:80,hostfwd=udp::53-:53', '-device', 'e1000,netdev=a,id=a'],
  ],
  ['is not there when absent', { state: 'absent' }, []],
])('a slirp NIC %s', (_, nic, want) => {
  const vmi = vmiOf({ networks, devices: { interfaces: [{ name: 'a', slirp: {}, ...nic }] } });
  expect(slirpArguments(vmi)).toEqual(want);
});

test('text of a slirp NIC cannot become options of QEMU', () => {
  const nic = { name: 'a,script=x', slirp: {}, macAddress: '02:00:00:00:00:01,bootindex=1' };
  const [, netdev, , device] = slirpArguments(vmiOf({ networks, devices: { interfaces: [nic] } }));
  expect(netdev).toBe('user,id=a,,script=x,net=10.0.2.0/24');
  expect(device).toBe('virtio-net-pci,netdev=a,,script=x,id=a,,script=x,mac=02:00:00:00:00:01,,bootindex=1');
});

test.each<[string, Fixture, RegExp]>([
  ['a NIC without network', { networks: [] }, /interfaces\[0\]: interface "a" has no network; add a network/],
  ['a NIC that phase 1 did not make', { facts: { interfaces: [] } }, /interface "a" was not prepared in the Pod/],
])('%s is rejected', (_, change, message) => {
  expect(() => one({ bridge: {} }, change)).toThrow(message);
});
