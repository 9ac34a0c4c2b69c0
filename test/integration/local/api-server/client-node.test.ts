import {
  ApiException,
  type V1ConfigMapList,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  type V1Status,
  Watch,
} from '@kubernetes/client-node';
import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { until } from '../../../support/until';

/** Number of writes that the server remembers; it forgets older ones in steps. */
const HISTORY = 5;
const FORGOTTEN = 120;
const namespace = 'default';

let server: TestApiServer;
let config: KubeConfig;
let core: CoreV1Api;

beforeAll(async () => {
  server = await startTestApiServer({ historyLength: HISTORY });
  config = new KubeConfig();
  config.loadFromFile(server.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
});

afterAll(() => server.close());

const map = (name: string, data: Record<string, string> = {}): V1ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels: { made: 'here' } },
  data,
});
const create = (name: string): Promise<V1ConfigMap> => core.createNamespacedConfigMap({ namespace, body: map(name) });

/** Status of a rejected request. */
async function failure(request: Promise<unknown>): Promise<V1Status> {
  const error = await request.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof ApiException)) throw new Error(`no request was rejected: ${String(error)}`);
  return JSON.parse(String(error.body)) as V1Status;
}

test('typed objects are created, read, listed, replaced and deleted', async () => {
  const created = await core.createNamespacedConfigMap({ namespace, body: map('typed', { a: '1' }) });
  expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
  expect(await failure(create('typed'))).toMatchObject({ code: 409, reason: 'AlreadyExists' });
  const replaced = await core.replaceNamespacedConfigMap({
    namespace,
    name: 'typed',
    body: { ...created, data: { a: '2' } },
  });
  expect(replaced.data).toEqual({ a: '2' });
  const outdated = core.replaceNamespacedConfigMap({ namespace, name: 'typed', body: created });
  expect(await failure(outdated)).toMatchObject({ code: 409, reason: 'Conflict' });
  await create('typed-2');
  const labelSelector = 'made=here';
  const first = await core.listNamespacedConfigMap({ namespace, labelSelector, limit: 1 });
  const second = await core.listNamespacedConfigMap({ namespace, labelSelector, _continue: first.metadata?._continue });
  expect([...first.items, ...second.items].map(({ metadata }) => metadata?.name)).toEqual(['typed', 'typed-2']);
  await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector });
  expect(await failure(core.readNamespacedConfigMap({ namespace, name: 'typed' }))).toMatchObject({ code: 404 });
});

test.each([
  [PatchStrategy.JsonPatch, [{ op: 'add', path: '/data/b', value: '2' }]],
  [PatchStrategy.MergePatch, { data: { b: '2' } }],
  [PatchStrategy.StrategicMergePatch, { data: { b: '2' } }],
  [PatchStrategy.ServerSideApply, { apiVersion: 'v1', kind: 'ConfigMap', data: { b: '2' } }],
])('objects are patched with %s', async (type, body) => {
  await core.createNamespacedConfigMap({ namespace, body: map('patched', { a: '1' }) });
  const fieldManager = 'tests';
  const request = { namespace, name: 'patched', body, fieldManager };
  const { data } = await core.patchNamespacedConfigMap(request, setHeaderOptions('Content-Type', type));
  expect(data).toEqual({ a: '1', b: '2' });
  await core.deleteNamespacedConfigMap({ namespace, name: 'patched' });
});

test('custom resources are written and read without types', async () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cars.test.virt8s.io' },
    spec: {
      group: 'test.virt8s.io',
      scope: 'Namespaced',
      names: { plural: 'cars', singular: 'car', kind: 'Car' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { wheels: { type: 'integer' } } } },
        },
      ],
    },
  };
  const objects = KubernetesObjectApi.makeApiClient(config);
  await objects.create(crd);
  const cars = config.makeApiClient(CustomObjectsApi);
  const at = { group: 'test.virt8s.io', version: 'v1', namespace, plural: 'cars' };
  await until(async () => cars.listNamespacedCustomObject(at).catch(() => undefined));
  const car = { apiVersion: 'test.virt8s.io/v1', kind: 'Car', metadata: { name: 'mini', namespace }, wheels: 4 };
  await objects.create(car);
  expect(await cars.getNamespacedCustomObject({ ...at, name: 'mini' })).toMatchObject({ wheels: 4 });
  expect(await objects.read(car)).toMatchObject({ wheels: 4 });
});

test('an informer follows changes, a restart of the server, and forgotten versions', async () => {
  const labelSelector = 'made=here';
  const list = (): Promise<V1ConfigMapList> => core.listNamespacedConfigMap({ namespace, labelSelector });
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list, labelSelector);
  const seen: string[] = [];
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, ({ metadata }) => seen.push(`${verb} ${metadata?.name}`));
  }
  // as its documentation recommends
  let stopped = false;
  informer.on('error', () => void setTimeout(() => stopped || void informer.start(), 100));
  const stop = (): Promise<void> => {
    stopped = true;
    return informer.stop();
  };
  const becomes = (event: string): Promise<unknown> => until(async () => seen.includes(event));
  try {
    await create('before');
    await informer.start();
    await becomes('add before');
    await create('live');
    await becomes('add live');
    await core.replaceNamespacedConfigMap({ namespace, name: 'live', body: map('live', { a: '1' }) });
    await becomes('update live');

    await server.restart();
    await create('restarted');
    await becomes('add restarted');
    // resumed: nothing that it knew was added again
    expect(seen).toEqual(['add before', 'add live', 'update live', 'add restarted']);

    await stop();
    await core.deleteNamespacedConfigMap({ namespace, name: 'live' });
    for (let i = 0; i < FORGOTTEN; i++) await core.createNamespacedConfigMap({ namespace, body: unlabelled(`n${i}`) });
    stopped = false;
    await informer.start();
    await becomes('delete live');
    expect(
      informer
        .list()
        .map(({ metadata }) => metadata?.name)
        .sort(),
    ).toEqual(['before', 'restarted']);
  } finally {
    await stop();
  }
});

const unlabelled = (name: string): V1ConfigMap => ({ ...map(name), metadata: { name } });

test('a watch from a forgotten version ends with 410', async () => {
  const events: [string, V1Status][] = [];
  await new Promise<void>((done) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    void new Watch(config).watch(
      path,
      { resourceVersion: '3' },
      (type, object: V1Status) => events.push([type, object]),
      () => done(),
    );
  });
  expect(events).toMatchObject([['ERROR', { code: 410, reason: 'Expired' }]]);
});
