import type { KubeObject } from '../../../../src/api';
import {
  ApiError,
  EventRecorder,
  Informer,
  isAlreadyExists,
  isConflict,
  isNotFound,
  KubeClient,
  LeaderElector,
  loadKubeConfig,
  resources,
} from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';
import type { TestApiServer } from '../../../support/api-server';
import { FaultyProxy } from '../controller/faulty-proxy';

type ConfigMap = KubeObject & { data?: Record<string, string> };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let server: TestApiServer;
let client: KubeClient;
let namespace: string;
let count = 0;

beforeAll(async () => {
  server = await startTestApiServer();
  client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
}, 30_000);
afterAll(async () => {
  client.close();
  await server.close();
});
beforeEach(async () => {
  namespace = `test-${count++}`;
  await client.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});

/** The namespace has a ConfigMap that is not ours, with the CA. */
const ours = { ours: 'true' };
const labelSelector = 'ours=true';
const configMap = (name: string, data: Record<string, string> = {}, labels?: Record<string, string>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels: { ...labels, ...ours } },
  data,
});
const until = async (holds: () => boolean | Promise<boolean>, what: string): Promise<void> => {
  for (const end = Date.now() + 8000; Date.now() < end; await sleep(20)) if (await holds()) return;
  throw new Error(`not within 8 s: ${what}`);
};

describe('client', () => {
  test('creates, reads, replaces, patches in each way and deletes', async () => {
    const made = await client.create<ConfigMap>(resources.configMaps, configMap('a', { x: '1' }));
    const ref = { namespace, name: 'a' };
    await client.replace(resources.configMaps, { ...made, data: { x: '2' } });
    await client.patch(resources.configMaps, ref, { data: { y: '3' } }, 'merge');
    await client.patch(resources.configMaps, ref, [{ op: 'add', path: '/data/z', value: '4' }], 'json');
    await client.patch(resources.configMaps, ref, { data: { s: '5' } }, 'strategic');
    await client.patch(resources.configMaps, ref, { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '6' } }, 'apply', {
      fieldManager: 'me',
      force: true,
    });
    expect((await client.get<ConfigMap>(resources.configMaps, ref)).data).toEqual({
      x: '2',
      y: '3',
      z: '4',
      s: '5',
      a: '6',
    });
    await client.delete(resources.configMaps, ref);
    expect(await client.find(resources.configMaps, ref)).toBeUndefined();
  });

  test('says no with code, reason and what was asked', async () => {
    const made = await client.create<ConfigMap>(resources.configMaps, configMap('a'));
    const error = await client.get(resources.configMaps, { namespace, name: 'b' }).catch((e: unknown) => e as ApiError);
    expect(error).toMatchObject({ code: 404, reason: 'NotFound', message: expect.stringContaining('configmaps/b') });
    expect(isNotFound(error)).toBe(true);
    expect(isAlreadyExists(await client.create(resources.configMaps, configMap('a')).catch((e: unknown) => e))).toBe(
      true,
    );
    await client.replace(resources.configMaps, { ...made, data: { n: '1' } });
    expect(
      isConflict(await client.replace(resources.configMaps, { ...made, data: { n: '2' } }).catch((e: unknown) => e)),
    ).toBe(true);
    const gone = client.delete(resources.configMaps, { namespace, name: 'a' }, { preconditions: { uid: 'other' } });
    expect(isConflict(await gone.catch((e: unknown) => e))).toBe(true);
  });

  test('a dry run changes nothing', async () => {
    await client.create(resources.configMaps, configMap('dry'), { dryRun: true });
    expect(await client.find(resources.configMaps, { namespace, name: 'dry' })).toBeUndefined();
  });

  test('joins the pages of a list, selects, and gives each item its kind', async () => {
    for (let i = 0; i < 7; i++)
      await client.create(resources.configMaps, configMap(`c${i}`, {}, { odd: String(i % 2) }));
    const list = await client.list(resources.configMaps, { namespace, labelSelector, pageSize: 2 });
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6']);
    expect(list.items[6]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    const odd = await client.list(resources.configMaps, { namespace, labelSelector: 'odd=1' });
    expect(odd.items).toHaveLength(3);
  });

  test('a name or namespace that is missing never addresses a whole collection', async () => {
    expect(() => client.delete(resources.configMaps, { namespace, name: '' })).toThrow('a name is missing');
    expect(() => client.delete(resources.configMaps, { name: 'a' })).toThrow('a namespace is missing');
    expect(() => client.delete(resources.configMaps, { namespace, name: '..' })).toThrow('no object name');
  });
});

