import * as library from '../../../src';

test('the package exports classes, and none of the functions that render them', () => {
  expect(Object.keys(library).filter((name) => /^[a-z]/.test(name))).toEqual([]);
});
