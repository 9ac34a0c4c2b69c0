import { parseFieldSelector } from '../../../../../src/local/api-server/registry/field-selector';
import { matchLabelSelector, parseLabelSelector } from '../../../../../src/local/api-server/registry/label-selector';

test.each([
  ['', {}, true],
  ['a=b', { a: 'b' }, true],
  ['a==b', { a: 'b' }, true],
  ['a=b', { a: 'c' }, false],
  ['a=b', {}, false],
  ['a=', { a: '' }, true],
  ['a!=b', { a: 'b' }, false],
  ['a!=b', {}, true],
  ['a in (b, c)', { a: 'c' }, true],
  ['a in (b,c),d', { a: 'c' }, false],
  ['a notin (b,c)', {}, true],
  ['a notin (b,c)', { a: 'b' }, false],
  ['a', { a: '' }, true],
  ['!a', { a: '' }, false],
  ['! a', {}, true],
  ['a>1', { a: '2' }, true],
  ['a<1', { a: '2' }, false],
  ['a in ()', { a: '' }, true],
  ['x.io/a=b,!c', { 'x.io/a': 'b' }, true],
])('the selector %j on %j matches: %j', (text, labels, want) => {
  expect(parseLabelSelector(text)(labels as Record<string, string>)).toBe(want);
});

test.each(['a in (b', 'a=b=c', '=b', 'a,', 'a like b', 'a in b', 'a>x', 'a b', '!', 'a/b/c=d', 'a=%'])(
  'the selector %j is rejected',
  (text) => {
    expect(() => parseLabelSelector(text)).toThrow(/unable to parse requirement|found/);
  },
);

test('a selector object without terms selects all, none selects nothing', () => {
  expect(matchLabelSelector({})({ a: 'b' })).toBe(true);
  expect(matchLabelSelector(undefined)({ a: 'b' })).toBe(false);
  const expressions = [{ key: 'a', operator: 'In', values: ['b'] }];
  expect(matchLabelSelector({ matchExpressions: expressions })({ a: 'b' })).toBe(true);
});

test.each([
  ['metadata.name=x', { 'metadata.name': 'x' }, true],
  ['metadata.name!=x', { 'metadata.name': 'x' }, false],
  ['status.phase=', {}, true],
  ['metadata.name=x,status.phase==Running', { 'metadata.name': 'x', 'status.phase': 'Running' }, true],
  ['metadata.name=a\\,b', { 'metadata.name': 'a,b' }, true],
])('the field selector %j on %j matches: %j', (text, fields, want) => {
  expect(parseFieldSelector(text, ['status.phase']).matches(fields as Record<string, string>)).toBe(want);
});

test('an unknown field is rejected by name', () => {
  expect(() => parseFieldSelector('spec.x=1', [])).toThrow('"spec.x" is not a known field selector');
});
