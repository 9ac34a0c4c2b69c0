import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { until } from '../../../support/until';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});

afterAll(() => server.close());

const MAPS = '/api/v1/namespaces/default/configmaps';

interface Owner {
  readonly name: string;
  readonly uid: string;
}

const create = async (name: string, owners: Owner[] = [], more: object = {}): Promise<Owner> => {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    blockOwnerDeletion: true,
    ...owner,
  }));
  const metadata = { name, ...(owners.length ? { ownerReferences } : {}), ...more };
  const { code, body } = await send('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  expect(code).toBe(201);
  return { name, uid: body.metadata.uid };
};

const get = async (name: string) => {
  const { code, body } = await send('GET', `${MAPS}/${name}`);
  return code === 200 ? body : undefined;
};

const gone = (name: string) => until(async () => (await get(name)) === undefined);

test('dependents are deleted in the background, down the whole chain', async () => {
  const root = await create('b-root');
  const child = await create('b-child', [root]);
  await create('b-grandchild', [child]);
  await send('DELETE', `${MAPS}/b-root`);
  await gone('b-grandchild');
  expect(await get('b-child')).toBeUndefined();
});

test('in the foreground the owner waits for its dependents', async () => {
  const root = await create('f-root');
  await create('f-child', [root], { finalizers: ['test.io/hold'] });
  const { body } = await send('DELETE', `${MAPS}/f-root`, { propagationPolicy: 'Foreground' });
  expect(body.metadata.finalizers).toEqual(['foregroundDeletion']);
  await until(async () => (await get('f-child'))?.metadata.deletionTimestamp);
  expect(await get('f-root')).toBeDefined();
  await send('PATCH', `${MAPS}/f-child`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
  await gone('f-child');
  await gone('f-root');
});

test('orphans stay without the reference to their owner', async () => {
  const root = await create('o-root');
  await create('o-child', [root]);
  await send('DELETE', `${MAPS}/o-root`, { propagationPolicy: 'Orphan' });
  await gone('o-root');
  expect((await get('o-child')).metadata.ownerReferences).toBeUndefined();
});

test('an object with another living owner stays', async () => {
  const [one, two] = [await create('s-one'), await create('s-two')];
  await create('s-child', [one, two]);
  await send('DELETE', `${MAPS}/s-one`);
  const child = await until(async () => {
    const found = await get('s-child');
    return found?.metadata.ownerReferences.length === 1 && found;
  });
  expect(child.metadata.ownerReferences[0].uid).toBe(two.uid);
});

test('an object whose owner never existed is collected, one whose owner has an unknown kind is not', async () => {
  const ownerReferences = [{ apiVersion: 'unknown.io/v1', kind: 'Thing', name: 'x', uid: 'y' }];
  await create('a-kept', [], { ownerReferences });
  // the collector sees the second object after the first
  await create('a-lost', [{ name: 'nobody', uid: 'no-such-uid' }]);
  await gone('a-lost');
  expect(await get('a-kept')).toBeDefined();
});

test('objects orphaned while the server was down are collected at its start', async () => {
  const root = await create('r-root');
  await create('r-child', [root], { finalizers: ['test.io/hold'] });
  await send('DELETE', `${MAPS}/r-root`);
  await until(async () => (await get('r-child'))?.metadata.deletionTimestamp);
  await server.restart();
  send = client(server);
  await send('PATCH', `${MAPS}/r-child`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
  await gone('r-child');
});

test('a namespace reports which objects delay its deletion, and is deleted after them', async () => {
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'held' } });
  const metadata = { name: 'x', finalizers: ['test.io/hold'] };
  const maps = '/api/v1/namespaces/held/configmaps';
  await send('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  const { body } = await send('DELETE', '/api/v1/namespaces/held');
  expect(body.status.phase).toBe('Terminating');
  const namespace = await until(async () => {
    const found = (await send('GET', '/api/v1/namespaces/held')).body;
    return found.status.conditions && found;
  });
  const messages = namespace.status.conditions.map((condition: { message: string }) => condition.message);
  expect(messages).toContain('Some resources are remaining: configmaps. has 1 resource instances');
  expect(messages).toContain(
    'Some content in the namespace has finalizers remaining: test.io/hold in 1 resource instances',
  );
  const refused = await send('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'y' } });
  expect(refused.body).toMatchObject({
    code: 403,
    message:
      'configmaps "y" is forbidden: unable to create new content in namespace held because it is being terminated',
    details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
  });
  await send('PATCH', `${maps}/x`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
  await until(async () => (await send('GET', '/api/v1/namespaces/held')).code === 404);
});

test('the default ServiceAccount and the CA are created again', async () => {
  await send('DELETE', '/api/v1/namespaces/default/serviceaccounts/default');
  await send('DELETE', `${MAPS}/kube-root-ca.crt`);
  await until(async () => (await send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).code === 200);
  expect((await until(() => get('kube-root-ca.crt'))).data['ca.crt']).toBe(server.ca.pem);
});
