import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
  const spec = { containers: [{ name: 'main', image: 'i' }] };
  await send('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { a: 'b' } }, spec });
});

afterAll(() => server.close());

const PODS = '/api/v1/namespaces/default/pods';
const STRATEGIC = 'application/strategic-merge-patch+json';
const add = (...ephemeralContainers: object[]) =>
  send('PATCH', `${PODS}/p/ephemeralcontainers`, { spec: { ephemeralContainers } }, STRATEGIC);
const causesOf = ({ body }: Awaited<ReturnType<Send>>) =>
  body.details.causes.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`);

test('a Pod gets an ephemeral container with defaults, a generation and its own field manager', async () => {
  const { code, body } = await add({ name: 'd', image: 'busybox', targetContainerName: 'main' });
  expect(code).toBe(200);
  expect(body.spec.ephemeralContainers).toEqual([
    {
      name: 'd',
      image: 'busybox',
      imagePullPolicy: 'Always',
      resources: {},
      targetContainerName: 'main',
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    },
  ]);
  expect(body.metadata.generation).toBe(2);
  expect(body.metadata.managedFields.at(-1)).toMatchObject({ subresource: 'ephemeralcontainers' });
  expect((await send('GET', `${PODS}/p/ephemeralcontainers`)).body).toEqual(body);
});

test('nothing but ephemeral containers changes through this endpoint', async () => {
  const change = { metadata: { labels: { a: 'c' } }, spec: { restartPolicy: 'Never' } };
  const { code, body } = await send('PATCH', `${PODS}/p/ephemeralcontainers`, change, STRATEGIC);
  expect([code, body.metadata.labels, body.spec.restartPolicy]).toEqual([200, { a: 'b' }, 'Always']);
});

test('ephemeral containers cannot be changed, removed or created with the Pod, nor have the name of another', async () => {
  expect(causesOf(await add({ name: 'd', image: 'other' }))).toEqual([
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "d" may not be changed\n',
  ]);
  const none = { spec: { ephemeralContainers: [] } };
  expect(causesOf(await send('PATCH', `${PODS}/p/ephemeralcontainers`, none, 'application/merge-patch+json'))).toEqual([
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "d" may not be removed\n',
  ]);
  expect(causesOf(await add({ name: 'main', image: 'i' }))).toEqual([
    'spec.ephemeralContainers[0].name: Duplicate value: "main"',
  ]);
  const spec = { containers: [{ name: 'main', image: 'i' }], ephemeralContainers: [{ name: 'd', image: 'i' }] };
  expect(causesOf(await send('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'q' }, spec }))).toEqual([
    'spec.ephemeralContainers: Forbidden: cannot be set on create',
  ]);
});

test('discovery lists the endpoint, which accepts neither POST nor DELETE', async () => {
  const { body } = await send('GET', '/api/v1');
  expect(body.resources).toContainEqual({
    name: 'pods/ephemeralcontainers',
    singularName: '',
    namespaced: true,
    kind: 'Pod',
    verbs: ['get', 'patch', 'update'],
  });
  expect((await send('POST', `${PODS}/p/ephemeralcontainers`, {})).code).toBe(405);
  expect((await send('DELETE', `${PODS}/p/ephemeralcontainers`)).code).toBe(405);
});
