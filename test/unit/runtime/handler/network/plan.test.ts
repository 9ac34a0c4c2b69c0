import type { PodNic } from '../../../../../src/runtime/handler/network/plan';
import {
  planMasquerade,
  podInterface,
  stableMac,
  UnsupportedNetwork,
} from '../../../../../src/runtime/handler/network/plan';
import { vmi } from '../fixtures';

test('a MAC is the same after every restart, local, and differs between VMs', () => {
  expect(stableMac('ns', 'web', 'default')).toBe(stableMac('ns', 'web', 'default'));
  expect(stableMac('ns', 'web', 'default')).not.toBe(stableMac('ns', 'web2', 'default'));
  expect(stableMac('ns', 'web', 'default')).toMatch(/^02(:[0-9a-f]{2}){5}$/);
});

const nic: PodNic = {
  name: 'eth0',
  mac: '5a:00:00:00:00:01',
  mtu: 1450,
  addresses: [
    { family: 4, address: '10.1.2.3', prefix: 24 },
    { family: 6, address: 'fd00::3', prefix: 64 },
  ],
};

const plan = (change: (v: ReturnType<typeof vmi>) => void = () => {}) => {
  const made = vmi();
  change(made);
  return planMasquerade(made, podInterface(made)!, nic);
};

const rulesOf = (made: ReturnType<typeof plan>): string[] => made.wanted.chains.flatMap(({ rules }) => rules);

test('the plan is the same for the same input', () => {
  expect(plan()).toEqual(plan());
});

test('guest and Pod answer for each other over both families, and the guest never reaches the Pod’s loopback', () => {
  const { wanted, facts } = plan();
  expect(wanted).toMatchObject({ mtu: 1450, multiqueue: false });
  expect(wanted.gateways).toEqual([
    { family: 4, address: '10.0.2.1', prefix: 24 },
    { family: 6, address: 'fd10:0:2::1', prefix: 120 },
  ]);
  expect(facts).toEqual({
    network: 'default',
    binding: 'masquerade',
    tap: 'tap0',
    bridge: 'k6t-eth0',
    mac: stableMac('ns', 'web', 'default'),
    mtu: 1450,
    guestIPv4: '10.0.2.2/24',
    gatewayIPv4: '10.0.2.1',
    dhcpServer: '10.0.2.1',
    guestIPv6: 'fd10:0:2::2/120',
    gatewayIPv6: 'fd10:0:2::1',
  });
  expect(wanted.chains.map(({ name, type, hook, priority, rules }) => [name, type, hook, priority, rules])).toEqual([
    ['guard', 'filter', 'prerouting', -300, ['iifname "k6t-eth0" ip daddr 127.0.0.0/8 drop']],
    [
      'inbound',
      'nat',
      'prerouting',
      -100,
      [
        'iifname "eth0" meta nfproto ipv4 dnat ip to 10.0.2.2',
        'iifname "eth0" icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, nd-router-advert } accept',
        'iifname "eth0" meta nfproto ipv6 dnat ip6 to fd10:0:2::2',
      ],
    ],
    [
      'local',
      'nat',
      'output',
      -100,
      ['ip daddr { 127.0.0.1, 10.1.2.3 } dnat ip to 10.0.2.2', 'ip6 daddr { fd00::3 } dnat ip6 to fd10:0:2::2'],
    ],
    [
      'outbound',
      'nat',
      'postrouting',
      100,
      [
        'oifname "k6t-eth0" ip saddr 127.0.0.1 snat ip to 10.0.2.1',
        'oifname "eth0" ip saddr 10.0.2.2 masquerade',
        'oifname "eth0" ip6 saddr fd10:0:2::2 masquerade',
      ],
    ],
  ]);
});

test('a Pod with one family gives its guest that family only', () => {
  const [v4, v6] = nic.addresses;
  const only = (address: typeof v4) => planMasquerade(vmi(), podInterface(vmi())!, { ...nic, addresses: [address!] });
  expect(only(v4).facts).not.toHaveProperty('guestIPv6');
  expect(rulesOf(only(v4)).join('\n')).not.toMatch(/ip6|icmpv6/);
  expect(only(v6).facts).not.toHaveProperty('guestIPv4');
  expect(rulesOf(only(v6)).join('\n')).not.toMatch(/\bip (daddr|saddr)|ipv4/);
});

