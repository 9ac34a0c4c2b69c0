import {
  addressesOf,
  formatAddresses,
  isAll,
  merge,
  parseNetwork,
  union,
  without,
} from '../../../../../src/local/network/policy/ranges';
import fc from '../../../../support/fast-check';

const show = (networks: string[], except: string[] = []): string[] => {
  const { ip, ip6 } = without(addressesOf(networks), addressesOf(except));
  return [...formatAddresses('ip', ip), ...formatAddresses('ip6', ip6)];
};

test.each<[string, string[], string[], string[]]>([
  ['one address', ['10.0.0.1'], [], ['10.0.0.1']],
  ['a network by any of its addresses', ['10.0.0.9/24'], [], ['10.0.0.0-10.0.0.255']],
  ['all addresses', ['0.0.0.0/0'], [], ['0.0.0.0-255.255.255.255']],
  ['a hole in the middle', ['10.0.0.0/24'], ['10.0.0.64/26'], ['10.0.0.0-10.0.0.63', '10.0.0.128-10.0.0.255']],
  ['a hole at the start', ['10.0.0.0/24'], ['10.0.0.0/25'], ['10.0.0.128-10.0.0.255']],
  ['a hole at the end', ['10.0.0.0/24'], ['10.0.0.255/32'], ['10.0.0.0-10.0.0.254']],
  ['a hole over everything', ['10.0.0.0/24'], ['10.0.0.0/8'], []],
  ['holes that overlap', ['10.0.0.0/24'], ['10.0.0.0/25', '10.0.0.64/26'], ['10.0.0.128-10.0.0.255']],
  ['networks that touch', ['10.0.0.0/25', '10.0.0.128/25'], [], ['10.0.0.0-10.0.0.255']],
  ['networks that overlap', ['10.0.0.0/24', '10.0.0.7'], [], ['10.0.0.0-10.0.0.255']],
  ['both families', ['fd00::/126', '10.0.0.1'], ['fd00::1'], ['10.0.0.1', 'fd00::', 'fd00::2-fd00::3']],
  ['an IPv6 address with an IPv4 part', ['64:ff9b::10.0.0.1'], [], ['64:ff9b::a00:1']],
])('ranges have %s', (_, networks, except, want) => expect(show(networks, except)).toEqual(want));

test.each([
  '',
  '10.0.0',
  '10.0.0.1/33',
  '10.0.0.1/-1',
  '10.0.0.1/8/8',
  '10.0.0.1/',
  'fe80::1%eth0',
  '::/129',
  '1; drop',
])('the text %j is not a network', (text) => expect(parseNetwork(text)).toBeUndefined());

test('only a complete range has all addresses', () => {
  expect(isAll('ip', addressesOf(['0.0.0.0/0']).ip)).toBe(true);
  expect(isAll('ip', union([addressesOf(['0.0.0.0/1']), addressesOf(['128.0.0.0/1'])]).ip)).toBe(true);
  expect(isAll('ip', addressesOf(['0.0.0.0/1']).ip)).toBe(false);
  expect(isAll('ip6', addressesOf(['::/0']).ip6)).toBe(true);
  expect(isAll('ip6', [])).toBe(false);
});

test('an address is in a difference exactly if it is in the first and not in the second collection', () => {
  const network = fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 24, max: 32 }))
    .map(([last, bits]) => `10.0.0.${last}/${bits}`);
  const has = (networks: readonly { from: bigint; to: bigint }[], value: bigint): boolean =>
    networks.some(({ from, to }) => from <= value && value <= to);
  fc.assert(
    fc.property(fc.array(network, { maxLength: 5 }), fc.array(network, { maxLength: 5 }), (inside, outside) => {
      const [a, b] = [addressesOf(inside), addressesOf(outside)];
      const difference = without(a, b).ip;
      expect(merge(difference)).toEqual(difference);
      const base = 10n << 24n;
      for (let value = base; value < base + 256n; value++) {
        expect(has(difference, value)).toBe(has(a.ip, value) && !has(b.ip, value));
      }
    }),
  );
});
