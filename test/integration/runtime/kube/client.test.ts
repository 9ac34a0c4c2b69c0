import { ApiError, isAlreadyExists, isConflict, isNotFound, resources } from '../../../../src/runtime/kube';
import { Cluster, labelSelector } from './cluster';
import type { ConfigMap } from './cluster';

const cluster = Cluster.forThisFile();

describe('client', () => {
  test('creates, reads, replaces, patches in each way and deletes', async () => {
    const made = await cluster.client.create<ConfigMap>(resources.configMaps, cluster.configMap('a', { x: '1' }));
    const ref = { namespace: cluster.namespace, name: 'a' };
    await cluster.client.replace(resources.configMaps, { ...made, data: { x: '2' } });
    await cluster.client.patch(resources.configMaps, ref, { data: { y: '3' } }, 'merge');
    await cluster.client.patch(resources.configMaps, ref, [{ op: 'add', path: '/data/z', value: '4' }], 'json');
    await cluster.client.patch(resources.configMaps, ref, { data: { s: '5' } }, 'strategic');
    await cluster.client.patch(
      resources.configMaps,
      ref,
      { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '6' } },
      'apply',
      {
        fieldManager: 'me',
        force: true,
      },
    );
    expect((await cluster.client.get<ConfigMap>(resources.configMaps, ref)).data).toEqual({
      x: '2',
      y: '3',
      z: '4',
      s: '5',
      a: '6',
    });
    await cluster.client.delete(resources.configMaps, ref);
    expect(await cluster.client.find(resources.configMaps, ref)).toBeUndefined();
  });

  test('reports an error with code, reason and the request', async () => {
    const made = await cluster.client.create<ConfigMap>(resources.configMaps, cluster.configMap('a'));
    const error = await cluster.client
      .get(resources.configMaps, { namespace: cluster.namespace, name: 'b' })
      .catch((e: unknown) => e as ApiError);
    expect(error).toMatchObject({ code: 404, reason: 'NotFound', message: expect.stringContaining('configmaps/b') });
    expect(isNotFound(error)).toBe(true);
    expect(
      isAlreadyExists(
        await cluster.client.create(resources.configMaps, cluster.configMap('a')).catch((e: unknown) => e),
      ),
    ).toBe(true);
    await cluster.client.replace(resources.configMaps, { ...made, data: { n: '1' } });
    expect(
      isConflict(
        await cluster.client.replace(resources.configMaps, { ...made, data: { n: '2' } }).catch((e: unknown) => e),
      ),
    ).toBe(true);
    const gone = cluster.client.delete(
      resources.configMaps,
      { namespace: cluster.namespace, name: 'a' },
      { preconditions: { uid: 'other' } },
    );
    expect(isConflict(await gone.catch((e: unknown) => e))).toBe(true);
  });

  test('a dry run changes nothing', async () => {
    await cluster.client.create(resources.configMaps, cluster.configMap('dry'), { dryRun: true });
    expect(
      await cluster.client.find(resources.configMaps, { namespace: cluster.namespace, name: 'dry' }),
    ).toBeUndefined();
  });

  test('joins the pages of a list, selects, and gives each item its kind', async () => {
    for (let i = 0; i < 7; i++)
      await cluster.client.create(resources.configMaps, cluster.configMap(`c${i}`, {}, { odd: String(i % 2) }));
    const list = await cluster.client.list(resources.configMaps, {
      namespace: cluster.namespace,
      labelSelector,
      pageSize: 2,
    });
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6']);
    expect(list.items[6]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    const odd = await cluster.client.list(resources.configMaps, {
      namespace: cluster.namespace,
      labelSelector: 'odd=1',
    });
    expect(odd.items).toHaveLength(3);
  });

  test.each([
    ['the first page has enough', { most: 1 }, 1],
    ['two pages have enough', { most: 3, pageSize: 2 }, 4],
    ['there are no more', { most: 8, pageSize: 2 }, 7],
    ['the page is not limited', { most: 2, pageSize: 0 }, 2],
  ])('a list ends when %s', async (_, options, want) => {
    for (let i = 0; i < 7; i++) await cluster.client.create(resources.configMaps, cluster.configMap(`c${i}`));
    const { namespace } = cluster;
    const { items } = await cluster.client.list(resources.configMaps, { namespace, labelSelector, ...options });
    expect(items).toHaveLength(want);
  });

  test('a name or namespace that is missing never addresses a whole collection', async () => {
    expect(() => cluster.client.delete(resources.configMaps, { namespace: cluster.namespace, name: '' })).toThrow(
      'a name is missing',
    );
    expect(() => cluster.client.delete(resources.configMaps, { name: 'a' })).toThrow('a namespace is missing');
    expect(() => cluster.client.delete(resources.configMaps, { namespace: cluster.namespace, name: '..' })).toThrow(
      'is not an object name',
    );
  });
});