test('ports and ranges become sets by protocol, each once', () => {
  const rules = rulesOf(
    plan((v) => {
      const nic = v.spec.domain.devices.interfaces![0]!;
      nic.ports = [{ port: 80 }, { port: 443, protocol: 'TCP' }, { port: 53, protocol: 'UDP' }, { port: 80 }];
      nic.portRanges = [
        { start: 8000, end: 8010, protocol: 'TCP' },
        { start: 60000, end: 61000, protocol: 'UDP' },
      ];
    }),
  );
  expect(rules).toContain('iifname "eth0" meta nfproto ipv4 tcp dport { 80, 443, 8000-8010 } dnat ip to 10.0.2.2');
  expect(rules).toContain('iifname "eth0" meta nfproto ipv6 udp dport { 53, 60000-61000 } dnat ip6 to fd10:0:2::2');
  expect(rules.filter((rule) => rule.includes('dnat'))).toHaveLength(8);
  expect(rules.filter((rule) => /dnat/.test(rule) && !/dport/.test(rule))).toEqual([]);
});

test('one protocol without ports is not forwarded at all', () => {
  const rules = rulesOf(plan((v) => (v.spec.domain.devices.interfaces![0]!.ports = [{ port: 80 }])));
  expect(rules.filter((rule) => rule.includes('dnat')).every((rule) => rule.includes('tcp dport { 80 }'))).toBe(true);
  expect(rules.filter((rule) => rule.includes('dnat'))).toHaveLength(4);
});

test('ranges alone restrict the forwarded ports, too', () => {
  const rules = rulesOf(
    plan((v) => (v.spec.domain.devices.interfaces![0]!.portRanges = [{ start: 1, end: 2, protocol: 'TCP' }])),
  );
  expect(rules.filter((rule) => /dnat/.test(rule) && !/tcp dport \{ 1-2 \}/.test(rule))).toEqual([]);
});

test.each([
  [1, false],
  [2, true],
])('with %d vCPUs, a tap has several queues if the VMI requests them: %p', (sockets, expected) => {
  const { wanted } = plan(({ spec: { domain } }) => {
    domain.devices.networkInterfaceMultiqueue = true;
    domain.cpu = { sockets };
  });
  expect(wanted.multiqueue).toBe(expected);
});

test('the MAC of the spec is the guest’s', () => {
  const made = plan((v) => (v.spec.domain.devices.interfaces![0]!.macAddress = '02:00:00:00:00:09'));
  expect(made.facts.mac).toBe('02:00:00:00:00:09');
});

test.each<[string, (v: ReturnType<typeof vmi>) => void, string]>([
  [
    'a Multus network',
    (v) => (v.spec.networks = [{ name: 'default', multus: { networkName: 'lan' } }]),
    'interface "default": its multus network is not supported by this version (allowed: pod); use "pod: {}"',
  ],
  [
    'an interface without a network',
    (v) => (v.spec.networks = []),
    'interface "default": its network is not supported by this version (allowed: pod); use "pod: {}"',
  ],
  [
    'the bridge binding',
    (v) => (v.spec.domain.devices.interfaces = [{ name: 'default', bridge: {} }]),
    'interface "default": binding "bridge" is not supported by this version (allowed: masquerade); use "masquerade: {}"',
  ],
  [
    'no binding',
    (v) => (v.spec.domain.devices.interfaces = [{ name: 'default' }]),
    'binding "none" is not supported by this version',
  ],
])('rejects %s with the allowed values', (_, change, message) => {
  expect(() => plan(change)).toThrow(message);
  expect(() => plan(change)).toThrow(UnsupportedNetwork);
});

test.each([
  ['no NIC', [], undefined],
  ['a NIC that is absent', [{ name: 'default', masquerade: {}, state: 'absent' as const }], undefined],
])('%s needs no network', (_, interfaces, want) => {
  const made = vmi();
  made.spec.domain.devices.interfaces = interfaces;
  expect(podInterface(made)).toBe(want);
});

test('invalid addresses never reach the shell', () => {
  expect(() => plan((v) => (v.spec.networks![0].pod!.vmNetworkCIDR = '10.0.2.0/24\nEND\nreboot'))).toThrow(
    'is not a CIDR',
  );
  expect(() => plan((v) => (v.spec.networks![0].pod!.vmNetworkCIDR = 'fd00::/64'))).toThrow('not an IPv4 network');
});
