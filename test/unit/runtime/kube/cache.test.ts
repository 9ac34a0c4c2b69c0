import type { KubeObject } from '../../../../src/api/meta';
import { Cache, isSame, keyOf, olderVersion, splitKey } from '../../../../src/runtime/kube/cache';
import fc from '../../../support/fast-check';

const object = (namespace: string, name: string, version: number, node?: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace,
    name,
    uid: `${namespace}-${name}`,
    resourceVersion: String(version),
    labels: node ? { node } : {},
  },
});
const objects = fc
  .record({
    namespace: fc.constantFrom('a', 'b'),
    name: fc.constantFrom('x', 'y', 'z'),
    version: fc.nat(5),
    node: fc.option(fc.constantFrom('n1', 'n2'), { nil: undefined }),
  })
  .map(({ namespace, name, version, node }) => object(namespace, name, version, node));
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('set' as const), object: objects }),
    fc.record({ do: fc.constant('delete' as const), object: objects }),
    fc.record({
      do: fc.constant('replace' as const),
      objects: fc.uniqueArray(objects, { selector: (o) => keyOf(o), maxLength: 6 }),
    }),
  ),
  { maxLength: 40 },
);

test('after any changes the cache contains the same objects as a plain map, and each index finds exactly the matching ones', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const cache = new Cache<KubeObject>({ node: (o) => (o.metadata.labels?.node ? [o.metadata.labels.node] : []) });
      let model = new Map<string, KubeObject>();
      for (const step of all) {
        if (step.do === 'set') {
          cache.set(step.object);
          model.set(keyOf(step.object), step.object);
        } else if (step.do === 'delete') {
          cache.delete(keyOf(step.object));
          model.delete(keyOf(step.object));
        } else {
          cache.replace(step.objects);
          model = new Map(step.objects.map((o) => [keyOf(o), o]));
        }
        const byKey = (a: KubeObject, b: KubeObject): number => keyOf(a).localeCompare(keyOf(b));
        const expected = [...model.values()].sort(byKey);
        expect(cache.list().sort(byKey)).toEqual(expected);
        for (const node of ['n1', 'n2']) {
          expect(cache.byIndex('node', node).sort(byKey)).toEqual(
            expected.filter((o) => o.metadata.labels?.node === node),
          );
        }
      }
    }),
  );
});

test('replace reports each difference once and nothing else', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(objects, { selector: (o) => keyOf(o) }),
      fc.uniqueArray(objects, { selector: (o) => keyOf(o) }),
      (before, after) => {
        const cache = new Cache<KubeObject>();
        cache.replace(before);
        const model = new Map(before.map((o) => [keyOf(o), o]));
        for (const change of cache.replace(after)) {
          const subject = change.after ?? change.before;
          const key = keyOf(subject as KubeObject);
          expect(model.get(key)).toBe(change.before);
          if (change.after) model.set(key, change.after);
          else model.delete(key);
        }
        expect(new Map([...model].map(([key, o]) => [key, o.metadata.resourceVersion]))).toEqual(
          new Map(after.map((o) => [keyOf(o), o.metadata.resourceVersion])),
        );
      },
    ),
  );
});

test('an index that does not exist is named in the error', () => {
  expect(() => new Cache().byIndex('node', 'x')).toThrow('index "node" does not exist');
});

test('versions compare as numbers of any length', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 70n }), fc.bigInt({ min: 1n, max: 2n ** 70n }), (a, b) => {
      expect(olderVersion(String(a), String(b))).toBe(a < b);
    }),
  );
  expect(olderVersion(undefined, '1')).toBe(true);
  expect(olderVersion(undefined, undefined)).toBe(false);
});

test.each([
  ['4', '5', true],
  ['5', '5', false],
  ['6', '5', false],
  ['9', '10', true],
  ['10', '9', false],
])('version %s is older than %s: %s', (a, b, want) => {
  expect(olderVersion(a, b)).toBe(want);
});

test.each([
  ['the same state', 'u', '1', true],
  ['a later state', 'u', '2', false],
  ['another object of the same name', 'v', '1', false],
])('%s', (_, uid, resourceVersion, want) => {
  const one: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { uid: 'u', resourceVersion: '1' } };
  expect(isSame(one, { ...one, metadata: { uid, resourceVersion } })).toBe(want);
});

test('a key is split into its parts', () => {
  expect(splitKey(keyOf(object('ns', 'vm', 1)))).toEqual({ namespace: 'ns', name: 'vm' });
  expect(splitKey('node-1')).toEqual({ name: 'node-1' });
});
