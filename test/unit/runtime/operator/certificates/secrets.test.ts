import { createAuthority } from '../../../../../src/runtime/kube/issue';
import type { KeyPair } from '../../../../../src/runtime/kube/pem';
import { factsOf } from '../../../../../src/runtime/operator/certificates/facts';
import { authoritiesIn, authoritySecret, type Secret } from '../../../../../src/runtime/operator/certificates/secrets';

const NOW = Date.UTC(2026, 0, 1);
let one: KeyPair;
let two: KeyPair;
beforeAll(async () => {
  [one, two] = (await Promise.all(
    ['one', 'two'].map((name) => createAuthority(name, { from: NOW, until: NOW + 3_600_000 })),
  )) as [KeyPair, KeyPair];
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secretOf = (data: Record<string, string | null>): Secret =>
  ({ metadata: {}, data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)) }) as Secret;
const cut = (text: string): string => text.slice(0, text.length / 2);

test('authorities are read as they were written', () => {
  const authorities = {
    current: factsOf(one)!,
    next: factsOf(two)!,
    trustedSince: NOW,
    past: [one.cert.trim(), two.cert.trim()],
  };
  const { current, next, ...rest } = authoritiesIn(secretOf(authoritySecret(authorities)));
  expect([current?.pair, next?.pair, rest]).toEqual([one, two, { trustedSince: NOW, past: authorities.past }]);
});

test('keys without a value are removed', () => {
  const data = authoritySecret({ current: factsOf(one)!, past: [] });
  expect(Object.keys(data).filter((key) => data[key] === null)).toEqual([
    'next.crt',
    'next.key',
    'next.trusted-since',
    'past.crt',
  ]);
});

describe('a damaged part counts as absent', () => {
  const pairs: [string, () => Partial<KeyPair>][] = [
    ['no certificate', () => ({ key: one.key })],
    ['no key', () => ({ cert: one.cert })],
    ['the key of another certificate', () => ({ cert: one.cert, key: two.key })],
    ['a truncated key', () => ({ cert: one.cert, key: cut(one.key) })],
    ['a truncated certificate', () => ({ cert: cut(one.cert), key: one.key })],
    ['swapped key and certificate', () => ({ cert: one.key, key: one.cert })],
    ['other text', () => ({ cert: 'text', key: 'text' })],
  ];
  test.each(pairs)('%s', (_, pair) => expect(factsOf(pair())).toBeUndefined());

  test.each(pairs)('%s in the Secret of the authorities', (_, damaged) => {
    const { cert = '', key = '' } = damaged();
    const read = authoritiesIn(
      secretOf({
        'tls.crt': base64(cert),
        'tls.key': base64(key),
        'next.crt': base64(two.cert),
        'next.key': base64(two.key),
      }),
    );
    expect(read.current).toBeUndefined();
    expect(read.next?.pair).toEqual(two);
  });

  test('but a certificate without its key stays trusted, because it has signed what is in use', () => {
    const read = authoritiesIn(secretOf({ 'tls.crt': base64(one.cert), 'tls.key': base64(two.key) }));
    expect(read).toEqual({ past: [one.cert.trim()] });
  });

  test.each([
    ['a time', 'yesterday'],
    ['an empty time', ''],
  ])('%s', (_, text) => {
    const data = { ...authoritySecret({ next: factsOf(two)!, past: [] }), 'next.trusted-since': base64(text) };
    expect(authoritiesIn(secretOf(data))).not.toHaveProperty('trustedSince');
  });

  test.each([[undefined], [secretOf({})], [{ metadata: {} } as Secret]])('the whole Secret: %j', (secret) =>
    expect(authoritiesIn(secret)).toEqual({ past: [] }),
  );
});
