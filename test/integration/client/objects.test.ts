import { join } from 'node:path';
import type { KubeObject } from '../../../src/api';
import { Client } from '../../../src/client';
import type { ListOptions } from '../../../src/client';
import { startTestApiServer } from '../../support/api-server';
import type { TestApiServer } from '../../support/api-server';
import { eventually } from '../../support/patience';

/** The client against the engine's API server alone. */
let api: TestApiServer;
let client: Client;
beforeAll(async () => {
  api = await startTestApiServer();
  client = Client.fromKubeconfig({ kubeconfig: api.kubeconfig });
});
afterAll(async () => {
  await client.close();
  await api.close();
});

const configMap = (name: string, data: Record<string, string>, namespace?: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(namespace ? { namespace } : {}) },
    data,
  }) as KubeObject;
const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
} as KubeObject;
const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'shop' },
} as KubeObject;

test('objects are applied after those that they need, and returned in the given order', async () => {
  await expect(client.apply(widget)).rejects.toThrow(
    'the cluster has no kind Widget in example.com/v1; install its CustomResourceDefinition first',
  );
  const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const stored = await client.apply<KubeObject>([widget, configMap('a', { k: 'v' }, 'shop'), shop, widgets]);
  expect(stored.map(({ kind, metadata }) => [kind, metadata.namespace, typeof metadata.uid])).toEqual([
    ['Widget', 'shop', 'string'],
    ['ConfigMap', 'shop', 'string'],
    ['Namespace', undefined, 'string'],
    ['CustomResourceDefinition', undefined, 'string'],
  ]);
});

test('apply removes fields that it no longer contains; fields of other managers stay, unless force takes them over', async () => {
  await client.apply(configMap('owned', { a: '1', b: '2' }));
  const [second] = await client.apply(configMap('owned', { a: '1' }));
  expect(second).toMatchObject({ data: { a: '1' } });
  expect(second).not.toHaveProperty('data.b');
  await client.apply(configMap('owned', { c: '3' }), { fieldManager: 'other' });
  await expect(client.apply(configMap('owned', { a: '1', c: '4' }))).rejects.toMatchObject({ code: 409 });
  const [forced] = await client.apply(configMap('owned', { a: '1', c: '4' }), { force: true });
  expect(forced).toMatchObject({ data: { a: '1', c: '4' } });
});

test('a dry run writes nothing', async () => {
  await client.apply(configMap('dry', {}), { dryRun: true });
  expect(await client.object(configMap('dry', {})).exists()).toBe(false);
});

test('objects of a kind are listed by namespace and labels', async () => {
  const labelled = (name: string, labels: Record<string, string>, namespace?: string): KubeObject => {
    const { metadata, ...others } = configMap(name, {}, namespace);
    return { ...others, metadata: { ...metadata, labels } };
  };
  const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
  await client.apply([team, labelled('one', { tier: 'web' }), labelled('two', { tier: 'web' }, 'team')]);
  const of = { apiVersion: 'v1', kind: 'ConfigMap' };
  const listed = async (options: ListOptions): Promise<string[]> =>
    (await client.list(of, options))
      .map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)
      .sort();
  const labels = { tier: 'web' };
  expect(await listed({ labels })).toEqual(['ConfigMap default/one']);
  expect(await listed({ labels, namespace: 'team' })).toEqual(['ConfigMap team/two']);
  expect(await listed({ labels, namespace: '' })).toEqual(['ConfigMap default/one', 'ConfigMap team/two']);
  expect(await listed({ labels: { tier: 'db' }, namespace: '' })).toEqual([]);
  const namespaces = await client.list({ apiVersion: 'v1', kind: 'Namespace' });
  expect(namespaces.map(({ metadata }) => metadata.name)).toContain('team');
});

test('kinds are found with their near misses', async () => {
  const wrong = { apiVersion: 'v1', kind: 'ConfigMaps', metadata: { name: 'x' } };
  await expect(client.object(wrong).get()).rejects.toThrow(
    'the cluster has no kind ConfigMaps in v1; did you mean ConfigMap?',
  );
});

test('waiting follows an object across many changes, and ends with it', async () => {
  const [made] = await client.apply(configMap('counter', { n: '0' }));
  const handle = client.object<KubeObject & { data: { n: string } }>(made);
  const met = handle.waitFor(({ data }) => data.n === '5');
  const gone = handle.waitFor('Deleted');
  const early = handle.waitFor(({ data }) => data.n === '9');
  const orphaned = expect(early).rejects.toMatchObject({
    code: 404,
    message: expect.stringContaining('was deleted during'),
  });
  for (let n = 1; n <= 7; n++) await client.apply(configMap('counter', { n: String(n) }));
  expect((await met).data.n).toBe('5');
  await client.delete([made]);
  expect(await gone).toBeUndefined();
  await orphaned;
  // what is not there is as good as deleted
  await handle.delete({ wait: true });
});

test('a wait that times out reports that the controller has reported nothing', async () => {
  const [made] = await client.apply(configMap('silent', {}));
  // eslint-disable-next-line virt8s/patience-of-programs -- the condition never becomes true
  await expect(client.object(made).waitFor('Ready', { timeoutMs: 200 })).rejects.toMatchObject({
    code: 504,
    message:
      'ConfigMap default/silent is not Ready after 0.2 s; its controller has not reported anything yet; check that it runs, or raise timeoutMs',
  });
});

test('a wait survives a restart of the API server', async () => {
  const [made] = await client.apply(configMap('patient', { n: '0' }));
  let looked = 0;
  const isMet = ({ data }: { data: { n: string } }): boolean => ++looked > 0 && data.n === '1';
  const met = client.object<KubeObject & { data: { n: string } }>(made).waitFor(isMet);
  await eventually(() => expect(looked).toBeGreaterThan(0));
  await api.restart();
  await client.apply(configMap('patient', { n: '1' }));
  expect((await met).data.n).toBe('1');
});

test('a missing kubeconfig is reported by every request', async () => {
  const lost = Client.fromKubeconfig({ kubeconfig: join(api.directory, 'missing') });
  for (const vm of [lost.vm('web'), lost.vm('db')])
    await expect(vm.start()).rejects.toThrow(/cannot read kubeconfig .*missing/);
  await lost.close();
});
