import { OpenApi } from '../../../../src/local/api-server/discovery/openapi';
import { KindRegistry } from '../../../../src/local/api-server/registry/registry';
import { configMap } from '../../../../src/local/api-server/kinds/config';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { once } from './hostile-clients';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});

afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(method, path, undefined, undefined, headers);
const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

test.each([
  ['GET', '/healthz', 200, undefined],
  ['POST', '/healthz', 200, undefined],
  ['GET', '/healthz/ping', 200, undefined],
  ['GET', '/healthz/nope', 404, undefined],
  ['GET', '/livez/', 404, undefined],
  ['POST', '/version', 405, 'MethodNotAllowed'],
  ['GET', '/version/', 200, undefined],
  ['POST', '/api', 405, 'MethodNotAllowed'],
  ['POST', '/apis', 200, undefined],
  ['DELETE', '/apis/apps/v1', 405, 'MethodNotAllowed'],
  ['GET', '/apis/apps/v2', 404, 'NotFound'],
  ['GET', '/apis/apps/v2/things', 404, 'NotFound'],
  ['GET', '/api/v2', 404, 'NotFound'],
  ['GET', '/apis/nope', 404, undefined],
])('%s %s is answered with %i %s', async (method, path, code, reason) => {
  const { code: got, body } = await get(path, {}, method);
  expect([got, body.reason]).toEqual([code, reason]);
});

test.each([
  ['/api', 'text/html', 406],
  ['/api', 'application/yaml', 200],
  ['/api', 'application/json;as=Table;g=meta.k8s.io;v=v1', 406],
  ['/apis', 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList', 406],
  ['/apis', `application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,application/json`, 200],
  ['/api/v1', V2, 406],
  ['/version', 'application/yaml', 406],
  ['/openapi/v2', 'text/html', 406],
  ['/openapi/v3', 'text/html', 200],
])('%s in the format %s is answered with %i', async (path, accept, code) =>
  expect((await get(path, { Accept: accept })).code).toBe(code),
);

test('excluded health checks are shown', async () => {
  const { body } = await get('/healthz?verbose&exclude=etcd&exclude=foo');
  expect(body.message).toMatch(/^\[\+\]ping ok\n\[\+\]log ok\n\[\+\]etcd excluded: ok\n/);
  expect(body.message).toContain(
    'warn: some health checks cannot be excluded: no matches for "foo"\nhealthz check passed',
  );
});

test('resources have the hash of their stored version', async () => {
  const hashes = async (path: string) =>
    (await get(path)).body.resources.map((item: { storageVersionHash?: string }) => item.storageVersionHash);
  expect(await hashes('/api/v1')).toContain('xPOwRZ+Yhw8=');
  expect(await hashes('/apis/apps/v1')).toContain('dd7pWHUlMKQ=');
  // events of both groups are stored in one form
  expect(await hashes('/apis/events.k8s.io/v1')).toEqual(['r2yiGXH7wu8=']);
});

test('aggregated discovery is cached by its ETag', async () => {
  const first = await get('/apis', { Accept: V2 });
  expect(first.headers).toMatchObject({ 'cache-control': 'public', vary: 'Accept', 'content-type': V2 });
  const pods = (await get('/api', { Accept: V2 })).body.items[0].versions[0].resources;
  expect(pods.find((item: { resource: string }) => item.resource === 'pods').responseKind).toEqual({
    group: '',
    version: '',
    kind: 'Pod',
  });
  expect((await get('/apis', { Accept: V2, 'If-None-Match': String(first.headers.etag) })).code).toBe(304);
});

test('a hash in the URL of a document makes it immutable; another hash redirects to it', async () => {
  const { body } = await get('/openapi/v3');
  const url: string = body.paths['apis/apps/v1'].serverRelativeURL;
  const current = await get(url);
  expect(current.headers).toMatchObject({ 'cache-control': 'public, immutable' });
  expect(url).toContain(String(current.headers.etag).slice(1, -1));
  const old = await get('/openapi/v3/apis/apps/v1?hash=OLD');
  expect([old.code, old.headers.location]).toEqual([301, url]);
  expect((await get(url, { 'If-None-Match': String(current.headers.etag) })).code).toBe(304);
  expect((await get('/openapi/v3/apis/nope/v1')).code).toBe(404);
});

test('large documents are compressed for clients that accept it', async () => {
  const plain = await get('/openapi/v2');
  const zipped = await once(server, server.admin, '/openapi/v2', 'GET', undefined, { 'Accept-Encoding': 'gzip' });
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(Number(zipped.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 3);
  expect(zipped.headers.etag).toBe(plain.headers.etag);
});

test('OpenAPI is rendered once until the kinds change', () => {
  const kinds = new KindRegistry();
  kinds.add(configMap);
  const openapi = new OpenApi(kinds);
  const first = openapi.v2();
  expect([openapi.v2(), openapi.rendered]).toEqual([first, 1]);
  kinds.add({ ...configMap, plural: 'others' });
  expect(openapi.v2().hash).not.toBe(first.hash);
  expect(openapi.rendered).toBe(2);
});
