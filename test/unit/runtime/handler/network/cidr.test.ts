import { isIP } from 'node:net';

import { nth, parseCidr } from '../../../../../src/runtime/handler/network/cidr';
import fc from '../../../../support/fast-check';

test.each([
  ['10.0.2.0/24', '10.0.2.1', '10.0.2.2'],
  ['10.0.2.77/24', '10.0.2.1', '10.0.2.2'],
  ['192.168.1.128/25', '192.168.1.129', '192.168.1.130'],
  ['fd10:0:2::/120', 'fd10:0:2::1', 'fd10:0:2::2'],
  ['fd00:0:0:1:0:0:0:0/64', 'fd00:0:0:1::1', 'fd00:0:0:1::2'],
  ['2001:db8::ffff:0/112', '2001:db8::ffff:1', '2001:db8::ffff:2'],
  ['::/64', '::1', '::2'],
])('%s: gateway %s, guest %s', (cidr, gateway, guest) => {
  expect([nth(parseCidr(cidr), 1), nth(parseCidr(cidr), 2)]).toEqual([gateway, guest]);
});

test.each(['10.0.2.0', '10.0.2.0/33', '10.0.2/24', 'fd10::/129', '10.0.2.0/24/1', 'x; reboot/24', ''])(
  '"%s" is not a CIDR',
  (text) => expect(() => parseCidr(text)).toThrow('is not a CIDR'),
);

test('a network without room for a guest is rejected', () => {
  expect(() => nth(parseCidr('10.0.0.0/31'), 2)).toThrow('too small');
});

test('any IPv6 network gives addresses that the system understands as its own', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.integer({ min: 16, max: 120 }), (ip, prefix) => {
      const address = nth(parseCidr(`${ip}/${prefix}`), 1);
      expect(nth(parseCidr(`${address}/${prefix}`), 1)).toBe(address);
      expect(isIP(address)).toBe(6);
    }),
  );
});
