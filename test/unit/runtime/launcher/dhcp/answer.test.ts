import { type Lease, answerDhcp } from '../../../../../src/runtime/launcher/dhcp/answer';
import { leaseOf, parseResolvConf } from '../../../../../src/runtime/launcher/dhcp/lease';
import { type DhcpPacket, decodeDhcp, encodeDhcp, ipBytes } from '../../../../../src/runtime/launcher/dhcp/packet';
import fc from '../../../../support/fast-check';

const lease: Lease = {
  mac: '02:11:22:33:44:55',
  address: '10.0.2.2',
  prefix: 24,
  server: '10.0.2.1',
  gateway: '10.0.2.1',
  routes: [],
  nameservers: ['10.96.0.10'],
  searchDomains: ['default.svc.cluster.local', 'svc.cluster.local'],
  hostname: 'tiny',
  mtu: 1480,
  ntpServers: [],
  privateOptions: [{ option: 240, value: 'private' }],
};

function message(type: number, options: [number, Buffer][] = [], change: Partial<DhcpPacket> = {}): DhcpPacket {
  const bytes = encodeDhcp({
    op: 1,
    xid: 0x1234,
    secs: 0,
    flags: 0,
    clientIp: '0.0.0.0',
    yourIp: '0.0.0.0',
    serverIp: '0.0.0.0',
    mac: lease.mac,
    options: new Map([[53, Buffer.from([type])], ...options]),
    ...change,
  });
  return decodeDhcp(bytes)!;
}

const DISCOVER = 1;
const REQUEST = 3;
const INFORM = 8;

test('a DISCOVER gets an OFFER with everything that the guest needs, without expiry', () => {
  const offer = answerDhcp(message(DISCOVER), lease)!;
  const option = (code: number) => [...(offer.options.get(code) ?? [])];
  expect(offer).toMatchObject({ op: 2, xid: 0x1234, yourIp: '10.0.2.2', serverIp: '10.0.2.1', mac: lease.mac });
  expect(option(53)).toEqual([2]);
  expect(option(1)).toEqual([255, 255, 255, 0]);
  expect(option(3)).toEqual([10, 0, 2, 1]);
  expect(option(6)).toEqual([10, 96, 0, 10]);
  expect(option(26)).toEqual([5, 200]);
  expect(option(28)).toEqual([10, 0, 2, 255]);
  expect(option(51)).toEqual([255, 255, 255, 255]);
  expect(offer.options.get(12)!.toString()).toBe('tiny');
  expect(offer.options.get(15)!.toString()).toBe('default.svc.cluster.local');
  expect(offer.options.get(119)!.toString('latin1')).toBe(
    '\x07default\x03svc\x07cluster\x05local\0\x03svc\x07cluster\x05local\0',
  );
  expect(offer.options.get(240)!.toString()).toBe('private');
});

test('a REQUEST for the address is acknowledged, for another one refused', () => {
  expect([...answerDhcp(message(REQUEST, [[50, ipBytes('10.0.2.2')]]), lease)!.options.get(53)!]).toEqual([5]);
  const nak = answerDhcp(message(REQUEST, [[50, ipBytes('192.168.1.7')]]), lease)!;
  expect([...nak.options.get(53)!]).toEqual([6]);
  expect(nak.yourIp).toBe('0.0.0.0');
});

test('a renewal, which has no requested address, is acknowledged', () => {
  const ack = answerDhcp(message(REQUEST, [], { clientIp: '10.0.2.2' }), lease)!;
  expect([...ack.options.get(53)!]).toEqual([5]);
});

test('an INFORM gets the options without an address or a lease', () => {
  const ack = answerDhcp(message(INFORM, [], { clientIp: '10.0.2.2' }), lease)!;
  expect(ack.yourIp).toBe('0.0.0.0');
  expect(ack.options.has(51)).toBe(false);
});

test.each([
  ['another client', message(DISCOVER, [], { mac: '02:00:00:00:00:01' })],
  ['a client that took another server', message(REQUEST, [[54, ipBytes('10.0.2.9')]])],
  ['a reply', message(2, [], { op: 2 })],
  ['a release', message(7)],
])('%s gets no answer', (_, request) => {
  expect(answerDhcp(request, lease)).toBeUndefined();
});

test('further routes include the default route, as RFC 3442 requires', () => {
  const routes = [{ destination: '10.128.0.0', prefix: 9, gateway: '10.0.2.254' }];
  const offer = answerDhcp(message(DISCOVER), { ...lease, routes })!;
  expect([...offer.options.get(121)!]).toEqual([9, 10, 128, 10, 0, 2, 254, 0, 10, 0, 2, 1]);
});

test('ignores bytes that are not a DHCP message', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(() => decodeDhcp(Buffer.from(bytes))).not.toThrow();
    }),
  );
});

test('long options are split and can be read as one', () => {
  const long = Buffer.alloc(600, 7);
  expect(message(DISCOVER, [[119, long]]).options.get(119)).toEqual(long);
});

test('resolv.conf, subdomain and Pod interface make the lease', () => {
  const resolv = parseResolvConf(
    '# x\nnameserver 10.96.0.10\nnameserver fd00::10\nsearch default.svc.cluster.local cluster.local\n',
  );
  const vmi = { metadata: { name: 'vm', namespace: 'default' }, spec: { subdomain: 'web', domain: { devices: {} } } };
  const nic = { network: 'default', mac: lease.mac, guestIPv4: '10.0.2.2/24', gatewayIPv4: '10.0.2.1', mtu: 1500 };
  expect(leaseOf(vmi as never, nic, resolv)).toMatchObject({
    address: '10.0.2.2',
    prefix: 24,
    server: '10.0.2.1',
    nameservers: ['10.96.0.10'],
    searchDomains: ['web.default.svc.cluster.local', 'default.svc.cluster.local', 'cluster.local'],
    hostname: 'vm',
  });
  expect(leaseOf(vmi as never, { network: 'default', mac: lease.mac }, resolv)).toBeUndefined();
});
