import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});

afterAll(() => server.close());

const LEVEL = 'pod-security.kubernetes.io';
const NS = '/api/v1/namespaces/secured';
const pod = (name: string, securityContext?: object) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', securityContext }] },
});
const label = (labels: Record<string, string>) =>
  send('PATCH', NS, { metadata: { labels } }, 'application/merge-patch+json');

test('a namespace rejects Pods above its level and warns about the others', async () => {
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'secured' } });
  expect((await send('POST', `${NS}/pods`, pod('before', { privileged: true }))).code).toBe(201);
  const { headers } = await label({ [`${LEVEL}/enforce`]: 'baseline', [`${LEVEL}/warn`]: 'restricted' });
  expect(headers.warning).toContain('before: privileged');
  expect((await send('POST', `${NS}/pods`, pod('a', { privileged: true }))).body).toMatchObject({
    code: 403,
    reason: 'Forbidden',
    message:
      'pods "a" is forbidden: violates PodSecurity "baseline:latest": privileged (container "c" must not set securityContext.privileged=true)',
  });
  const accepted = await send('POST', `${NS}/pods`, pod('b'));
  expect(accepted.code).toBe(201);
  expect(accepted.headers.warning).toContain('would violate PodSecurity \\"restricted:latest\\"');
});

test('templates only cause warnings', async () => {
  const spec = {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: pod('x').spec },
  };
  const { code, headers } = await send('POST', '/apis/apps/v1/namespaces/secured/deployments', {
    metadata: { name: 'd' },
    spec,
  });
  expect(code).toBe(201);
  expect(headers.warning).toContain('would violate PodSecurity');
});

test('only a changed image of an existing Pod is checked again', async () => {
  const change = (patch: object) => send('PATCH', `${NS}/pods/before`, patch, 'application/strategic-merge-patch+json');
  expect((await change({ metadata: { labels: { a: 'b' } } })).code).toBe(200);
  expect((await change({ spec: { containers: [{ name: 'c', image: 'other' }] } })).code).toBe(403);
});

test('labels with an unknown level are rejected', async () => {
  expect((await label({ [`${LEVEL}/enforce`]: 'strict' })).body).toMatchObject({
    code: 422,
    message:
      'Namespace "secured" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
  });
});
