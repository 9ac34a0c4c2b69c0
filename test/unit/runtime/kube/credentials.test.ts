import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeConfig } from '../../../../src/runtime/kube';
import { Credentials } from '../../../../src/runtime/kube/credentials';

let dir: string;
let inFiles: Partial<KubeConfig>;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-credentials-'));
  writeFileSync(join(dir, 'config'), '');
});
afterEach(() => rmSync(dir, { recursive: true }));

const before = { ca: 'ca', cert: 'cert', key: 'key', token: 'token' };
const after = { ca: 'ca2', cert: 'cert2', key: 'key2', token: 'token2' };

test.each<[string, Partial<KubeConfig>, object]>([
  ['all of them', {}, after],
  ['not the token that a flag has set', { token: 'mine' }, { ...after, token: 'mine' }],
  ['not the authority that a flag has set', { ca: 'mine' }, { ...after, ca: 'mine' }],
  ['not the certificate that a flag has set', { cert: 'mine', key: 'mine' }, { ...after, cert: 'mine', key: 'mine' }],
])('of the credentials in changing files, a client uses %s', (_, flags, want) => {
  inFiles = before;
  const source = { files: [join(dir, 'config')], read: () => inFiles };
  const credentials = new Credentials({ server: 'https://host', ...before, ...flags, source });
  const now = (): object => ({ ...credentials.tls(), token: credentials.token() });
  expect(now()).toEqual({ ...before, ...flags });
  inFiles = after;
  credentials.expire();
  expect(now()).toEqual(want);
});

test('without files, credentials stay unchanged', () => {
  const credentials = new Credentials({ server: 'https://host', ...before });
  credentials.expire();
  expect({ ...credentials.tls(), token: credentials.token() }).toEqual(before);
  expect(credentials.tls()).toBe(credentials.tls());
});

test('a file of a token comes before a token', () => {
  writeFileSync(join(dir, 'token'), ' secret\n');
  expect(new Credentials({ server: '', token: 'other', tokenFile: join(dir, 'token') }).token()).toBe('secret');
});

test('a token is read on demand, and an error until there is one', () => {
  const credentials = new Credentials({ server: '', tokenFile: join(dir, 'token') });
  expect(() => credentials.token()).toThrow('ENOENT');
  writeFileSync(join(dir, 'token'), '\n');
  expect(() => credentials.token()).toThrow('token: contains no token');
  writeFileSync(join(dir, 'token'), 'secret');
  expect(credentials.token()).toBe('secret');
});
