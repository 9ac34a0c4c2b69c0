import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { objectUrl, serviceAccountOf, tokenOf } from '../../../../../src/runtime/importer/source/gcs';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const file = { client_email: 'reader@project.example', private_key: pem, private_key_id: 'key-1' };

test.each([
  ['gs://images/fedora/disk.qcow2', 'https://storage.googleapis.com/images/fedora/disk.qcow2'],
  ['gs://images/a disk?#.raw', 'https://storage.googleapis.com/images/a%20disk%3F%23.raw'],
  ['https://storage.cloud.google.com/images/disk.raw', 'https://storage.googleapis.com/images/disk.raw'],
  ['https://storage.googleapis.com/images/disk.raw', 'https://storage.googleapis.com/images/disk.raw'],
  ['http://storage.example/images/disk.raw', 'http://storage.example/images/disk.raw'],
])('the address of %s is %s', (url, address) => {
  expect(objectUrl(url)).toBe(address);
});

test('a token is signed by the key of the service account, for reading, for an hour', () => {
  const [header, claims, signature] = tokenOf(serviceAccountOf(JSON.stringify(file)), 1_800_000_000_999).split('.');
  const parsed = [header, claims].map((part) => JSON.parse(Buffer.from(part!, 'base64url').toString()) as object);
  expect(parsed).toEqual([
    { alg: 'RS256', typ: 'JWT', kid: 'key-1' },
    {
      iss: 'reader@project.example',
      sub: 'reader@project.example',
      scope: 'https://www.googleapis.com/auth/devstorage.read_only',
      iat: 1_800_000_000,
      exp: 1_800_003_600,
    },
  ]);
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify('sha256', signed, createPublicKey(pem), Buffer.from(signature!, 'base64url'))).toBe(true);
});

test.each([
  ['no JSON', 'secret text'],
  ['null', 'null'],
  ['without an account', JSON.stringify({ ...file, client_email: undefined })],
  ['without a key', JSON.stringify({ ...file, private_key: undefined })],
  ['with another key', JSON.stringify({ ...file, private_key: 'secret text' })],
])('a key file that is %s is refused without its text', (_name, text) => {
  expect(() => serviceAccountOf(text)).toThrow(/^credentials\.json in the Secret of secretRef is not the key/);
});
