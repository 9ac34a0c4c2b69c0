import { ServiceAllocator } from '../../../../../src/local/api-server/kinds/service-allocator';
import type { Store } from '../../../../../src/local/api-server/store/store';

const allocator = (services: object[] = [], ...cidrs: string[]): ServiceAllocator =>
  new ServiceAllocator(
    { list: () => services.map((spec) => ({ spec })) } as unknown as Store,
    cidrs.length > 0 ? cidrs : ['10.96.0.0/24'],
  );

test.each([
  [29_999, 'provided port is not in the valid range. The range of valid ports is 30000-32767'],
  [30_000, undefined],
  [32_767, undefined],
  [32_768, 'provided port is not in the valid range. The range of valid ports is 30000-32767'],
  [30_001, 'provided port is already allocated'],
])('claiming node port %d', (port, answer) => {
  expect(allocator([{ ports: [{ nodePort: 30_001 }] }]).claimPort(port)).toBe(answer);
});

test('a claimed port or address is reserved at once', () => {
  const claims = allocator();
  expect([claims.claimPort(30_000), claims.claimPort(30_000)]).toEqual([
    undefined,
    'provided port is already allocated',
  ]);
  expect([claims.claim('10.96.0.9'), claims.claim('10.96.0.9')]).toEqual([
    undefined,
    'failed to allocate IP 10.96.0.9: provided IP is already allocated',
  ]);
});

test('every node port is allocated once, until none is left', () => {
  const ports = allocator();
  const given = Array.from({ length: 2_768 }, () => ports.port());
  expect(new Set(given).size).toBe(2_768);
  expect([Math.min(...(given as number[])), Math.max(...(given as number[]))]).toEqual([30_000, 32_767]);
  expect(ports.port()).toBeUndefined();
});

test('the only free node port is found', () => {
  const taken = Array.from({ length: 2_767 }, (_, i) => ({ nodePort: 30_001 + i }));
  expect(allocator([{ ports: taken }]).port()).toBe(30_000);
});

test('every address but the first is allocated once, the lower part last', () => {
  const addresses = allocator([], '10.96.0.0/27');
  expect(addresses.first).toBe('10.96.0.1');
  const given: string[] = [];
  for (let next = addresses.address('IPv4'); next; next = addresses.address('IPv4')) given.push(next);
  expect(new Set(given).size).toBe(given.length);
  expect(given).not.toContain('10.96.0.1');
  const last = given.map((address) => Number(address.split('.')[3]));
  expect(Math.min(...last.slice(0, 8))).toBeGreaterThan(Math.max(...last.slice(-8)));
});

test('an address outside of the ranges is rejected', () => {
  expect(allocator([], '10.96.0.0/24', 'fd00::/112').claim('10.97.0.1')).toBe(
    'failed to allocate IP 10.97.0.1: the provided network does not match the current range',
  );
  expect(allocator().address('IPv6')).toBeUndefined();
  expect(allocator([], '10.96.0.0/24', 'fd00::/112').families).toEqual(['IPv4', 'IPv6']);
});

test.each([
  ['10.96.0.0/24', '10.96.0.1'],
  ['10.96.255.255/32', '10.97.0.0'],
  ['fd00::/112', 'fd00::1'],
  ['fd00:1:2:3:4:5:6:0/112', 'fd00:1:2:3:4:5:6:1'],
  ['fd00:1::ffff/128', 'fd00:1::1:0'],
])('after %s comes %s', (cidr, want) => expect(allocator([], cidr).first).toBe(want));

test('addresses of both families are allocated, except those that Services have', () => {
  const taken = Array.from({ length: 251 }, (_, i) => `fd00::${(i + 3).toString(16)}`);
  const addresses = allocator([{ clusterIPs: taken }], '10.96.0.0/24', 'fd00::/120');
  expect([addresses.address('IPv6'), addresses.address('IPv6'), addresses.address('IPv6')].sort()).toEqual([
    'fd00::2',
    'fd00::fe',
    undefined,
  ]);
  expect(addresses.claim('fd00::7')).toBe('failed to allocate IP fd00::7: provided IP is already allocated');
  expect(addresses.address('IPv4')).toMatch(/^10\.96\.0\.\d+$/);
});
