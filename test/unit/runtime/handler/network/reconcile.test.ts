import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../../../src/api';
import type { ActualNetwork, Device } from '../../../../../src/runtime/handler/network/actual';
import { parseActual } from '../../../../../src/runtime/handler/network/actual';
import { planMasquerade, podInterface } from '../../../../../src/runtime/handler/network/plan';
import { replaceTable } from '../../../../../src/runtime/handler/network/nft';
import { reconcile } from '../../../../../src/runtime/handler/network/reconcile';
import { vmi } from '../fixtures';
import { listedBy } from './listed';

/** The namespace as the version before this one left it, and the mark with which it would have rebuilt everything. */
const previous = parseActual(readFileSync(join(__dirname, 'recorded/previous-version.txt'), 'utf8'));

const wantedOf = (change: (v: VirtualMachineInstance) => void = () => {}, podNic = previous.podNic) => {
  const made = vmi();
  change(made);
  return planMasquerade(made, podInterface(made)!, podNic).wanted;
};
const wanted = wantedOf();
const bridge = previous.bridge!;
const tap = previous.tap!;
const open: ActualNetwork = { ...previous, tap: { ...tap, carrier: true } };

/** Commands of ip(8), names of sysctls, and whether the table is replaced. */
function done(
  actual: ActualNetwork,
  guestMayRun = false,
  shall = wanted,
): { steps: string[]; differences: readonly string[] } {
  const { script = '', differences } = reconcile(shall, actual, guestMayRun);
  const [, batch = ''] = /ip -batch - <<'END'\n([^]*?)\nEND/.exec(script) ?? [];
  const sysctls = script.match(/^echo .*$/gm) ?? [];
  const table = script.includes("nft -f - <<'END'\ntable inet virt8s\n") ? ['nft'] : [];
  return { steps: [...batch.split('\n').filter(Boolean), ...sysctls, ...table], differences };
}

const EVERYTHING = [
  'link add name k6t-eth0 mtu 1500 address 02:00:00:00:00:00 type bridge stp_state 0 forward_delay 0 mcast_snooping 0',
  'tuntap add dev tap0 mode tap user 107 group 107',
  'link set dev tap0 mtu 1500',
  'link set dev tap0 master k6t-eth0',
  'addr add 10.0.2.1/24 dev k6t-eth0',
  'addr add fd10:0:2::1/120 dev k6t-eth0 nodad',
  'link set dev tap0 up',
  'link set dev k6t-eth0 up',
  'route replace 255.255.255.255/32 dev k6t-eth0',
  'echo 1 > /proc/sys/net/ipv4/ip_forward',
  'echo 1 > /proc/sys/net/ipv4/conf/k6t-eth0/route_localnet',
  'echo 1 > /proc/sys/net/ipv6/conf/all/forwarding',
  'echo 0 > /proc/sys/net/ipv6/conf/k6t-eth0/accept_dad',
  'nft',
];
const untouched: ActualNetwork = { podNic: previous.podNic, broadcastRoute: false, sysctls: {} };

test('an untouched Pod gets everything', () => {
  expect(done(untouched)).toEqual({ steps: EVERYTHING, differences: [] });
});

test('devices of the previous version are taken over whether a guest runs or not; only the table is replaced', () => {
  for (const actual of [previous, open]) {
    for (const guestMayRun of [false, true]) {
      expect(done(actual, guestMayRun)).toEqual({ steps: ['nft'], differences: [] });
    }
  }
});

test('changes nothing in the desired state', () => {
  const table = listedBy(replaceTable(wanted.chains));
  for (const actual of [previous, open]) {
    expect(reconcile(wanted, { ...actual, table }, true)).toEqual({ script: undefined, differences: [] });
  }
});

const bridgeIs = (change: Partial<Device>): ActualNetwork => ({ ...open, bridge: { ...bridge, ...change } });
const tapIs = (change: Partial<Device>): ActualNetwork => ({ ...open, tap: { ...open.tap!, ...change } });

describe('changes that no guest notices are made under a running guest', () => {
  test.each<[string, ActualNetwork, string[]]>([
    ['a bridge that is down', bridgeIs({ up: false }), ['link set dev k6t-eth0 up']],
    ['a tap that is down', tapIs({ up: false }), ['link set dev tap0 up']],
    ['a tap outside of its bridge', tapIs({ master: undefined }), ['link set dev tap0 master k6t-eth0']],
    ['a tap in another bridge', tapIs({ master: 'br1' }), ['link set dev tap0 master k6t-eth0']],
    ['a lost address', bridgeIs({ addresses: [bridge.addresses[1]!] }), ['addr add 10.0.2.1/24 dev k6t-eth0']],
    [
      'a bridge that waits before it forwards',
      bridgeIs({ options: { ...bridge.options, forward_delay: 1500 } }),
      ['link set dev k6t-eth0 type bridge stp_state 0 forward_delay 0 mcast_snooping 0'],
    ],
    ['a lost route', { ...open, broadcastRoute: false }, ['route replace 255.255.255.255/32 dev k6t-eth0']],
    [
      'forwarding that is off',
      { ...open, sysctls: { ...open.sysctls, 'ipv4/ip_forward': '0' } },
      ['echo 1 > /proc/sys/net/ipv4/ip_forward'],
    ],
    [
      'a missing bridge',
      { ...open, bridge: undefined, broadcastRoute: false, tap: { ...open.tap!, master: undefined } },
      EVERYTHING.filter((step) => !/tuntap|tap0 (mtu|up)|echo/.test(step)).slice(0, -1),
    ],
  ])('%s', (_, actual, steps) => expect(done(actual, true)).toEqual({ steps: [...steps, 'nft'], differences: [] }));
});

