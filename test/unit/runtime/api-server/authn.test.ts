import type { TLSSocket } from 'node:tls';
import { authenticate, distinctHeaders, peerOf } from '../../../../src/runtime/api-server/authn';

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

test('the API server tells who asks, with groups and extras as they are', () => {
  expect(authenticate(proxy, headers, ['front-proxy-client'])).toEqual({
    username: 'jane',
    groups: ['a, b', 'system:authenticated'],
    extra: { 'acme.com/project': ['one'] },
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
