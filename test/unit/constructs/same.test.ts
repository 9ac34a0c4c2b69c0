import { isSame, snapshot } from '../../../src/constructs/same';

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
  ['a list and an object', [1], { 0: 1 }, false],
  ['the same instance of a class', point, point, true],
  ['two instances of a class', new Point(1), new Point(1), false],
  ['an inherited field', { toString: 1 }, {}, false],
])('compares %s', (_, one, other, want) => {
  expect(isSame(one, other)).toBe(want);
  expect(isSame(other, one)).toBe(want);
});

test('a snapshot keeps its content when the data changes', () => {
  const data = { list: [{ a: 1 }], point };
  const kept = snapshot(data);
  expect(isSame(kept, data)).toBe(true);
  data.list[0].a = 2;
  expect(kept).toEqual({ list: [{ a: 1 }], point });
  expect(isSame(kept, data)).toBe(false);
});
