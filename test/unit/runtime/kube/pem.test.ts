import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAuthorities, readKeyPair } from '../../../../src/runtime/kube';
import { TestCa, writePems } from '../../../support/pki';
import type { Pair } from '../../../support/pki';

let dir: string;
let ca: TestCa;
let one: Pair;
let two: Pair;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-pem-'));
  ca = await TestCa.create('ca');
  [one, two] = await Promise.all([ca.issue([{ CN: ['one'] }]), ca.issue([{ CN: ['two'] }])]);
});
afterAll(() => rmSync(dir, { recursive: true }));

const readPair = (pair: Pair): Pair => {
  const { cert, key } = writePems(dir, pair);
  return readKeyPair(cert, key);
};
const cut = (text: string): string => text.slice(0, text.length / 2);

test('reads a certificate with its key and its chain', () => {
  expect(readPair(one)).toEqual(one);
  const chain = { ...one, cert: `${one.cert}\n${ca.pem}` };
  expect(readPair(chain)).toEqual(chain);
});

test.each<[string, () => Pair, RegExp]>([
  [
    'the key of another certificate',
    () => ({ cert: one.cert, key: two.key }),
    /cert\.pem and .*key\.pem: .* cannot be used together/,
  ],
  ['half a certificate', () => ({ ...one, cert: cut(one.cert) }), /cert\.pem: a PEM certificate is cut off/],
  ['half a chain', () => ({ ...one, cert: `${one.cert}\n${cut(ca.pem)}` }), /cert\.pem: a PEM certificate is cut off/],
  ['half a key', () => ({ ...one, key: cut(one.key) }), /cannot be used together/],
  ['no certificate', () => ({ ...one, cert: '' }), /cert\.pem: contains no PEM certificate/],
  ['no key', () => ({ ...one, key: '' }), /key\.pem: the key is empty/],
])('%s is an error that names the file', (_, pair, want) => {
  expect(() => readPair(pair())).toThrow(want);
});

test('authorities are one certificate or several', () => {
  for (const text of [ca.pem, ca.pem + ca.pem]) expect(readAuthorities(writePems(dir, { ca: text }).ca)).toBe(text);
});

test.each([
  ['an empty file', '', /ca\.pem: contains no PEM certificate/],
  ['another text', 'authority', /ca\.pem: contains no PEM certificate/],
  ['half a certificate', '-----BEGIN CERTIFICATE-----\nMIIB', /ca\.pem: a PEM certificate is cut off/],
  [
    'a certificate of nonsense',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    /ca\.pem: invalid PEM certificate: /,
  ],
])('%s contains no authority', (_, text, want) => {
  expect(() => readAuthorities(writePems(dir, { ca: text }).ca)).toThrow(want);
});
