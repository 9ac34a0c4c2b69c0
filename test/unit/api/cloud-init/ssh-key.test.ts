import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { publicKeyProblem } from '../../../../src/api/cloud-init/ssh-key';

const blob = (...fields: (string | Buffer)[]): string =>
  Buffer.concat(
    fields.map((field) => {
      const bytes = Buffer.from(field);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return Buffer.concat([length, bytes]);
    }),
  ).toString('base64');

const { n } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const modulus = Buffer.concat([Buffer.alloc(1), Buffer.from(n!, 'base64url')]);
const keys: readonly (readonly [string, string])[] = [
  ['ssh-ed25519', blob('ssh-ed25519', randomBytes(32))],
  ['ssh-rsa', blob('ssh-rsa', Buffer.from([1, 0, 1]), modulus)],
  ['ecdsa-sha2-nistp256', blob('ecdsa-sha2-nistp256', 'nistp256', randomBytes(65))],
  ['ecdsa-sha2-nistp521', blob('ecdsa-sha2-nistp521', 'nistp521', randomBytes(133))],
  ['sk-ssh-ed25519@openssh.com', blob('sk-ssh-ed25519@openssh.com', randomBytes(32), 'ssh:')],
];

test.each(keys)('accepts a whole key: %s', (type, base64) => {
  expect(publicKeyProblem(`${type} ${base64} me@home`)).toBeUndefined();
  expect(publicKeyProblem(`no-pty,command="ls -l" ${type} ${base64}`)).toBeUndefined();
});

test.each(keys)('reports a key that lacks its end: %s', (type, base64) => {
  for (const cut of [4, 8, 20, base64.length - 12]) {
    expect(publicKeyProblem(`${type} ${base64.slice(0, -cut)} me`)).toBe('is a truncated public key');
  }
});

test('reports a key whose type is not that of its content', () => {
  expect(publicKeyProblem(`ssh-rsa ${keys[0][1]}`)).toBe('is a truncated public key');
});

test.each(['AAAAC3NzaC1lZDI1NTE5', 'ssh-ed25519', 'word', `${keys[0].join(' ')}\n${keys[0].join(' ')}`])(
  'reports what is not a key: %j',
  (line) => expect(publicKeyProblem(line)).toBe('is not a public key'),
);
