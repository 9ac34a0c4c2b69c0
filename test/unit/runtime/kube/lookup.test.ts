import type { KubeObject } from '../../../../src/api';
import { ApiError, decideWith, sourceOf } from '../../../../src/runtime/kube';
import type { KubeClient, Source } from '../../../../src/runtime/kube';
import type { Answers } from '../../../../src/runtime/kube/lookup';

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
  const last = await decideWith(sourceOf(client), ({ find }) => {
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
  const counts = await decideWith(sourceOf(client), ({ list }) => [
    list('ConfigMap', 'default').length,
    list('Secret', undefined).length,
  ]);
  expect(counts).toEqual([2, 0]);
  expect(asked).toEqual(['ConfigMaps', 'Secrets']);
});

test('an unknown kind is a defect of ours', async () => {
  const nonsense = decideWith(sourceOf(cluster().client), ({ find }) => find('Nonsense', 'a', 'b'));
  await expect(nonsense).rejects.toThrow('kind Nonsense');
});

const links: Source = {
  find: async (_, __, name) => object('Link', name, `${name}x`),
  list: async () => [object('Link', 'a')],
  may: async ({ verb }) => verb === 'get',
};

test('rights are looked up like objects; without a source, all are denied', async () => {
  const decide = ({ may }: Answers): boolean[] => [
    may({ verb: 'get', group: '', resource: 'pods' }),
    may({ verb: 'create', group: '', resource: 'pods' }),
  ];
  expect(await decideWith(links, decide)).toEqual([true, false]);
  expect(await decideWith({ ...links, may: undefined }, decide)).toEqual([false, false]);
});

test('a rule that never stops asking is stopped', async () => {
  let turn = 0;
  await expect(decideWith(links, ({ find }) => find('Link', 'default', `x${turn++}`))).rejects.toThrow(
    /after 8 rounds/,
  );
});

test('an object that names too many others is rejected', async () => {
  const many = ({ find }: Answers) => Array.from({ length: 300 }, (_, i) => find('Link', 'default', `x${i}`));
  await expect(decideWith(links, many)).rejects.toMatchObject({ code: 400 });
});

test('an error of the API server ends the decision', async () => {
  const denied: Source = { ...links, find: () => Promise.reject(new Error('forbidden')) };
  await expect(decideWith(denied, ({ find }) => find('Link', 'default', 'a'))).rejects.toThrow('forbidden');
});
