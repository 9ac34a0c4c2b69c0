import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OBSERVE, parseActual } from '../../../../../src/runtime/handler/network/actual';

const recorded = readFileSync(join(__dirname, 'recorded/previous-version.txt'), 'utf8');

test('everything that phase 1 cares for is read, link-local addresses are not', () => {
  const { podNic, bridge, tap, broadcastRoute, table, sysctls } = parseActual(recorded);
  expect(podNic).toEqual({
    name: 'eth0',
    mac: expect.stringMatching(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/),
    mtu: 1500,
    addresses: [
      { family: 4, address: '10.98.8.2', prefix: 24 },
      { family: 6, address: 'fd98:8::2', prefix: 64 },
    ],
  });
  expect(bridge).toMatchObject({ kind: 'bridge', mac: '02:00:00:00:00:00', mtu: 1500, up: true, carrier: false });
  expect(bridge?.addresses.map(({ address }) => address)).toEqual(['10.0.2.1', 'fd10:0:2::1']);
  expect(tap).toMatchObject({ kind: 'tun', mtu: 1500, up: true, carrier: false, master: 'k6t-eth0' });
  expect(broadcastRoute).toBe(true);
  expect(table?.nftables.filter(({ rule }) => rule)).toHaveLength(9);
  expect(sysctls).toEqual({
    'ipv4/ip_forward': '1',
    'ipv4/conf/k6t-eth0/route_localnet': '1',
    'ipv6/conf/all/forwarding': '1',
    'ipv6/conf/k6t-eth0/accept_dad': '0',
  });
});

const eth0 = JSON.stringify([
  { ifname: 'eth0', address: '5a:00:00:00:00:01', mtu: 1450, flags: ['UP', 'LOWER_UP'], addr_info: [] },
]);

test('an unconfigured Pod has none of the parts', () => {
  const actual = parseActual([eth0, '', '', '0\n\n\n'].join('\n--\n'));
  expect(actual).toMatchObject({ podNic: { mtu: 1450 }, broadcastRoute: false });
  expect([actual.bridge, actual.tap, actual.table]).toEqual([undefined, undefined, undefined]);
  expect(Object.values(actual.sysctls)).toEqual(['0', '', '', '']);
});

test.each([
  ['another destination', { dst: '10.0.0.0/8', dev: 'k6t-eth0' }],
  ['another device', { dst: '255.255.255.255', dev: 'eth0' }],
])('a route to %s is not the one for broadcasts', (_, route) => {
  expect(parseActual([eth0, JSON.stringify([route]), '', ''].join('\n--\n')).broadcastRoute).toBe(false);
});

test('a tap that a process has open has a carrier', () => {
  const tap = { ifname: 'tap0', address: '', mtu: 1500, flags: ['BROADCAST', 'UP', 'LOWER_UP'], addr_info: [] };
  const links = JSON.stringify([...JSON.parse(eth0), tap]);
  expect(parseActual([links, '[ ]', '', ''].join('\n--\n')).tap).toMatchObject({
    up: true,
    carrier: true,
    options: {},
  });
});

test('a Pod without eth0 is rejected with a remedy', () => {
  expect(() => parseActual(['[]', '', '', ''].join('\n--\n'))).toThrow(
    'the Pod has no interface "eth0"; look at the network plugin of this node',
  );
});

test('parses the output that the script prints', () => {
  expect(OBSERVE.match(/^echo; echo --$/gm)).toHaveLength(3);
  expect(OBSERVE.match(/^cat /gm)).toHaveLength(4);
});
