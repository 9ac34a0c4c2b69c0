import { formatCheck } from '../../../../../src/local/api-server/schema/formats';

/** Texts that Kubernetes accepts, and texts that it rejects. */
const cases: Readonly<Record<string, readonly [valid: string[], invalid: string[]]>> = {
  mac: [
    ['00:00:5e:00:53:01', '00-00-5E-00-53-01', '02:00:5e:10:00:00:00:01', '0000.5e00.5301', '0200.5e10.0000.0001'],
    ['00:00:5e:00:53', '00:00-5e:00:53:01', '00:00:5e:00:53:0g', '0000.5e00', '00005e005301', ''],
  ],
  ipv4: [
    ['10.0.0.1', '010.0.0.1'],
    ['10.0.0', '::1', '10.0.0.256'],
  ],
  ipv6: [
    ['::1', '2001:db8::1'],
    ['10.0.0.1', 'fe80::1%eth0', ''],
  ],
  cidr: [
    ['10.0.0.0/8', '10.0.0.0/32', '::/128'],
    ['10.0.0.0', '10.0.0.0/33', '::/129', 'x/8'],
  ],
  uuid: [['123e4567-e89b-12d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-42661417400', '']],
  isbn10: [
    ['0-306-40615-2', '080442957X'],
    ['0306406153', '030640615'],
  ],
  isbn13: [['978-0-306-40615-7'], ['9780306406158', '978030640615']],
  creditcard: [
    ['4111 1111 1111 1111', '378282246310005'],
    ['4111111111111112', '1234567890123456'],
  ],
  hexcolor: [
    ['#fff', 'a1B2c3'],
    ['#ffff', '#ggg'],
  ],
  rgbcolor: [['rgb(0, 255, 10)'], ['rgb(256, 0, 0)', 'rgb(0,0)']],
  byte: [
    ['aGk=', 'aA==', 'aGVs'],
    ['', 'aGk', 'a===', '='],
  ],
  date: [
    ['2024-02-29', '2026-12-31'],
    ['2023-02-29', '2026-13-01', '2026-1-1'],
  ],
  'date-time': [
    ['2026-11-22T06:00:00Z', '2026-11-22t23:59:59.5+01:00'],
    ['2026-11-22', '2026-11-22T24:00:00Z', '2026-11-22T06:60:00Z', '2026-11-22T06:00:60Z'],
  ],
  duration: [
    ['1h30m', '0', '3 days', '-1.5s'],
    ['', '3', 'days'],
  ],
  email: [
    ['a@b.example', 'Ann <a@b.example>', '"a b"@c.example'],
    ['a', 'a@', '@b', 'a b@c', 'Ann a@b>'],
  ],
  hostname: [
    ['a', 'a.example', 'xn--bcher-kva.example'],
    ['', '-a', `${'x'.repeat(64)}.example`],
  ],
  uri: [
    ['http://a.example/b', '/path', 'mailto:x'],
    ['path', 'http://a b/', '/%zz', 'http://a.example:x/'],
  ],
  'k8s-short-name': [
    ['a', 'a-1', 'x'.repeat(63)],
    ['A', '-a', 'a.b', 'x'.repeat(64)],
  ],
  'k8s-long-name': [
    ['a.b', 'x'.repeat(253)],
    ['a..b', 'A.b', 'x'.repeat(254)],
  ],
};

describe.each(Object.entries(cases))('%s', (format, [valid, invalid]) => {
  const check = formatCheck(format)!;
  test.each(valid)('accepts "%s"', (text) => expect(check(text)).toBe(true));
  test.each(invalid)('rejects "%s"', (text) => expect(check(text)).toBe(false));
});

test.each([undefined, '', 'int32', 'constructor', 'made-up'])('format %s is documentation', (format) => {
  expect(formatCheck(format)).toBeUndefined();
});
