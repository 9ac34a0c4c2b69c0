import type { IncomingHttpHeaders } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { authenticate, distinctHeaders, mayCallWebhooks, peerOf } from '../../../../src/runtime/api-server/authn';

const proxy = { authorized: true, commonName: 'front-proxy-client' };
const headers = distinctHeaders([
  'X-Remote-User',
  'jane',
  'X-Remote-Group',
  'a, b',
  'x-remote-group',
  'system:authenticated',
  'X-Remote-Extra-Acme.com%2fProject',
  'one',
]);

test('the API server passes the requesting user with unchanged groups and extras', () => {
  expect(authenticate(proxy, headers, ['front-proxy-client'])).toEqual({
    username: 'jane',
    groups: ['a, b', 'system:authenticated'],
    extra: { 'acme.com/project': ['one'] },
  });
});

test('a user may have no groups and extras', () => {
  expect(authenticate(proxy, { 'x-remote-user': 'jane' }, ['front-proxy-client'])).toStrictEqual({
    username: 'jane',
    uid: undefined,
    groups: [],
    extra: {},
  });
});

test.each([
  ['a certificate of another authority', { ...proxy, authorized: false }, headers],
  ['another name of the same authority', { authorized: true, commonName: 'virt-handler' }, headers],
  ['no certificate', { authorized: false }, headers],
  ['no user', proxy, {}],
])('%s is not believed', (_, peer, given) => {
  expect(authenticate(peer, given, ['front-proxy-client'])).toBeUndefined();
});

test.each([
  ['no certificate', { authorized: false }],
  ['an unauthorized name', { ...proxy, authorized: false }],
  ['no name', { authorized: true }],
])('%s is rejected, with any allowed names', (_, peer) => {
  expect(authenticate(peer, headers, ['front-proxy-client', undefined as unknown as string])).toBeUndefined();
  expect(mayCallWebhooks(peer, ['front-proxy-client', undefined as unknown as string])).toBe(false);
});

test.each<[string, IncomingHttpHeaders, object]>([
  [
    'the first of two names counts',
    { 'x-remote-user': ['jane', 'admin'] },
    { username: 'jane', groups: [], extra: {} },
  ],
  ['a single text is one value', { 'x-remote-user': 'jane' }, { username: 'jane', groups: [], extra: {} }],
  ['a uid is passed on', { 'x-remote-user': 'jane', 'x-remote-uid': ['u', 'v'] }, { uid: 'u' }],
  [
    'a key with a broken escape stays as it is',
    { 'x-remote-user': 'j', 'x-remote-extra-%zz': 'a' },
    { extra: { '%zz': ['a'] } },
  ],
  [
    'an extra has all its values',
    { 'x-remote-user': 'j', 'x-remote-extra-a': ['b', 'c'] },
    { extra: { a: ['b', 'c'] } },
  ],
  [
    'other headers are ignored',
    { 'x-remote-user': 'j', 'x-remote-groups': 'a', extra: 'x' },
    { groups: [], extra: {} },
  ],
])('%s', (_, given, want) => {
  expect(authenticate(proxy, given, ['front-proxy-client'])).toMatchObject(want);
});

test.each([
  ['an empty name', { 'x-remote-user': '' }],
  ['an empty first name', { 'x-remote-user': ['', 'admin'] }],
])('%s is not a user', (_, given) => {
  expect(authenticate(proxy, given, ['front-proxy-client'])).toBeUndefined();
});

test.each<[string, object | undefined, object]>([
  ['a certificate', { subject: { CN: 'a' } }, { authorized: true, commonName: 'a' }],
  ['a certificate with two names', { subject: { CN: ['a', 'b'] } }, { authorized: true, commonName: undefined }],
  ['a certificate without a subject', {}, { authorized: true, commonName: undefined }],
  ['no certificate', undefined, { authorized: true, commonName: undefined }],
])('the peer of a connection with %s', (_, certificate, want) => {
  const socket = { getPeerCertificate: () => certificate } as unknown as TLSSocket;
  expect(peerOf(socket, { believes: () => true })).toEqual(want);
});

test('a header without a value is left out', () => {
  expect(distinctHeaders(['A', '1', 'b'])).toEqual({ a: ['1'] });
  expect(distinctHeaders([])).toEqual({});
});

test.each([
  [undefined, { authorized: false }, true],
  [['a'], { authorized: true, commonName: 'a' }, true],
  [['a', 'b'], { authorized: true, commonName: 'b' }, true],
  [['a'], { authorized: true, commonName: 'b' }, false],
  [['a'], { authorized: false, commonName: 'a' }, false],
  [[], { authorized: true, commonName: 'a' }, false],
])('with the names %j, a caller %j is accepted: %s', (names, peer, want) => {
  expect(mayCallWebhooks(peer, names)).toBe(want);
});

test('no header name is special', () => {
  const odd = distinctHeaders(['__proto__', 'x', 'X-Remote-User', 'jane', 'X-Remote-Extra-__proto__', 'y']);
  expect(authenticate(proxy, odd, ['front-proxy-client'])?.username).toBe('jane');
});

test.each([
  ['a believed client', 'front-proxy-client', true, { authorized: true, commonName: 'front-proxy-client' }],
  [
    'a client of an authority that was replaced',
    'front-proxy-client',
    false,
    { authorized: false, commonName: 'front-proxy-client' },
  ],
  ['a client of several names', ['a', 'b'], true, { authorized: true, commonName: undefined }],
  ['a client without a certificate', undefined, false, { authorized: false, commonName: undefined }],
])('the peer is %s', (_, CN, believed, want) => {
  const socket = { getPeerCertificate: () => (CN ? { subject: { CN } } : {}) } as unknown as TLSSocket;
  expect(peerOf(socket, { believes: () => believed })).toEqual(want);
});

test('a header without a value is left out', () => {
  expect(Object.keys(distinctHeaders(['a', '1', 'b']))).toEqual(['a']);
});
