import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { until } from '../../../support/until';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'lifecycle.virt8s.io';
const CRD = `${CRDS}/things.${GROUP}`;
const MERGE = 'application/merge-patch+json';

const version = (name: string, storage = false) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});
const definition = (spec: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Cluster',
    names: { plural: 'things', kind: 'Thing' },
    versions: [version('v1', true), version('v2')],
    ...spec,
  },
});
const things = (v = 'v1') => `/apis/${GROUP}/${v}/things`;
const thing = (name: string, metadata: object = {}, v = 'v1') => ({
  apiVersion: `${GROUP}/${v}`,
  kind: 'Thing',
  metadata: { name, ...metadata },
});

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});
afterAll(() => server.close());

/** Deletes the definition and waits until it is gone. */
async function removeDefinition(): Promise<void> {
  await send('DELETE', CRD);
  await until(async () => (await send('GET', CRD)).code === 404);
}

test('scope, kind, group and plural cannot change, and a stored version cannot be removed', async () => {
  expect((await send('POST', CRDS, definition())).code).toBe(201);
  const change = (spec: object) => send('PATCH', CRD, { spec }, MERGE);
  for (const spec of [
    { scope: 'Namespaced' },
    { names: { kind: 'Other' } },
    { group: 'x.y' },
    { names: { plural: 'others' } },
  ])
    expect(await change(spec)).toMatchObject({
      code: 422,
      body: { message: expect.stringContaining('field is immutable') },
    });
  expect((await change({ versions: [version('v1'), version('v2', true)] })).body.status.storedVersions).toEqual([
    'v1',
    'v2',
  ]);
  expect(await change({ versions: [version('v2', true)] })).toMatchObject({ code: 422 });
  expect((await send('PATCH', `${CRD}/status`, { status: { storedVersions: ['v2'] } }, MERGE)).code).toBe(200);
  expect((await change({ versions: [version('v2', true)] })).code).toBe(200);
  await removeDefinition();
});

test('a definition stays until its last object is gone, and takes no new objects', async () => {
  await send('POST', CRDS, definition());
  await send('POST', things(), thing('held', { finalizers: ['example.com/hold'] }));
  await send('POST', things(), thing('free'));
  await send('DELETE', CRD);
  const terminating = await until(async () => {
    const { body } = await send('GET', CRD);
    const found = body.status.conditions.find((condition: { type: string }) => condition.type === 'Terminating');
    return found?.reason === 'InstanceDeletionInProgress' && found;
  });
  expect(terminating).toMatchObject({ status: 'True', message: 'CustomResource deletion is in progress' });
  expect(await send('POST', things(), thing('late'))).toMatchObject({
    code: 403,
    body: {
      reason: 'Forbidden',
      message: `things.${GROUP} "late" is forbidden: create not allowed while custom resource definition is terminating`,
    },
  });
  await until(async () => (await send('GET', `${things()}/free`)).code === 404);
  expect((await send('GET', CRD)).code).toBe(200);
  await send('PATCH', `${things()}/held`, { metadata: { finalizers: null } }, MERGE);
  await until(async () => (await send('GET', CRD)).code === 404);
});

test('the clean-up of a definition continues in a new server', async () => {
  await send('POST', CRDS, definition());
  await send('POST', things(), thing('held', { finalizers: ['example.com/hold'] }));
  await send('DELETE', CRD);
  await server.restart();
  send = client(server);
  await send('PATCH', `${things()}/held`, { metadata: { finalizers: null } }, MERGE);
  await until(async () => (await send('GET', CRD)).code === 404);
});

test('a version whose conversion webhook does not respond is not served with wrong content', async () => {
  const webhook = { clientConfig: { url: 'https://127.0.0.1:1' }, conversionReviewVersions: ['v1'] };
  expect((await send('POST', CRDS, definition({ conversion: { strategy: 'Webhook', webhook } }))).code).toBe(201);
  expect((await send('POST', things(), thing('a'))).code).toBe(201);
  expect((await send('GET', `${things()}/a`)).code).toBe(200);
  const refused = 'Post "https://127.0.0.1:1?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused';
  const message = (version: string) =>
    `conversion webhook for lifecycle.virt8s.io/${version}, Kind=Thing failed: ${refused}`;
  for (const path of [`${things('v2')}/a`, things('v2')])
    expect(await send('GET', path)).toMatchObject({ code: 500, body: { message: message('v1') } });
  const watched = await send('GET', `${things('v2')}?watch=true`);
  expect(watched.body).toMatchObject({ type: 'ERROR', object: { message: message('v1') } });
  const created = await send('POST', things('v2'), thing('b', {}, 'v2'));
  expect(created).toMatchObject({ code: 500, body: { message: message('v2') } });
  await removeDefinition();
});
