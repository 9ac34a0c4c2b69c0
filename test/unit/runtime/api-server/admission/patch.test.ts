import { applyPatch } from 'rfc6902';
import { patchBetween } from '../../../../../src/runtime/api-server/admission/patch';
import fc from '../../../../support/fast-check';

const patched = (before: object, after: object): unknown => {
  const copy = JSON.parse(JSON.stringify(before)) as object;
  const patch = JSON.parse(JSON.stringify(patchBetween(before, after))) as never;
  expect(applyPatch(copy, patch).filter(Boolean)).toEqual([]);
  return copy;
};

test.each<[string, object, object, unknown[]]>([
  ['nothing', { a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2 }] } }, []],
  ['a text for a number', { a: 1 }, { a: '1' }, [{ op: 'replace', path: '/a', value: '1' }]],
  ['a field that is new', {}, { a: 1 }, [{ op: 'add', path: '/a', value: 1 }]],
  ['a removed field', { a: 1 }, {}, [{ op: 'remove', path: '/a' }]],
  ['a field that is undefined', { a: 1 }, { a: undefined }, [{ op: 'remove', path: '/a' }]],
  ['a removed null', { a: null }, {}, [{ op: 'remove', path: '/a' }]],
  ['null for a value', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
  ['a value for null', { a: null }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
  ['one field among others', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, [{ op: 'replace', path: '/a/c', value: 3 }]],
  ['a list, whole', { a: [1, 2, 3] }, { a: [1, 2] }, [{ op: 'replace', path: '/a', value: [1, 2] }]],
  ['a list for an object', { a: {} }, { a: [] }, [{ op: 'replace', path: '/a', value: [] }]],
  ['a key with a slash and a tilde', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
  ['a key that every object inherits', {}, { constructor: 1 }, [{ op: 'add', path: '/constructor', value: 1 }]],
  ['a removed inherited key', { toString: 1 }, {}, [{ op: 'remove', path: '/toString' }]],
])('%s', (_, before, after, want) => {
  expect(patchBetween(before, after)).toEqual(want);
});

test('a number next to a change keeps its notation', () => {
  const before = { spec: { terminationGracePeriodSeconds: Number('9223372036854775807'), domain: {} } };
  const after = { spec: { ...before.spec, domain: { machine: { type: 'q35' } } } };
  expect(patchBetween(before, after)).toEqual([{ op: 'add', path: '/spec/domain/machine', value: { type: 'q35' } }]);
});

/** A value at this depth. */
const below = (depth: number, value: number): object => ({ a: depth === 1 ? value : below(depth - 1, value) });

test.each([
  [7, 7],
  [8, 8],
  [9, 8],
])('a change below %i fields replaces the field that contains %i', (depth, replaced) => {
  expect(patchBetween(below(depth, 1), below(depth, 2))).toMatchObject([
    { op: 'replace', path: '/a'.repeat(replaced) },
  ]);
});

test.each([
  [256, 256, '/metadata/labels/k0'],
  [257, 1, '/metadata/labels'],
])('of %i changed fields come %i operations, the first on %s', (count, operations, path) => {
  const labels = (value: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
  const [before, after] = [{ metadata: { labels: labels(1) } }, { metadata: { labels: labels(2) } }];
  expect(patchBetween(before, after)).toHaveLength(operations);
  expect(patchBetween(before, after)[0]).toMatchObject({ path });
  expect(patched(before, after)).toEqual(after);
});

test('any object becomes any other', () => {
  const objects = fc.object({ maxDepth: 5, key: fc.constantFrom('a', 'b', 'c/d', '~e', ''), withNullPrototype: false });
  fc.assert(
    fc.property(objects, objects, (a, b) => {
      const [before, after] = [a, b].map((each) => JSON.parse(JSON.stringify(each)) as object);
      expect(patched(before!, after!)).toEqual(after);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('the cost of a long list grows with its length, not with its square', () => {
  const visits = (length: number): number => {
    let count = 0;
    const counted = (name: string): object => ({
      toJSON: () => {
        count += 1;
        return name;
      },
    });
    const disks = (prefix: string) => ({ spec: { disks: Array.from({ length }, (_, i) => counted(`${prefix}${i}`)) } });
    patchBetween(disks('a'), disks('b'));
    return count;
  };
  expect(visits(200)).toBe(2 * visits(100));
});
