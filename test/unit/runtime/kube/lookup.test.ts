import type { KubeObject } from '../../../../src/api';
import { ApiError, decideWith } from '../../../../src/runtime/kube';
import type { KubeClient } from '../../../../src/runtime/kube';

const object = (kind: string, name: string, next?: string): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'default', ...(next ? { labels: { next } } : {}) },
});

function cluster(...objects: KubeObject[]): { client: KubeClient; asked: string[] } {
  const asked: string[] = [];
  const client = {
    find: (resource: { kind: string }, { name }: { name: string }) => {
      asked.push(`${resource.kind}/${name}`);
      return Promise.resolve(objects.find((o) => o.kind === resource.kind && o.metadata.name === name));
    },
    list: (resource: { kind: string }) => {
      asked.push(`${resource.kind}s`);
      if (resource.kind === 'Secret') return Promise.reject(new ApiError(404, 'NotFound', 'not found'));
      return Promise.resolve({ items: objects.filter((o) => o.kind === resource.kind) });
    },
  };
  return { client: client as unknown as KubeClient, asked };
}

test('a chain of look-ups is followed, and nothing is fetched twice', async () => {
  const { client, asked } = cluster(object('ConfigMap', 'a', 'b'), object('ConfigMap', 'b', 'c'));
  const last = await decideWith(client, (find) => {
    let name = 'a';
    for (;;) {
      const found = find('ConfigMap', 'default', name);
      if (!found) return name;
      name = found.metadata.labels?.next ?? '';
    }
  });
  expect(last).toBe('c');
  expect(asked).toEqual(['ConfigMap/a', 'ConfigMap/b', 'ConfigMap/c']);
});

test('lists are fetched once; a kind that is not installed has no objects', async () => {
  const { client, asked } = cluster(object('ConfigMap', 'a'), object('ConfigMap', 'b'));
  const counts = await decideWith(client, (_, list) => [
    list('ConfigMap', 'default').length,
    list('Secret', undefined).length,
  ]);
  expect(counts).toEqual([2, 0]);
  expect(asked).toEqual(['ConfigMaps', 'Secrets']);
});

test('a kind that nobody knows is our own mistake', async () => {
  await expect(decideWith(cluster().client, (find) => find('Nonsense', 'a', 'b'))).rejects.toThrow('kind Nonsense');
});
