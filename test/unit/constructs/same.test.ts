import { isSame, sameBut, snapshot } from '../../../src/constructs/same';

class Point {
  constructor(public readonly x: number) {}
}
const point = new Point(1);

test.each<[string, unknown, unknown, boolean]>([
  ['equal texts', 'a', 'a', true],
  ['a number and its text', 1, '1', false],
  ['not a number, twice', NaN, NaN, true],
  ['null and undefined', null, undefined, false],
  ['equal objects in another order', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ['a field more', { a: 1 }, { a: 1, b: undefined }, false],
  ['another field', { a: undefined }, { b: undefined }, false],
  ['an item more', [1], [1, 2], false],
  ['lists of the same items', [1, { a: 1 }], [1, { a: 1 }], true],
  ['lists of other items', [1, { a: 1 }], [1, { a: 2 }], false],
  ['a list and an object', [1], { 0: 1 }, false],
  ['the same instance of a class', point, point, true],
  ['two instances of a class', new Point(1), new Point(1), false],
  ['an inherited field', { toString: 1 }, {}, false],
])('compares %s', (_, one, other, want) => {
  expect(isSame(one, other)).toBe(want);
  expect(isSame(other, one)).toBe(want);
});

test.each<[string, unknown, unknown, boolean]>([
  ['the field compared in its own way', { size: 1, name: 'a' }, { size: 2, name: 'a' }, true],
  ['a mistake in that field', { size: 1 }, { size: '2' }, false],
  ['that field less', { size: 1 }, {}, false],
  ['another field', { size: 1, name: 'a' }, { size: 1, name: 'b' }, false],
  ['lists', [1], [1], false],
])('compares all but one field: %s', (_, one, other, want) => {
  const compare = sameBut({ size: (a, b) => typeof a === typeof b });
  expect(compare(one, other)).toBe(want);
});

test('a snapshot keeps its content when the data changes', () => {
  const data = { list: [{ a: 1 }], point };
  const kept = snapshot(data);
  expect(isSame(kept, data)).toBe(true);
  data.list[0].a = 2;
  expect(kept).toEqual({ list: [{ a: 1 }], point });
  expect(isSame(kept, data)).toBe(false);
});
