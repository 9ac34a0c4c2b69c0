/** Steps from one value to another are done as cdk8s does them. */
import { JsonPatch } from 'cdk8s';
import { equal, leaves, plain, pointer, type Step, steps } from '../../../../src/cli/import/difference';
import fc from '../../../support/fast-check';

const operation = ({ op, path, from, value }: Step): JsonPatch => {
  const at = pointer(path);
  if (op === 'remove') return JsonPatch.remove(at);
  return op === 'move' ? JsonPatch.move(pointer(from!), at) : JsonPatch[op](at, value);
};

const done = (from: unknown, all: readonly Step[]): unknown =>
  JsonPatch.apply(structuredClone(from), ...all.map(operation)) as unknown;

const named = (...names: string[]): object[] => names.map((name) => ({ name, of: name }));

test.each<[string, unknown, unknown, string[]]>([
  ['nothing', { a: [1] }, { a: [1] }, []],
  ['a field more', { a: 1 }, { a: 1, b: { c: 2 } }, ['add /b']],
  ['a field less', { a: 1, b: 2 }, { a: 1 }, ['remove /b']],
  ['another value deep inside', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ['replace /a/0/b']],
  ['an item more', { a: [{ b: 1 }] }, { a: [{ b: 1 }, 2] }, ['add /a/-']],
  ['items less, from the end', { a: [1, 2, 3] }, { a: [1] }, ['remove /a/2', 'remove /a/1']],
  ['other items: the whole list', { a: [1, 2] }, { a: [2, 1] }, ['replace /a']],
  ['named items in another order', { a: named('x', 'y', 'z') }, { a: named('z', 'x', 'y') }, ['move /a/0']],
  ['a key that needs escapes', { 'a/b~c': 1 }, { 'a/b~c': 2 }, ['replace /a~1b~0c']],
  ['null is a value', { a: 1 }, { a: null }, ['replace /a']],
])('%s', (_, from, to, wanted) => {
  const found = steps(from, to);
  expect(found.map(({ op, path }) => `${op} ${pointer(path)}`)).toEqual(wanted);
  expect(done(from, found)).toEqual(to);
});

test('any object becomes any other', () => {
  const item = fc.record({ name: fc.constantFrom('a', 'b', 'c'), n: fc.integer({ max: 2, min: 0 }) });
  const value = fc.dictionary(fc.constantFrom('a', 'b/c', ''), fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.array(item)));
  fc.assert(
    fc.property(value, value, (from, to) => {
      expect(equal(done(from, steps(from, to)), to)).toBe(true);
    }),
  );
});

test('equal compares values, not the order of keys', () => {
  expect(equal({ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 })).toBe(true);
  expect(equal({ a: undefined, b: [undefined] }, { b: [null] })).toBe(true);
  expect(equal([1, 2], [2, 1])).toBe(false);
  expect(equal({ a: '1' }, { a: 1 })).toBe(false);
});

test('leaves are counted; what is empty counts as one', () => {
  expect(leaves({ a: 1, b: [1, 2, {}], c: { d: [] }, e: undefined })).toBe(5);
});

test('plain omits what cdk8s would drop or fail on', () => {
  expect(plain({ a: null, constructor: 1, b: [null, { c: null }] })).toEqual({ b: [null, {}] });
});
