import { fill } from '../../../../../src/api/instancetype/preference/fill';

test.each<[string, object, unknown, object]>([
  ['absent', {}, 'x', { field: 'x' }],
  ['null', { field: null }, 'x', { field: 'x' }],
  ['an empty word', { field: '' }, 'x', { field: 'x' }],
])('fills a field that is %s', (_, object, preferred, want) => {
  fill(object, 'field' as never, preferred);
  expect(object).toStrictEqual(want);
});

test.each<[string, object, unknown]>([
  ['a field that says false', { field: false }, true],
  ['a field that says zero', { field: 0 }, 30],
  ['a field without a wish', {}, undefined],
  ['a field whose wish is null', {}, null],
  ['a field whose wish is an empty word', {}, ''],
])('leaves %s', (_, object, preferred) => {
  const before = structuredClone(object);
  fill(object, 'field' as never, preferred);
  expect(object).toStrictEqual(before);
});

test('writes a copy', () => {
  const preferred = { enabled: true };
  const object: { field?: object } = {};
  fill(object, 'field', preferred);
  expect(object.field).toEqual(preferred);
  expect(object.field).not.toBe(preferred);
});
