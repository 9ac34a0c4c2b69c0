import { FieldSet, printPath } from '../../../../../src/local/api-server/patch/field-set';
import { keyElement, parseElement, valueElement } from '../../../../../src/local/api-server/patch/path-element';
import fc from '../../../../support/fast-check';

const element = fc.oneof(
  fc.constantFrom('f:a', 'f:b', 'f:c'),
  fc.constantFrom('x', 'y').map((v) => valueElement(v)),
  fc.constantFrom('x', 'y').map((v) => keyElement([['name', v]])),
);
const set = fc.array(fc.array(element, { minLength: 1, maxLength: 3 })).map((paths) => FieldSet.of(...paths));
const json = (s: FieldSet) => s.toFieldsV1();

test('a set survives FieldsV1', () => {
  fc.assert(fc.property(set, (s) => expect(json(FieldSet.fromFieldsV1(json(s)))).toEqual(json(s))));
});

test('union, intersection and difference obey the laws of sets', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      expect(json(a.union(b))).toEqual(json(b.union(a)));
      expect(json(a.intersection(b))).toEqual(json(b.intersection(a)));
      expect(json(a.difference(b).union(a.intersection(b)))).toEqual(json(a));
      expect(a.difference(b).intersection(b).empty).toBe(true);
    }),
  );
});

test('a recursive difference takes what is below, too', () => {
  const all = FieldSet.of(['f:a'], ['f:a', 'f:b'], ['f:c']);
  expect(json(all.recursiveDifference(FieldSet.of(['f:a'])))).toEqual({ 'f:c': {} });
  expect(json(all.difference(FieldSet.of(['f:a'])))).toEqual({ 'f:a': { 'f:b': {} }, 'f:c': {} });
});

test('paths read as Kubernetes prints them', () => {
  expect(printPath(['f:spec', 'k:{"name":"a","port":80}', 'f:x'])).toBe('.spec[name="a",port=80].x');
  expect(printPath(['f:set', 'v:"a"'])).toBe('.set[="a"]');
});

test('elements are escaped as Go does, and invalid ones are rejected', () => {
  expect(valueElement('<&>')).toBe('v:"\\u003c\\u0026\\u003e"');
  expect(parseElement('k:{"b":1,"a":2}')).toBe('k:{"a":2,"b":1}');
  expect(parseElement('q:1')).toBeUndefined();
  expect(parseElement('k:{')).toBeUndefined();
});
