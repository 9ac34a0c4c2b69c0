import { parsePodNic } from '../../../../../src/runtime/handler/network/phase1';
import { planMasquerade, podInterface, stableMac } from '../../../../../src/runtime/handler/network/plan';
import { vmi } from '../fixtures';

test('a MAC is the same after every restart, local, and differs between VMs', () => {
  expect(stableMac('ns', 'web', 'default')).toBe(stableMac('ns', 'web', 'default'));
  expect(stableMac('ns', 'web', 'default')).not.toBe(stableMac('ns', 'web2', 'default'));
  expect(stableMac('ns', 'web', 'default')).toMatch(/^02(:[0-9a-f]{2}){5}$/);
});

const nic = parsePodNic(
  JSON.stringify([
    { ifname: 'lo', address: '00:00:00:00:00:00', mtu: 65536, addr_info: [] },
    {
      ifname: 'eth0',
      address: '5a:00:00:00:00:01',
      mtu: 1450,
      addr_info: [
        { family: 'inet', local: '10.1.2.3', prefixlen: 24, scope: 'global' },
        { family: 'inet6', local: 'fd00::3', prefixlen: 64, scope: 'global' },
        { family: 'inet6', local: 'fe80::1', prefixlen: 64, scope: 'link' },
      ],
    },
  ]),
);

const plan = (change: (v: ReturnType<typeof vmi>) => void = () => {}) => {
  const made = vmi();
  change(made);
  return planMasquerade(made, podInterface(made)!, nic);
};

test('the Pod’s NIC is read without its link-local addresses', () => {
  expect(nic).toEqual({
    name: 'eth0',
    mac: '5a:00:00:00:00:01',
    mtu: 1450,
    addresses: [
      { family: 4, address: '10.1.2.3', prefix: 24 },
      { family: 6, address: 'fd00::3', prefix: 64 },
    ],
  });
  expect(() => parsePodNic('[]')).toThrow('no interface "eth0"');
});

test('the script is the same for the same input, and its mark changes with what it does', () => {
  expect(plan()).toEqual(plan());
  expect(plan().mark).not.toBe(plan((v) => (v.spec.domain.devices.interfaces![0].ports = [{ port: 80 }])).mark);
  expect(plan().script.trimEnd().endsWith(`alias ${plan().mark}`)).toBe(true);
});

test('ports and ranges become sets by protocol', () => {
  const { script } = plan((v) => {
    v.spec.domain.devices.interfaces![0].ports = [
      { port: 80 },
      { port: 443, protocol: 'TCP' },
      { port: 53, protocol: 'UDP' },
      { port: 80 },
    ];
  });
  expect(script).toContain('meta nfproto ipv4 tcp dport { 80, 443 } dnat ip to 10.0.2.2');
  expect(script).toContain('udp dport { 53 } dnat ip6 to fd10:0:2::2');
  expect(script).not.toMatch(/ipv4 dnat/);
});

test('a tap has several queues when the VMI wants them', () => {
  expect(plan((v) => (v.spec.domain.devices.networkInterfaceMultiqueue = true)).script).toContain(
    'group 107 multi_queue',
  );
  expect(plan().script).not.toContain('multi_queue');
});

test.each([
  ['no NIC', [], undefined],
  ['a NIC that is absent', [{ name: 'default', masquerade: {}, state: 'absent' as const }], undefined],
])('%s needs no network', (_, interfaces, want) => {
  const made = vmi();
  made.spec.domain.devices.interfaces = interfaces;
  expect(podInterface(made)).toBe(want);
});

test('addresses that are no addresses never reach the shell', () => {
  expect(() => plan((v) => (v.spec.networks![0].pod!.vmNetworkCIDR = '10.0.2.0/24\nEND\nreboot'))).toThrow(
    'is not a CIDR',
  );
  expect(() => plan((v) => (v.spec.networks![0].pod!.vmNetworkCIDR = 'fd00::/64'))).toThrow('not an IPv4 network');
});
