import { createHash } from 'node:crypto';
import { request } from 'node:https';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { startWebhookServer, WebhookServer } from './webhook-server';
import { until } from '../../../support/until';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CRD = `${CRDS}/hosts.conversion.virt8s.io`;
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const hosts = (version: string) => `/apis/conversion.virt8s.io/${version}/namespaces/default/hosts`;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

let server: TestApiServer;
let webhook: WebhookServer;
let send: Send;

const version = (name: string, storage: boolean, properties: Json) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
  },
  subresources: { status: {} },
});
const text = { type: 'string' };
const versions = (storage: string) => [
  version('v1', storage === 'v1', { hostPort: text, note: text }),
  version('v2', storage === 'v2', { host: text, port: text, note: text }),
];

/** v1 has `hostPort`, v2 has `host` and `port`. */
function converted(object: Json, desired: string): Json {
  const { hostPort, host, port, ...spec } = object.spec ?? {};
  const labels = { ...object.metadata.labels, version: desired.split('/')[1] };
  const changed =
    desired === 'conversion.virt8s.io/v2'
      ? { host: hostPort?.split(':')[0], port: hostPort?.split(':')[1] }
      : { hostPort: `${host}:${port}` };
  return { ...object, apiVersion: desired, metadata: { ...object.metadata, labels }, spec: { ...spec, ...changed } };
}

const review = (response: Json) => ({ kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response });
const convertAll = ({ uid, objects, desiredAPIVersion }: Json, change: (object: Json) => Json = (object) => object) =>
  review({
    uid,
    result: { status: 'Success' },
    convertedObjects: objects.map((object: Json) => change(converted(object, desiredAPIVersion))),
  });

const host = (name: string, v: string, spec: Json, metadata: Json = {}) => ({
  apiVersion: `conversion.virt8s.io/${v}`,
  kind: 'Host',
  metadata: { name, ...metadata },
  spec,
});

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
  webhook = await startWebhookServer(await server.ca.issue([{ CN: ['converter'] }], ['127.0.0.1']));
  const caBundle = Buffer.from(server.ca.pem).toString('base64');
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'hosts.conversion.virt8s.io' },
    spec: {
      group: 'conversion.virt8s.io',
      scope: 'Namespaced',
      names: { plural: 'hosts', kind: 'Host' },
      versions: versions('v1'),
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: `https://127.0.0.1:${webhook.port}/convert`, caBundle },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  };
  const { code, headers } = await send('POST', CRDS, definition);
  expect([code, headers.warning]).toEqual([201, undefined]);
});

afterAll(async () => {
  webhook.close();
  await server.close();
});

beforeEach(() => {
  webhook.convert = convertAll;
  webhook.reviews.length = 0;
});

test('an object that is written in one version is read in the other', async () => {
  expect((await send('POST', hosts('v1'), host('a', 'v1', { hostPort: 'x:1' }))).code).toBe(201);
  expect(webhook.reviews).toEqual([]);
  const { code, body } = await send('GET', `${hosts('v2')}/a`);
  expect([code, body.apiVersion, body.spec]).toEqual([200, 'conversion.virt8s.io/v2', { host: 'x', port: '1' }]);
  expect(webhook.reviews.map(({ path, request: { desiredAPIVersion, objects } }) => [path, desiredAPIVersion, objects.length]))
    .toEqual([['/convert', 'conversion.virt8s.io/v2', 1]]); // prettier-ignore
  const created = await send('POST', hosts('v2'), host('b', 'v2', { host: 'y', port: '2' }));
  expect([created.code, created.body.spec]).toEqual([201, { host: 'y', port: '2' }]);
  expect((await send('GET', `${hosts('v1')}/b`)).body.spec).toEqual({ hostPort: 'y:2' });
});

test('a list is converted in one call; selectors match the converted objects', async () => {
  const { body } = await send('GET', hosts('v2'));
  expect(body.items.map((item: Json) => [item.apiVersion, item.metadata.name, item.spec.host])).toEqual([
    ['conversion.virt8s.io/v2', 'a', 'x'],
    ['conversion.virt8s.io/v2', 'b', 'y'],
  ]);
  expect(webhook.reviews.map(({ request: { objects } }) => objects.length)).toEqual([2]);
  const names = async (query: string) =>
    (await send('GET', `${hosts('v2')}?${query}`)).body.items.map((item: Json) => item.metadata.name);
  expect(await names('labelSelector=version=v2')).toEqual(['a', 'b']);
  expect(await names('labelSelector=version=v1')).toEqual([]);
  expect(await names('labelSelector=version=v2&limit=1')).toEqual(['a']);
  const table = await send('GET', hosts('v2'), undefined, undefined, {
    Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  });
  expect(table.body.rows.map((row: Json) => row.object.apiVersion)).toEqual(['meta.k8s.io/v1', 'meta.k8s.io/v1']);
});

