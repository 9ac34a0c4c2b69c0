import type { KubeObject } from '../../../../src/api';
import { gather } from '../../../../src/runtime/api-server/admission/gather';
import type { Answers, Cluster } from '../../../../src/runtime/api-server/admission/gather';

const objects: Record<string, KubeObject> = {};
for (const [name, next] of [
  ['a', 'b'],
  ['b', 'c'],
  ['c', ''],
]) {
  objects[name] = { apiVersion: 'v1', kind: 'Link', metadata: { name, annotations: { next } } };
}

const asked: string[] = [];
const cluster: Cluster = {
  find: async (_, __, name) => {
    asked.push(name);
    return objects[name];
  },
  list: async () => Object.values(objects),
  may: async ({ verb }) => verb === 'get',
};
beforeEach(() => asked.splice(0));

/** Follows the chain to its end. */
const end = ({ find }: Answers): string => {
  let name = 'a';
  for (;;) {
    const next = find('Link', 'default', name)?.metadata.annotations?.next;
    if (!next) return name;
    name = next;
  }
};

test('a rule gets each object that it asks for, however it comes to ask', async () => {
  expect(await gather(end, cluster)).toBe('c');
  expect(asked).toEqual(['a', 'b', 'c']);
});

test('lists and rights are asked like objects', async () => {
  const decide = ({ list, may }: Answers) => [
    list('Link', undefined).length,
    may({ verb: 'get', group: '', resource: 'pods' }),
    may({ verb: 'create', group: '', resource: 'pods' }),
  ];
  expect(await gather(decide, cluster)).toEqual([3, true, false]);
});

test('a rule that never stops asking is stopped', async () => {
  let turn = 0;
  await expect(gather(({ find }) => find('Link', 'default', `x${turn++}`), cluster)).rejects.toThrow(/after 8 rounds/);
});

test('an object that names too many others is refused', async () => {
  const many = ({ find }: Answers) => Array.from({ length: 300 }, (_, i) => find('Link', 'default', `x${i}`));
  await expect(gather(many, cluster)).rejects.toMatchObject({ code: 400 });
  expect(asked).toEqual([]);
});

test('what the API server refuses ends the decision', async () => {
  const denied: Cluster = { ...cluster, find: () => Promise.reject(new Error('forbidden')) };
  await expect(gather(end, denied)).rejects.toThrow('forbidden');
});