describe('informer', () => {
  const watchNames = async (proxy: FaultyProxy) => {
    const through = new KubeClient(proxy.config, { userAgent: 'test' });
    const seen: string[] = [];
    const informer = new Informer<ConfigMap>(through, resources.configMaps, {
      namespace,
      labelSelector,
      backoffMs: { first: 20, max: 100 },
      indexers: { color: ({ data }) => (data?.color ? [data.color] : []) },
    });
    informer.onChange({
      add: ({ metadata, data }) => seen.push(`+${metadata.name}${data?.n ?? ''}`),
      update: ({ metadata, data }) => seen.push(`~${metadata.name}${data?.n ?? ''}`),
      delete: ({ metadata }) => seen.push(`-${metadata.name}`),
    });
    await informer.start();
    const stop = async (): Promise<void> => {
      await informer.stop();
      through.close();
    };
    return { informer, seen, stop };
  };

  test('follows every change in order, through broken streams and a restart of the server', async () => {
    const proxy = await FaultyProxy.start(client.config);
    await client.create(resources.configMaps, configMap('a', { color: 'red' }));
    const { informer, seen, stop } = await watchNames(proxy);
    expect(seen).toEqual(['+a']);
    expect(informer.byIndex('color', 'red')).toHaveLength(1);
    await client.create(resources.configMaps, configMap('b'));
    await until(() => seen.includes('+b'), 'b is seen');
    proxy.cut();
    const { metadata } = await client.patch(
      resources.configMaps,
      { namespace, name: 'a' },
      { data: { n: '1', color: 'blue' } },
      'merge',
    );
    await until(() => informer.hasSeen(metadata.resourceVersion), 'the patch is seen');
    await server.restart();
    await client.delete(resources.configMaps, { namespace, name: 'b' });
    await until(() => seen.includes('-b'), 'the delete is seen');
    expect(seen).toEqual(['+a', '+b', '~a1', '-b']);
    expect(informer.byIndex('color', 'red')).toEqual([]);
    expect(informer.byIndex('color', 'blue')).toHaveLength(1);
    await stop();
    proxy.close();
  }, 30_000);

  test('a version that the server forgot leads to a new list, whose differences are told', async () => {
    const proxy = await FaultyProxy.start(client.config);
    await client.create(resources.configMaps, configMap('a'));
    await client.create(resources.configMaps, configMap('b'));
    const { seen, stop } = await watchNames(proxy);
    proxy.goneOnce = true;
    proxy.cut();
    await client.delete(resources.configMaps, { namespace, name: 'a' });
    await client.create(resources.configMaps, configMap('a', { n: 'new' }));
    await client.patch(resources.configMaps, { namespace, name: 'b' }, { data: { n: '2' } }, 'merge');
    await until(() => seen.includes('~b2'), 'the change is seen');
    // made anew under its old name: both are told
    expect([...seen].sort()).toEqual(['+a', '+anew', '+b', '-a', '~b2'].sort());
    expect(proxy.goneOnce).toBe(false);
    await stop();
    proxy.close();
  }, 30_000);
});

describe('leader election', () => {
  const options = (identity: string) => ({
    namespace,
    name: 'lease',
    identity,
    leaseMs: 2000,
    renewDeadlineMs: 1500,
    retryMs: 100,
  });
  const contender = (identity: string, log: string[], through = client) => {
    const stop = new AbortController();
    const done = new LeaderElector(through, options(identity))
      .run(async (signal) => {
        log.push(`${identity} leads`);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      }, stop.signal)
      .then(
        () => log.push(`${identity} gave up`),
        (error: Error) => log.push(`${identity}: ${error.message}`),
      );
    return { stop: () => stop.abort(), done };
  };

  test('one leads; when it stops, the next leads at once', async () => {
    const log: string[] = [];
    const a = contender('a', log);
    await until(() => log.includes('a leads'), 'a leads');
    const b = contender('b', log);
    await sleep(400);
    expect(log).toEqual(['a leads']);
    const before = Date.now();
    a.stop();
    await until(() => log.includes('b leads'), 'b leads');
    expect(Date.now() - before).toBeLessThan(1000);
    b.stop();
    await Promise.all([a.done, b.done]);
    expect(log).toEqual(['a leads', 'a gave up', 'b leads', 'b gave up']);
  });

  test('a leader that is cut off stops by itself before another begins', async () => {
    const proxy = await FaultyProxy.start(client.config);
    const log: string[] = [];
    const through = new KubeClient(proxy.config, { userAgent: 'test' });
    const a = contender('a', log, through);
    await until(() => log.includes('a leads'), 'a leads');
    const b = contender('b', log);
    proxy.close();
    await until(() => log.includes('b leads'), 'b leads');
    expect(log).toEqual(['a leads', 'a: lost the lease ' + namespace + '/lease: no renewal for 1.5 s', 'b leads']);
    b.stop();
    await Promise.all([a.done, b.done]);
    through.close();
  }, 15_000);

  test('a successor of the same host does not wait for the whole lease, and ends a twin that still lives', async () => {
    const log: string[] = [];
    const spec = { holderIdentity: 'host', leaseDurationSeconds: 3600, renewTime: '2026-01-01T00:00:00.000000Z' };
    await client.create(resources.leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'lease', namespace },
      spec,
    } as KubeObject);
    const host = contender('host', log);
    await until(() => log.includes('host leads'), 'the successor leads');
    const twin = contender('host', log);
    await sleep(600);
    expect(log).toEqual(['host leads']);
    host.stop();
    twin.stop();
    await Promise.all([host.done, twin.done]);
  });
});

test('the same event again raises its count, and a flood of different ones is cut off', async () => {
  const object = await client.create(resources.configMaps, configMap('subject'));
  const recorder = new EventRecorder(client, { component: 'test', flushMs: { first: 50, max: 50 } });
  for (let i = 0; i < 100; i++) recorder.warning(object, 'Same', 'the same words');
  for (let i = 0; i < 100; i++) recorder.normal(object, 'Different', `words ${i}`);
  await recorder.stop();
  const next = new EventRecorder(client, { component: 'test' });
  next.warning(object, 'Same', 'the same words');
  await next.stop();
  const { items } = await client.list(resources.events, { namespace });
  const events = items as (KubeObject & { reason: string; count: number; involvedObject: { uid: string } })[];
  expect(events.filter(({ reason }) => reason === 'Same').map(({ count: times }) => times)).toEqual([101]);
  expect(events.length).toBeLessThanOrEqual(25);
  expect(events[0].involvedObject.uid).toBe(object.metadata.uid);
});
