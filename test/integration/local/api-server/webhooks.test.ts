import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { startWebhookServer, Verdict, WebhookServer } from './webhook-server';
import { until } from '../../../support/until';

let server: TestApiServer;
let hooks: WebhookServer;
let send: Send;
let folder: string;

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'virt8s-audit-'));
  server = await startTestApiServer({ auditLog: join(folder, 'audit.log') });
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
  await rm(folder, { recursive: true });
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
    /^Internal error occurred: failed calling webhook "needed.test.virt8s.io": failed to call webhook: Post "https:\/\/127.0.0.1:1\/x\?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused$/,
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

test.each([
  ['authorizer.group("").resource("configmaps").check("get").allowed()', ['/asked']],
  ['!authorizer.requestResource.check("create").allowed()', []],
])('the condition %s asks for the rights of the user', async (expression, called) => {
  await install('Validating', webhook('asked', { matchConditions: [{ name: 'rights', expression }] }));
  expect((await send('POST', MAPS, map())).code).toBe(201);
  expect(hooks.reviews.map(({ path }) => path)).toEqual(called);
});

test('a change of the scale is admitted as a Scale', async () => {
  const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
  const labels = { app: 'scaled' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  await send('POST', DEPLOYMENTS, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'scaled' }, spec });
  const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'] };
  await install(
    'Mutating',
    webhook('deployment', { rules: [{ ...rule, resources: ['deployments'] }] }),
    webhook('scale', { rules: [{ ...rule, resources: ['deployments/scale'] }] }),
  );
  hooks.answer = () => ({ patch: [{ op: 'replace', path: '/spec/replicas', value: 3 }] });
  const patch = { spec: { replicas: 2 } };
  const answer = await send('PATCH', `${DEPLOYMENTS}/scaled/scale`, patch, 'application/merge-patch+json');
  expect(answer.body.spec).toEqual({ replicas: 3 });
  expect(hooks.reviews.map(({ path }) => path)).toEqual(['/scale']);
  expect(hooks.reviews[0].request).toMatchObject({
    kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    subResource: 'scale',
    object: { kind: 'Scale', spec: { replicas: 2 } },
    oldObject: { kind: 'Scale', spec: {} },
  });
  expect((await send('GET', `${DEPLOYMENTS}/scaled`)).body.spec.replicas).toBe(3);
});

test('a binding is admitted before its Pod is read', async () => {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods/binding'] };
  await install('Validating', webhook('bind', { rules: [rule] }));
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'none' },
    target: { kind: 'Node', name: 'n' },
  };
  const path = '/api/v1/namespaces/default/pods/none/binding';
  hooks.answer = ({ request }) => ({ allowed: hooks.reviews.length > 1, message: `${request.kind.kind} refused` });
  expect((await send('POST', path, binding)).body).toMatchObject({ code: 400 });
  expect((await send('POST', path, binding)).body).toMatchObject({ code: 404 });
  expect((await send('POST', '/api/v1/namespaces/default/pods/none/exec')).code).toBe(404);
});

test('conditions and selectors see the object as earlier webhooks left it', async () => {
  await install(
    'Mutating',
    webhook('first'),
    webhook('labelled', { objectSelector: { matchLabels: { added: 'yes' } } }),
    webhook('conditional', {
      matchConditions: [{ name: 'added', expression: "object.metadata.labels.added == 'yes'" }],
    }),
  );
  hooks.answer = ({ path }): Verdict =>
    path === '/first' ? { patch: [{ op: 'add', path: '/metadata/labels', value: { added: 'yes' } }] } : {};
  await send('POST', MAPS, map());
  expect(hooks.reviews.map(({ path }) => path)).toEqual(['/first', '/labelled', '/conditional']);
});