test('updates, patches and apply work in each version and keep the metadata', async () => {
  const { body } = await send('GET', `${hosts('v2')}/a`);
  const updated = await send('PUT', `${hosts('v2')}/a`, { ...body, spec: { host: 'z', port: '9' } });
  expect([updated.code, updated.body.spec, updated.body.metadata.uid]).toEqual([
    200,
    { host: 'z', port: '9' },
    body.metadata.uid,
  ]);
  expect((await send('PATCH', `${hosts('v2')}/a`, { spec: { port: '10' } }, MERGE)).code).toBe(200);
  const old = (await send('GET', `${hosts('v1')}/a`)).body;
  expect([old.spec, old.metadata.generation]).toEqual([{ hostPort: 'z:10' }, 3]);
  const config = host('a', 'v2', { note: 'applied' });
  const applied = await send('PATCH', `${hosts('v2')}/a?fieldManager=t`, config, APPLY);
  expect([applied.code, applied.body.spec]).toEqual([200, { host: 'z', port: '10', note: 'applied' }]);
  const status = await send('PATCH', `${hosts('v2')}/a/status`, { status: {} }, MERGE);
  expect(status.code).toBe(200);
});

test('a watch converts its events', async () => {
  const events: Json[] = [];
  const watching = request(
    `${server.url}${hosts('v2')}?watch=true&labelSelector=watched`,
    { ca: server.ca.pem, ...server.admin },
    (response) =>
      response.setEncoding('utf8').on('data', (chunk: string) =>
        events.push(
          ...chunk
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line)),
        ),
      ),
  );
  watching.on('error', () => {});
  watching.end();
  const seen = () => events.map(({ type, object: { spec, metadata } }) => [type, metadata.name, spec.host]);
  const labels = { watched: '' };
  await send('POST', hosts('v1'), host('w', 'v1', { hostPort: 'one:1' }, { labels }));
  await until(async () => events.length === 1);
  await send('PATCH', `${hosts('v1')}/w`, { spec: { hostPort: 'two:2' } }, MERGE);
  await send('PATCH', `${hosts('v1')}/w`, { metadata: { labels: { watched: null } } }, MERGE);
  await send('PATCH', `${hosts('v1')}/w`, { metadata: { labels } }, MERGE);
  await send('DELETE', `${hosts('v1')}/w`);
  await until(async () => events.length >= 5);
  watching.destroy();
  expect(seen()).toEqual([
    ['ADDED', 'w', 'one'],
    ['MODIFIED', 'w', 'two'],
    ['DELETED', 'w', 'two'],
    ['ADDED', 'w', 'two'],
    ['DELETED', 'w', 'two'],
  ]);
  expect(events.map(({ object }) => object.apiVersion)).toEqual(Array(5).fill('conversion.virt8s.io/v2'));
});

const from = 'conversion webhook for conversion.virt8s.io/v1, Kind=Host';
test.each<[string, (request: Json) => object | string, string]>([
  ['is an error', ({ uid }) => review({ uid, result: { status: 'Failure', message: 'too old' } }), 'failed: too old'],
  ['has no status', ({ uid }) => review({ uid }), "failed: response.result.status was '', not 'Success'"],
  ['is absent', () => review(undefined), 'failed: no response provided'],
  ['is for another request', () => review({ uid: 'x', result: { status: 'Success' } }), 'failed: expected response.uid='],
  ['is of another kind', () => ({ ...review({}), kind: 'Other' }), 'failed: '],
  ['is not JSON', () => 'x', 'failed: '],
  ['has no objects', ({ uid }) => review({ uid, result: { status: 'Success' } }), 'returned 0 objects, expected 1'],
  ['has another version', (asked) => convertAll(asked, (o) => ({ ...o, apiVersion: 'a/v9' })), 'returned invalid object at index 0: invalid groupVersion (expected conversion.virt8s.io/v2, received a/v9)'],
  ['has another kind', (asked) => convertAll(asked, (o) => ({ ...o, kind: 'Other' })), 'returned invalid object at index 0: invalid kind (expected Host, received Other)'],
  ['has another name', (asked) => convertAll(asked, (o) => ({ ...o, metadata: { ...o.metadata, name: 'z' } })), 'returned invalid object: must have the same name: a != z'],
  ['has another UID', (asked) => convertAll(asked, (o) => ({ ...o, metadata: { ...o.metadata, uid: 'z' } })), 'returned invalid object: must have the same UID: '],
  ['has no metadata', (asked) => convertAll(asked, ({ metadata: _, ...o }) => o), 'returned invalid object: must have the same name: a != '],
  ['has a wrong label', (asked) => convertAll(asked, (o) => ({ ...o, metadata: { ...o.metadata, labels: { a: 1 } } })), 'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object'],
  ['has an invalid label', (asked) => convertAll(asked, (o) => ({ ...o, metadata: { ...o.metadata, labels: { a: '-' } } })), 'returned invalid metadata: metadata.labels: Invalid value: "-": a valid label must be'],
])('a response that %s is reported', async (_, convert, message) => {
  webhook.convert = convert;
  const { code, body } = await send('GET', `${hosts('v2')}/a`);
  expect([code, body.code, body.reason]).toEqual([500, 500, undefined]);
  expect(body.message.startsWith(`${from} ${message}`) ? '' : body.message).toBe('');
}); // prettier-ignore

