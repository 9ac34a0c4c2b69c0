import * as names from '../../../../../src/local/api-server/validation/names';

type Rule = keyof typeof names & `is${string}`;
const label = (length: number): string => 'x'.repeat(length);

/** Values of which Kubernetes accepts the first list and rejects the second. */
const cases: Readonly<Record<Exclude<Rule, 'isPortNumber'>, readonly [valid: string[], invalid: string[]]>> = {
  isIpAddress: [
    ['10.9.8.7', '2001:db8::ffff'],
    ['', '10.9.8', '10.9.8.256', 'host'],
  ],
  isCidr: [
    ['10.0.0.0/8', '10.9.8.7/32', '::/0', '2001:db8::/128'],
    ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0/8', 'x/8', '10.0.0.0/-1'],
  ],
  isEndpointAddress: [
    ['10.9.8.7', '2001:db8::1'],
    ['x', '0.0.0.0', '::', '127.0.0.1', '::1', '169.254.1.1', 'fe80::1', '224.0.0.1'],
  ],
  isWildcardSubdomain: [
    ['*.a', '*.a.b'],
    ['*', '*a.b', 'a.b', '*.*.a', '*.', `*.${'x'.repeat(252)}`],
  ],
  isDns1123Label: [
    ['a', '1', 'a-b', label(63)],
    ['', 'A', '-a', 'a-', 'a.b', 'a_b', label(64)],
  ],
  isDns1123Subdomain: [
    ['a', 'a.b-c.d', label(253)],
    ['', 'a..b', '.a', 'a.', 'A.b', label(254)],
  ],
  isDns1035Label: [
    ['a', 'a1', 'a-1', label(63)],
    ['', '1a', 'a.b', 'a-', label(64)],
  ],
  isPathSegment: [
    ['', 'a', 'A b', '...'],
    ['.', '..', 'a/b', 'a%b'],
  ],
  isQualifiedName: [
    ['a', 'A_b.c-1', 'example.com/a', label(63), `example.com/${label(63)}`],
    ['', '/a', 'a/', 'a/b/c', 'Example.com/a', '-a', 'a-', label(64), 'example.com/-'],
  ],
  isLabelValue: [
    ['', 'a', 'A_b.c-1', label(63)],
    ['-a', 'a-', 'a b', label(64)],
  ],
  isConfigMapKey: [
    ['a', 'A_b.c-1', '.a', '-', 'x'.repeat(253)],
    ['', '.', '..', '..a', 'a b', 'x'.repeat(254)],
  ],
  isPortName: [
    ['a', '1a', 'http-2', 'x'.repeat(15)],
    ['', '12', 'a--b', '-a', 'a-', 'A', 'a_b', 'x'.repeat(16)],
  ],
  isEnvVarName: [
    ['a', 'A b', '1', '~'],
    ['', 'a=b', 'ä', 'a\n'],
  ],
};

describe.each(Object.entries(cases))('%s', (rule, [valid, invalid]) => {
  const check = names[rule as keyof typeof cases] as names.NameRule;
  test.each(valid)('accepts "%s"', (value) => expect(check(value)).toEqual([]));
  test.each(invalid)('rejects "%s" with the reason', (value) => {
    const wrong = check(value);
    expect(wrong.length).toBeGreaterThan(0);
    for (const text of wrong) expect(text).toMatch(/must|may not|a valid|non-empty/);
  });
});

test.each([
  [-1, false],
  [0, false],
  [1, true],
  [65535, true],
  [65536, false],
  [1.5, false],
])('port number %d is valid: %s', (port, valid) => expect(names.isPortNumber(port)).toHaveLength(valid ? 0 : 1));

test('a name may have the maximum length, and not one character more', () => {
  expect(names.isDns1123Label(label(64))).toEqual(['must be no more than 63 characters']);
  expect(names.isPortName('x'.repeat(16))).toEqual(['must be no more than 15 characters']);
  expect(names.isQualifiedName(label(64))).toEqual(['name part must be no more than 63 bytes']);
});

test.each<[string, names.ObjectNameRule, string, boolean, boolean]>([
  ['a prefix may end with a dash', names.labelName, 'web-', true, true],
  ['a name may not', names.labelName, 'web-', false, false],
  ['a prefix of one dash may not', names.labelName, '-', true, false],
  ['a prefix of a subdomain may end with a dash', names.subdomainName, 'a.b-', true, true],
  ['a Service name begins with a letter', names.dns1035Name, '1a', false, false],
  ['a path segment must not be a dot', names.pathSegmentName, '.', false, false],
  ['a prefix of a path segment may be a dot', names.pathSegmentName, '.', true, true],
  ['a prefix of a path segment holds no slash', names.pathSegmentName, 'a/', true, false],
])('%s', (_, rule, name, isPrefix, valid) => expect(rule(name, isPrefix).length === 0).toBe(valid));
