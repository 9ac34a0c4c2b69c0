import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { client, type Answer, type Send } from './client';
import { until } from '../../../support/until';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});

afterAll(() => server?.close());

const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const MERGE = 'application/merge-patch+json';

const job = (name: string, spec: object = {}): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }, ...spec },
});

describe('the deletion of a Job', () => {
  test.each([
    ['preserves its Pods, with a warning', '', ['orphan'], true],
    ['preserves its Pods on request', '?propagationPolicy=Orphan', ['orphan'], false],
    ['waits for its Pods', '?propagationPolicy=Foreground', ['foregroundDeletion'], false],
    ['is complete at once', '?propagationPolicy=Background', undefined, false],
  ])('%s', async (_, query, finalizers, warns) => {
    expect((await send('POST', JOBS, job('gone'))).code).toBe(201);
    // without a controller, the garbage collector may be faster than the next request
    const { body, headers } = await send('DELETE', `${JOBS}/gone${query}`);
    expect(body.metadata.finalizers).toEqual(finalizers);
    expect(String(headers.warning ?? '').includes('child pods are preserved by default')).toBe(warns);
    await until(async () => (await send('GET', `${JOBS}/gone`)).code === 404);
  });
});

test('an object warns only if it is valid', async () => {
  const valid = await send('POST', JOBS, job('dotted.name'));
  expect([valid.code, String(valid.headers.warning)]).toEqual([
    201,
    expect.stringContaining('a DNS label is recommended'),
  ]);
  const invalid = await send('POST', JOBS, job('other.name', { parallelism: -1 }));
  expect([invalid.code, invalid.headers.warning]).toEqual([422, undefined]);
});

test('an autoscaler of version 2 is read and changed in version 1', async () => {
  const path = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
  const resource = { name: 'memory', target: { type: 'AverageValue', averageValue: '10Mi' } };
  const created = await send('POST', path('v2'), {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec: { scaleTargetRef, maxReplicas: 3, metrics: [{ type: 'Resource', resource }] },
  });
  expect(created.body.status).toEqual({ currentMetrics: null, desiredReplicas: 0 });
  const spec = { targetCPUUtilizationPercentage: 30 };
  const patched = await send('PATCH', `${path('v1')}/h`, { spec }, MERGE);
  expect(patched.body.metadata.annotations).toEqual({
    'autoscaling.alpha.kubernetes.io/metrics':
      '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"10Mi"}}]',
  });
  const { body } = await send('GET', `${path('v2')}/h`);
  expect(body.metadata.annotations).toBeUndefined();
  expect(body.spec.metrics).toEqual([
    { type: 'Resource', resource },
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 30 } } },
  ]);
});

describe('evictions', () => {
  async function running(name: string, labels: object): Promise<void> {
    const spec = { nodeName: 'n', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] };
    await send('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await send('PATCH', `${PODS}/${name}/status`, { status }, MERGE);
  }
  const evict = (name: string, more: object = {}): Promise<Answer> =>
    send('POST', `${PODS}/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
      ...more,
    });
  const get = async (path: string) => (await send('GET', path)).body;

  test('at the same time use the budget exactly', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `many-${i}`);
    await Promise.all(names.map((name) => running(name, { app: 'many' })));
    const spec = { minAvailable: 5, selector: { matchLabels: { app: 'many' } } };
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'many' }, spec };
    await send('POST', BUDGETS, budget);
    expect((await evict('many-0')).body.details.causes[0].message).toContain('is still being processed by the server');
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 3,
      currentHealthy: 8,
      desiredHealthy: 5,
      expectedPods: 8,
    };
    await send('PATCH', `${BUDGETS}/many/status`, { status }, MERGE);
    const dry = await evict('many-0', { deleteOptions: { dryRun: ['All'] } });
    expect([dry.code, (await get(`${BUDGETS}/many`)).status.disruptionsAllowed]).toEqual([201, 3]);
    const codes = (await Promise.all(names.map((name) => evict(name)))).map(({ code }) => code);
    expect(codes.filter((code) => code === 201)).toHaveLength(3);
    expect(codes.filter((code) => code === 429)).toHaveLength(5);
    const after = (await get(`${BUDGETS}/many`)).status;
    expect([after.disruptionsAllowed, Object.keys(after.disruptedPods)]).toEqual([0, expect.any(Array)]);
    expect(Object.keys(after.disruptedPods)).toHaveLength(3);
    const evicted = await get(`${PODS}/${Object.keys(after.disruptedPods)[0]}`);
    expect(evicted.metadata.deletionTimestamp).toBeDefined();
    expect(evicted.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }),
    );
  });

  test('need the preconditions and the name of the Pod', async () => {
    await running('one', { app: 'one' });
    const wrong = await evict('one', { deleteOptions: { preconditions: { uid: 'other' } } });
    expect([wrong.code, wrong.body.reason]).toEqual([409, 'Conflict']);
    expect((await evict('one', { metadata: { name: 'two' } })).code).toBe(400);
    expect((await evict('none')).code).toBe(404);
    expect((await get(`${PODS}/one`)).metadata.deletionTimestamp).toBeUndefined();
  });
});
