import {
  isAllowedAddress,
  movedLocation,
  parseProxyName,
  proxiedPath,
} from '../../../../../src/local/api-server/subresources/proxy-target';

test.each([
  ['p', { scheme: '', name: 'p', port: '' }],
  ['p:80', { scheme: '', name: 'p', port: '80' }],
  ['p:web', { scheme: '', name: 'p', port: 'web' }],
  ['https:p:', { scheme: 'https', name: 'p', port: '' }],
  ['http:p:8080', { scheme: 'http', name: 'p', port: '8080' }],
  [':p:80', { scheme: '', name: 'p', port: '80' }],
  ['ftp:p:80', undefined],
  ['http::80', undefined],
  [':80', undefined],
  ['http:p:80:1', undefined],
])('parses the name %s of a proxied object', (text, parsed) => expect(parseProxyName(text)).toEqual(parsed));

test.each([
  ['/api/v1/nodes/n/proxy', [], ''],
  ['/api/v1/nodes/n/proxy/', [], '/'],
  ['/api/v1/nodes/n/proxy/a/b', ['a', 'b'], '/a/b'],
  ['/api/v1/nodes/n/proxy/a/b/', ['a', 'b'], '/a/b/'],
  ["/api/v1/nodes/n/proxy/a b?:@=$&+,;!*'()", ["a b?:@=$&+,;!*'()"], '/a%20b%3F:@=$&+,;%21%2A%27%28%29'],
])('%s is forwarded with its last slash and the characters that Go leaves', (path, rest, forwarded) =>
  expect(proxiedPath({ path, rest })).toBe(forwarded),
);

test.each([
  ['10.0.0.1', true],
  ['fd00::1', true],
  ['', false],
  ['name', false],
  ['0.0.0.0', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['169.253.255.255', true],
  ['223.255.255.255', true],
  ['224.0.0.1', false],
  ['239.255.255.255', false],
  ['240.0.0.1', true],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['::ffff:127.0.0.1', false],
])('a Pod with the address %s can be reached: %s', (address, allowed) =>
  expect(isAllowedAddress(address)).toBe(allowed),
);

const prefix = '/api/v1/namespaces/a/pods/p/proxy';
test.each([
  ['/login?next=/', `${prefix}/login?next=/`],
  ['http://10.0.0.1:80/login', `${prefix}/login`],
  ['https://127.0.0.1:6443/login', `https://127.0.0.1:6443${prefix}/login`],
  [`${prefix}/login`, `${prefix}/login`],
  ['login', 'login'],
  ['https://example.com/login', 'https://example.com/login'],
  ['', ''],
])('the location %s is sent to the client as %s', (location, moved) =>
  expect(movedLocation(location, prefix, { host: '10.0.0.1', port: 80 }, '127.0.0.1:6443')).toBe(moved),
);
