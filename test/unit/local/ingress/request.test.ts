import { forwardedHeaders, hostOf, pathOf } from '../../../../src/local/ingress/request';

const arrival = { remoteAddress: '::ffff:10.0.0.9', port: 443, tls: true };
const origin = {
  'x-forwarded-for': '10.0.0.9',
  'x-forwarded-host': 'a.io',
  'x-forwarded-port': '443',
  'x-forwarded-proto': 'https',
};

test.each<[string, object, object]>([
  ['keeps headers of the request', { accept: '*/*', cookie: 'c' }, { accept: '*/*', cookie: 'c' }],
  [
    'drops an origin that the client claims',
    { 'x-forwarded-for': '1.1.1.1', 'x-real-ip': '1', forwarded: 'for=1' },
    {},
  ],
  ['drops headers of the connection', { te: 'x', 'keep-alive': '5', 'proxy-authorization': 'x', expect: '100' }, {}],
  ['drops headers that the client declares', { connection: 'close, X-A', 'x-a': '1' }, { connection: 'close' }],
  [
    'keeps headers that a client cannot declare',
    { connection: 'Host, Upgrade, Content-Length', upgrade: 'websocket', 'content-length': '1' },
    { connection: 'upgrade', upgrade: 'websocket', 'content-length': '1' },
  ],
])('a forwarded request %s', (_, headers, want) => {
  expect(forwardedHeaders({ host: 'a.io', ...headers }, arrival)).toEqual({ host: 'a.io', ...origin, ...want });
});

test.each([
  ['/', '/'],
  ['/a/b?c=/../d', '/a/b'],
  ['/a//b', '/a//b'],
  ['/...', '/...'],
  ['/a/../b', undefined],
  ['/a/..', undefined],
  ['/./a', undefined],
  ['/a/%2E%2e/b', undefined],
  ['/a%2f..%2Fb', undefined],
  ['/a/..\\b', undefined],
  ['*', undefined],
  ['http://a.io/', undefined],
  ['', undefined],
])('the path of %s is %s', (url, want) => expect(pathOf(url)).toBe(want));

test.each([
  ['a.io', 'a.io'],
  ['a.io:8080', 'a.io'],
  ['[::1]:80', '[::1]'],
  [undefined, ''],
])('the host of %s is "%s"', (header, want) => expect(hostOf(header)).toBe(want));