test('built-in plugins complete what a webhook added, and only webhooks with the policy are called again', async () => {
  const pods = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
  await install(
    'Mutating',
    webhook('again', { rules: pods, reinvocationPolicy: 'IfNeeded' }),
    webhook('once', { rules: pods }),
  );
  hooks.answer = ({ path, request: { object } }) =>
    path === '/once' && object.spec.containers.length === 1
      ? { patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'added', image: 'i' } }] }
      : {};
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const { body } = await send('POST', '/api/v1/namespaces/default/pods?dryRun=All', { metadata: { name: 'p' }, spec });
  expect(hooks.reviews.map(({ path }) => path)).toEqual(['/again', '/once', '/again']);
  expect(body.spec.containers[1].volumeMounts).toEqual(body.spec.containers[0].volumeMounts);
});

test('a failing condition rejects the request unless failures are ignored', async () => {
  const matchConditions = [{ name: 'fails', expression: "object.data.missing == 'x'" }];
  await install('Validating', webhook('ignored', { matchConditions, failurePolicy: 'Ignore' }));
  expect((await send('POST', MAPS, map())).code).toBe(201);
  await send('DELETE', `${ADMISSION}/validatingwebhookconfigurations`);
  await install('Validating', webhook('needed', { matchConditions }));
  expect((await send('POST', MAPS, map({ name: 'unmet' }))).body).toMatchObject({
    code: 403,
    message:
      "configmaps \"unmet\" is forbidden: expression 'object.data.missing == 'x'' resulted in error: no such key: missing",
  });
});

test('the next endpoint of a service is tried if one cannot be reached', async () => {
  const labels = { 'kubernetes.io/service-name': 'hooks' };
  await send('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'a-broken', labels },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['127.0.0.9'] }],
    ports: [{ name: 'https', port: 1 }],
  });
  await install('Validating', webhook('service'));
  expect((await send('POST', MAPS, map())).code).toBe(201);
  expect(hooks.reviews).toHaveLength(1);
  await send('DELETE', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/a-broken');
});

test('calls share a connection', async () => {
  await install('Validating', webhook('shared'));
  for (let i = 0; i < 5; i++) await send('POST', MAPS, map());
  expect(hooks.reviews).toHaveLength(5);
  expect(new Set(hooks.reviews.map(({ port }) => port)).size).toBe(1);
});

test('the audit log contains the annotations of webhooks and whether they changed the object', async () => {
  const gone = { clientConfig: { url: 'https://127.0.0.1:1/' }, failurePolicy: 'Ignore' };
  await install('Mutating', webhook('first'), webhook('lost', gone));
  await install('Validating', webhook('last'), webhook('absent', gone));
  hooks.answer = ({ path }): Verdict =>
    path === '/first'
      ? { patch: [{ op: 'add', path: '/data/b', value: '2' }], auditAnnotations: { why: 'policy 7' } }
      : { auditAnnotations: { seen: 'yes', more: 'x'.repeat(20_000) } };
  const object = map();
  await send('POST', MAPS, object);
  const line = await until(async () =>
    (await readFile(join(folder, 'audit.log'), 'utf8')).split('\n').find((text) => text.includes('policy 7')),
  );
  const { verb, resource, code, annotations } = JSON.parse(line);
  expect([verb, resource, code]).toEqual(['create', 'configmaps', 201]);
  const mutation = (name: string, mutated: boolean) =>
    JSON.stringify({ configuration: 'test', webhook: `${name}.test.virt8s.io`, mutated });
  expect(annotations).toEqual({
    'first.test.virt8s.io/why': 'policy 7',
    'mutation.webhook.admission.k8s.io/round_0_index_0': mutation('first', true),
    'failed-open.mutation.webhook.admission.k8s.io/round_0_index_1': 'lost.test.virt8s.io',
    'mutation.webhook.admission.k8s.io/round_0_index_1': mutation('lost', false),
    'last.test.virt8s.io/seen': 'yes',
    'failed-open.validating.webhook.admission.k8s.io/round_0_index_1': 'absent.test.virt8s.io',
  });
});
