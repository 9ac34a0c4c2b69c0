import { clone, deepEqual } from '../../../../../src/local/api-server/json/values';

test.each<[string, unknown, unknown, boolean]>([
  ['the same scalars', 1, 1, true],
  ['a number and its text', 1, '1', false],
  ['null and an empty object', null, {}, false],
  ['lists in another order', [1, 2], [2, 1], false],
  ['a list and its start', [1, 2], [1], false],
  ['a list and an object with its keys', ['a'], { 0: 'a' }, false],
  ['keys in another order', { a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 }, true],
  ['a key that only the first has', { a: 1, b: 2 }, { a: 1 }, false],
  ['a key that only the second has', { a: 1 }, { a: 1, b: 2 }, false],
  ['an absent key and undefined', { a: 1 }, { a: 1, b: undefined }, true],
  ['undefined and an absent key', { a: 1, b: undefined }, { a: 1 }, true],
  ['an absent key and null', { a: 1 }, { a: 1, b: null }, false],
  ['different keys with undefined', { a: undefined }, { b: undefined }, true],
  ['an inherited key', {}, { constructor: Object }, false],
  ['an inherited key, the other way round', { toString: Object.prototype.toString }, {}, false],
])('deepEqual compares %s', (_, a, b, equal) => expect(deepEqual(a, b)).toBe(equal));

test('clone copies every level', () => {
  const given = { a: [{ b: 1 }, null, 'x'], c: { d: undefined }, e: false };
  const copy = clone(given);
  expect(copy).toStrictEqual(given);
  (copy.a[0] as { b: number }).b = 2;
  copy.c.d = undefined;
  copy.a.push('y');
  expect(given).toStrictEqual({ a: [{ b: 1 }, null, 'x'], c: { d: undefined }, e: false });
});

test('clone keeps the key __proto__ as data', () => {
  const copy = clone(JSON.parse('{"a":{"__proto__":{"polluted":true}}}') as { a: Record<string, unknown> });
  expect(Object.keys(copy.a)).toEqual(['__proto__']);
  expect(copy.a.polluted).toBeUndefined();
});