describe('changes that a guest would notice', () => {
  const cases: [string, ActualNetwork, string][] = [
    ['another MTU of the tap', tapIs({ mtu: 1400 }), 'the MTU of tap0 is 1400, wanted 1500'],
    ['another MTU of the bridge', bridgeIs({ mtu: 9000 }), 'the MTU of k6t-eth0 is 9000, wanted 1500'],
    [
      'another MAC',
      bridgeIs({ mac: '02:00:00:00:00:09' }),
      'the MAC of k6t-eth0 is 02:00:00:00:00:09, wanted 02:00:00:00:00:00',
    ],
    ['a device that is not a bridge', bridgeIs({ kind: 'dummy' }), 'the kind of k6t-eth0 is dummy, wanted bridge'],
    ['a device that is not a tap', tapIs({ kind: 'dummy' }), 'the kind of tap0 is dummy, wanted tun'],
    ['a tun', tapIs({ options: { ...tap.options, type: 'tun' } }), 'the type of tap0 is tun, wanted tap'],
    [
      'a tap of several queues',
      tapIs({ options: { ...tap.options, multi_queue: true } }),
      'multi_queue of tap0 is true, wanted false',
    ],
    ['another user', tapIs({ options: { ...tap.options, user: 0 } }), 'the user of tap0 is 0, wanted 107'],
    ['another group', tapIs({ options: { ...tap.options, group: 0 } }), 'the group of tap0 is 0, wanted 107'],
    [
      'another network',
      bridgeIs({ addresses: [{ family: 4, address: '10.9.9.1', prefix: 24 }] }),
      'the IPv4 address of k6t-eth0 is 10.9.9.1/24, wanted 10.0.2.1/24',
    ],
    [
      'another prefix',
      bridgeIs({ addresses: [{ family: 4, address: '10.0.2.1', prefix: 25 }] }),
      'the IPv4 address of k6t-eth0 is 10.0.2.1/25, wanted 10.0.2.1/24',
    ],
  ];

  test.each(cases)('%s is reported and not changed while QEMU has the tap open', (_, actual, difference) => {
    expect(done(actual)).toEqual({ steps: [], differences: [difference] });
  });

  test.each(cases)(
    '%s is left unchanged and reported while the VMI is running, in any state of the tap',
    (_, actual, difference) => {
      const closed = { ...actual, tap: { ...actual.tap!, carrier: false } };
      expect(done(closed, true)).toEqual({ steps: [], differences: [difference] });
    },
  );

  test.each(cases)('%s is created again before a guest was started', (_, actual) => {
    const closed = { ...actual, tap: { ...actual.tap!, carrier: false } };
    expect(done(closed)).toEqual({
      steps: ['link del dev tap0', 'link del dev k6t-eth0', ...EVERYTHING],
      differences: [],
    });
  });

  test('reports a tap that is missing under a running guest, since a new one would not be the one that QEMU has opened', () => {
    expect(done({ ...previous, tap: undefined }, true)).toEqual({ steps: [], differences: ['tap0 no longer exists'] });
    expect(done({ ...previous, tap: undefined }).steps).toContain('tuntap add dev tap0 mode tap user 107 group 107');
  });

  test('only devices that are there are deleted', () => {
    const odd = { ...untouched, tap: { ...tap, mtu: 1400 } };
    expect(done(odd).steps.slice(0, 2)).toEqual(['link del dev tap0', EVERYTHING[0]]);
    expect(done({ ...bridgeIs({ mtu: 9000 }), tap: undefined }).steps.slice(0, 2)).toEqual([
      'link del dev k6t-eth0',
      EVERYTHING[0],
    ]);
  });
});

test('the name of QEMU’s user is as good as its number', () => {
  const named = tapIs({ options: { ...tap.options, user: 'libvirt-qemu', group: 'libvirt-qemu' } });
  expect(done(named, true).differences).toEqual([]);
});

test('creates the tap with several queues on request', () => {
  const shall = wantedOf(({ spec: { domain } }) => {
    domain.devices.networkInterfaceMultiqueue = true;
    domain.cpu = { sockets: 2 };
  });
  expect(done(untouched, false, shall).steps).toContain('tuntap add dev tap0 mode tap user 107 group 107 multi_queue');
});

test('a Pod with one family gets nothing of the other', () => {
  const [v4, v6] = previous.podNic.addresses;
  const only = (address: typeof v4) => wantedOf(() => {}, { ...previous.podNic, addresses: [address!] });
  expect(done(untouched, false, only(v4)).steps.join('\n')).not.toMatch(/fd10|ipv6/);
  expect(done(untouched, false, only(v6)).steps.join('\n')).not.toMatch(/10\.0\.2|255\.255|ipv4/);
});
