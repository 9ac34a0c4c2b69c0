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

const NS = '/api/v1/namespaces/default';
const QUOTA = `${NS}/resourcequotas/q`;
const pod = (name: string) => ({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });
const used = async () => (await send('GET', QUOTA)).body.status.used;

test('concurrent writes cannot exceed a quota, and deletions make room again', async () => {
  await send('POST', `${NS}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { pods: '3' } } });
  await until(async () => (await used())?.pods === '0');
  const names = Array.from({ length: 12 }, (_, i) => `p${i}`);
  const answers = await Promise.all(names.map((name) => send('POST', `${NS}/pods`, pod(name))));
  const rejected = answers.filter(({ code }) => code === 403);
  expect(answers.filter(({ code }) => code === 201)).toHaveLength(3);
  expect(rejected).toHaveLength(9);
  expect(rejected[0].body.message).toMatch(
    /^pods "p\d+" is forbidden: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3$/,
  );
  expect(await used()).toEqual({ pods: '3' });
  const created = answers.findIndex(({ code }) => code === 201);
  await send('DELETE', `${NS}/pods/${names[created]}?gracePeriodSeconds=0`);
  await until(async () => (await used()).pods === '2');
  expect((await send('POST', `${NS}/pods`, pod('again'))).code).toBe(201);
});

test('neither a dry run nor a rejected write counts', async () => {
  await send('DELETE', `${NS}/pods/again?gracePeriodSeconds=0`);
  await until(async () => (await used()).pods === '2');
  expect((await send('POST', `${NS}/pods?dryRun=All`, pod('dry'))).code).toBe(201);
  const [existing] = (await send('GET', `${NS}/pods`)).body.items;
  expect((await send('POST', `${NS}/pods`, pod(existing.metadata.name))).code).toBe(409);
  await until(async () => (await used()).pods === '2');
  expect((await send('POST', `${NS}/pods`, pod('last'))).code).toBe(201);
});

test('a limit range completes Pods before the quota counts them', async () => {
  const limits = [{ type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '1' } }];
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'limited' } });
  const ns = '/api/v1/namespaces/limited';
  await send('POST', `${ns}/limitranges`, { metadata: { name: 'l' }, spec: { limits } });
  await send('POST', `${ns}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { 'requests.cpu': '1500m' } } });
  await until(async () => (await send('GET', `${ns}/resourcequotas/q`)).body.status.used);
  const { body } = await send('POST', `${ns}/pods`, pod('a'));
  expect(body.spec.containers[0].resources).toEqual({ limits: { cpu: '2' }, requests: { cpu: '1' } });
  expect((await send('POST', `${ns}/pods`, pod('b'))).body).toMatchObject({
    reason: 'Forbidden',
    message:
      'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=1, limited: requests.cpu=1500m',
  });
});
