import {
  assertAllowedHost,
  ForbiddenAddress,
  isAllowed,
  isLoopbackHost,
} from '../../../../../src/runtime/importer/source/addresses';

describe('addresses of sources', () => {
  test.each([
    ['169.253.255.255', true],
    ['169.254.0.0', false],
    ['169.254.169.254', false],
    ['169.254.255.255', false],
    ['169.255.0.0', true],
    ['10.0.0.1', true],
    ['127.0.0.1', true],
    ['::ffff:169.254.169.254', false],
    ['::ffff:10.0.0.1', true],
    ['fe80::1', false],
    ['febf:ffff::1', false],
    ['fec0::1', true],
    ['fd00:ec2::254', false],
    ['fd00:ec2::253', true],
    ['fd20:ce::254', false],
    ['100.100.100.200', false],
    ['192.0.0.192', false],
    ['64:ff9b::a9fe:a9fe', false],
    ['64:ff9b::169.254.169.254', false],
    ['64:ff9b::a9fd:ffff', true],
    ['64:ff9b::a9ff:0', true],
    ['64:ff9b:1::a9fe:a9fe', false],
    ['64:ff9b:2::a9fe:a9fe', true],
    ['2002:a9fe:a9fe::1', false],
    ['2002:a9ff::1', true],
    ['::a9fe:a9fe', false],
    ['64:ff9b::6464:64c8', false],
    ['64:ff9b::6464:64c9', true],
    ['not an address', false],
  ])('%s: %s', (address, wanted) => expect(isAllowed(address)).toBe(wanted));

  test.each(['http://169.254.169.254/x', 'http://[fe80::1]/x', 'http://2852039166/x', 'http://0xa9.254.0xa9fe/x'])(
    'rejects %s',
    (url) => expect(() => assertAllowedHost(new URL(url), true)).toThrow(ForbiddenAddress),
  );

  test.each(['http://10.1.2.3/x', 'https://example.com/x', 'http://[::1]:8080/x'])('accepts %s', (url) =>
    expect(() => assertAllowedHost(new URL(url), true)).not.toThrow(),
  );

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[::127.0.0.1]/',
  ])('%s is the Pod of the importer', (url) => {
    expect(isLoopbackHost(new URL(url))).toBe(true);
    expect(() => assertAllowedHost(new URL(url), false)).toThrow(ForbiddenAddress);
  });
});
