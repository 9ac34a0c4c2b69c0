import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { startWebhookServer, WebhookServer } from './webhook-server';

let server: TestApiServer;
let hooks: WebhookServer;
let send: Send;

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
  hooks = await startWebhookServer(await server.ca.issue([{ CN: ['hooks'] }], ['hooks.default.svc', '127.0.0.1']));
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'hooks', namespace: 'default' },
    spec: { ports: [{ name: 'https', port: 443, targetPort: 8443 }] },
  };
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'hooks', namespace: 'default', labels: { 'kubernetes.io/service-name': 'hooks' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['127.0.0.1'] }],
    ports: [{ name: 'https', port: hooks.port }],
  };
  await send('POST', '/api/v1/namespaces/default/services', service);
  await send('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', slice);
});

afterAll(async () => {
  hooks.close();
  await server.close();
});

beforeEach(() => {
  hooks.reviews.length = 0;
  hooks.answer = () => ({});
});

afterEach(async () => {
  await send('DELETE', `${ADMISSION}/mutatingwebhookconfigurations`);
  await send('DELETE', `${ADMISSION}/validatingwebhookconfigurations`);
});

const webhook = (path: string, more: object = {}) => ({
  name: `${path}.test.virt8s.io`,
  clientConfig: {
    service: { namespace: 'default', name: 'hooks', path: `/${path}` },
    caBundle: Buffer.from(server.ca.pem).toString('base64'),
  },
  rules: [
    { operations: ['CREATE', 'UPDATE', 'DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
  ],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});

const install = async (type: 'Mutating' | 'Validating', ...webhooks: object[]) => {
  const kind = `${type}WebhookConfiguration`;
  const plural = `${kind.toLowerCase()}s`;
  const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'test' }, webhooks };
  expect((await send('POST', `${ADMISSION}/${plural}`, body)).code).toBe(201);
};

let count = 0;
const map = (metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `m${++count}`, ...metadata },
  data: { a: '1' },
});

test('a mutating webhook changes what is stored and sees the whole request', async () => {
  await install('Mutating', webhook('mutate'));
  hooks.answer = () => ({ patch: [{ op: 'add', path: '/data/b', value: '2' }], warnings: ['careful'] });
  const answer = await send('POST', MAPS, map());
  expect(answer.body.data).toEqual({ a: '1', b: '2' });
  expect(answer.headers.warning).toBe('299 - "careful"');
  expect(hooks.reviews[0].request).toMatchObject({
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    operation: 'CREATE',
    namespace: 'default',
    userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
    object: { data: { a: '1' } },
    oldObject: null,
    dryRun: false,
  });
});

test('a rejection reaches the client with its message and code', async () => {
  await install('Validating', webhook('validate'));
  hooks.answer = () => ({ allowed: false, message: 'data.a: not today', code: 422 });
  const { code, body } = await send('POST', MAPS, map());
  expect(code).toBe(422);
  expect(body.message).toBe('admission webhook "validate.test.virt8s.io" denied the request: data.a: not today');
  hooks.answer = () => ({ allowed: false });
  expect((await send('POST', MAPS, map())).body).toMatchObject({
    code: 400,
    message: 'admission webhook "validate.test.virt8s.io" denied the request without explanation',
  });
});

test('update and delete carry the old object', async () => {
  const { body } = await send('POST', MAPS, map());
  await install('Validating', webhook('validate'));
  await send('PATCH', `${MAPS}/${body.metadata.name}`, { data: { a: '2' } }, 'application/merge-patch+json');
  await send('DELETE', `${MAPS}/${body.metadata.name}`);
  const [update, remove] = hooks.reviews.map((review) => review.request);
  expect([update.operation, update.oldObject.data.a, update.object.data.a]).toEqual(['UPDATE', '1', '2']);
  expect([remove.operation, remove.oldObject.data.a, remove.object]).toEqual(['DELETE', '2', null]);
});

test('selectors, scope and match conditions decide which webhooks are called', async () => {
  await install(
    'Validating',
    webhook('labelled', { objectSelector: { matchLabels: { ask: 'yes' } } }),
    webhook('elsewhere', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } }),
    webhook('here', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } }),
    webhook('conditional', { matchConditions: [{ name: 'big', expression: 'size(object.data) > 1' }] }),
    webhook('cluster', {
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: 'Cluster' }],
    }),
  );
  await send('POST', MAPS, map());
  expect(hooks.reviews.map((review) => review.path)).toEqual(['/here']);
  hooks.reviews.length = 0;
  await send('POST', MAPS, { ...map({ labels: { ask: 'yes' } }), data: { a: '1', b: '2' } });
  expect(hooks.reviews.map((review) => review.path).sort()).toEqual(['/conditional', '/here', '/labelled']);
});