test('only labels and annotations of the converted metadata are kept', async () => {
  webhook.convert = (asked) =>
    convertAll(asked, (object) => ({
      ...object,
      metadata: { name: 'a', namespace: 'default', uid: object.metadata.uid, annotations: { x: 'y' }, finalizers: ['z'] },
    })); // prettier-ignore
  const { metadata } = (await send('GET', `${hosts('v2')}/a`)).body;
  expect([metadata.annotations, metadata.labels, metadata.finalizers]).toEqual([{ x: 'y' }, undefined, undefined]);
  expect(metadata.creationTimestamp).toBeDefined();
});

test('a watch ends with an error if the conversion fails; objects in the stored version need no webhook', async () => {
  webhook.convert = () => review(undefined);
  const { body } = await send('GET', `${hosts('v2')}?watch=true`);
  expect([body.type, body.object.message]).toEqual(['ERROR', `${from} failed: no response provided`]);
  expect((await send('GET', `${hosts('v1')}/a`)).code).toBe(200);
  expect((await send('GET', hosts('v2'))).code).toBe(500);
});

test('an admission webhook sees and changes objects in the version that it registered for', async () => {
  const hooks = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
  const admit = {
    name: 'v2.test.virt8s.io',
    clientConfig: {
      url: `https://127.0.0.1:${webhook.port}/admit`,
      caBundle: Buffer.from(server.ca.pem).toString('base64'),
    },
    rules: [{ operations: ['*'], apiGroups: ['conversion.virt8s.io'], apiVersions: ['v2'], resources: ['hosts'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const metadata = { name: 'conversion' };
  const kind = 'MutatingWebhookConfiguration';
  await send('POST', hooks, { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, webhooks: [admit] });
  webhook.answer = () => ({ patch: [{ op: 'replace', path: '/spec/port', value: '8' }] });
  const { body } = await send('POST', hosts('v1'), host('seen', 'v1', { hostPort: 'x:1' }));
  expect([body.apiVersion, body.spec]).toEqual(['conversion.virt8s.io/v1', { hostPort: 'x:8' }]);
  const { request: asked } = webhook.reviews.find(({ path }) => path === '/admit')!;
  expect([asked.kind.version, asked.object.spec]).toEqual(['v2', { host: 'x', port: '1' }]);
  await send('DELETE', `${hooks}/conversion`);
});

test('a write without changes migrates an object to a new storage version', async () => {
  const hashes = async () => {
    const { body } = await send('GET', '/apis/conversion.virt8s.io/v1');
    return body.resources.map((resource: Json) => resource.storageVersionHash).filter(Boolean);
  };
  const hash = (gvk: string) => createHash('sha256').update(gvk).digest().subarray(0, 8).toString('base64');
  expect(await hashes()).toEqual([hash('conversion.virt8s.io/v1/Host')]);
  await send('PATCH', CRD, { spec: { versions: versions('v2') } }, MERGE);
  expect(await hashes()).toEqual([hash('conversion.virt8s.io/v2/Host')]);
  const before = (await send('GET', `${hosts('v1')}/a`)).body;
  await send('PATCH', `${hosts('v1')}/a`, {}, MERGE);
  webhook.reviews.length = 0;
  const after = (await send('GET', `${hosts('v2')}/a`)).body;
  expect(webhook.reviews).toEqual([]);
  expect(after.spec).toMatchObject({ host: 'z', port: '10' });
  expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
  await send('DELETE', CRD);
  await until(async () => (await send('GET', CRD)).code === 404);
});