test('failurePolicy decides whether an unreachable webhook rejects the request', async () => {
  const nowhere = { url: 'https://127.0.0.1:1/x' };
  await install('Validating', webhook('ignored', { clientConfig: nowhere, failurePolicy: 'Ignore' }));
  expect((await send('POST', MAPS, map())).code).toBe(201);
  await send('DELETE', `${ADMISSION}/validatingwebhookconfigurations`);
  await install('Validating', webhook('needed', { clientConfig: nowhere }));
  const { code, body } = await send('POST', MAPS, map());
  expect(code).toBe(500);
  expect(body.message).toMatch(
    /^Internal error occurred: failed calling webhook "needed.test.virt8s.io": failed to call webhook: Post "https:\/\/127.0.0.1:1\/x\?timeout=10s": .*ECONNREFUSED/,
  );
});

test('a webhook that does not answer in time is a failed one', async () => {
  await install('Validating', webhook('slow', { timeoutSeconds: 1 }));
  hooks.answer = () => undefined;
  const { code, body } = await send('POST', MAPS, map());
  expect(code).toBe(500);
  expect(body.message).toContain('context deadline exceeded');
});

test('its certificate must be of the given CA and carry the name of the Service', async () => {
  const other = Buffer.from((await server.ca.issue([{ CN: ['x'] }])).cert).toString('base64');
  const config = webhook('mutate').clientConfig;
  await install('Validating', webhook('mutate', { clientConfig: { ...config, caBundle: other } }));
  expect((await send('POST', MAPS, map())).code).toBe(500);
  expect(hooks.reviews).toEqual([]);
});

test('a dry run calls only webhooks without side effects and stores nothing', async () => {
  await install('Validating', webhook('validate'));
  const object = map();
  expect((await send('POST', `${MAPS}?dryRun=All`, object)).code).toBe(201);
  expect(hooks.reviews[0].request.dryRun).toBe(true);
  expect((await send('GET', `${MAPS}/${object.metadata.name}`)).code).toBe(404);
});

test('a webhook that requests it is called again after a later one changed the object', async () => {
  await install('Mutating', webhook('first', { reinvocationPolicy: 'IfNeeded' }), webhook('second'));
  hooks.answer = ({ path }) => (path === '/second' ? { patch: [{ op: 'add', path: '/data/x', value: 'y' }] } : {});
  await send('POST', MAPS, map());
  expect(hooks.reviews.map((review) => review.path)).toEqual(['/first', '/second', '/first']);
});

test('a broken webhook can be deleted', async () => {
  const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
  await install('Validating', webhook('broken', { clientConfig: { url: 'https://127.0.0.1:1/' }, rules: everything }));
  expect((await send('POST', MAPS, map())).code).toBe(500);
  expect((await send('DELETE', `${ADMISSION}/validatingwebhookconfigurations/test`)).code).toBe(200);
  expect((await send('POST', MAPS, map())).code).toBe(201);
});

test('an eviction is admitted as such, not as a deletion of its Pod', async () => {
  const PODS = '/api/v1/namespaces/default/pods';
  const container = { name: 'c', image: 'i' };
  await send('POST', PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'e' },
    spec: { containers: [container] },
  });
  const rule = { apiGroups: [''], apiVersions: ['v1'] };
  await install(
    'Validating',
    webhook('delete', { rules: [{ ...rule, operations: ['DELETE'], resources: ['pods'] }] }),
    webhook('evict', { rules: [{ ...rule, operations: ['CREATE'], resources: ['pods/eviction'] }] }),
  );
  hooks.answer = ({ request }) => ({ allowed: hooks.reviews.length > 1, message: `${request.kind.kind} refused` });
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'e', namespace: 'default' } };
  const refused = await send('POST', `${PODS}/e/eviction`, eviction);
  expect(refused.body.message).toBe('admission webhook "evict.test.virt8s.io" denied the request: Eviction refused');
  expect(hooks.reviews[0].request).toMatchObject({
    kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    subResource: 'eviction',
    object: eviction,
  });
  expect((await send('POST', `${PODS}/e/eviction`, eviction)).code).toBe(201);
  expect(hooks.reviews.map(({ path }) => path)).toEqual(['/evict', '/evict']);
  expect((await send('GET', `${PODS}/e`)).code).toBe(404);
});
