import { changesOf, pathText } from '../../../../src/cli/diff/changes';
import { lineDiff } from '../../../../src/cli/diff/lines';

const described = (before: unknown, after: unknown): string[] =>
  changesOf(before, after).map(
    ({ path, isOrder, ...change }) =>
      `${pathText(path)}${isOrder ? ' order' : ''}: ${'before' in change ? JSON.stringify(change.before) : '-'} -> ${'after' in change ? JSON.stringify(change.after) : '-'}`,
  );

test.each<[string, unknown, unknown, string[]]>([
  ['equal values do not differ', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
  ['a field changes', { a: { b: 1 } }, { a: { b: 2 } }, ['a.b: 1 -> 2']],
  ['added objects are listed field by field', {}, { a: { b: { c: 1 }, d: 2 } }, ['a.b.c: - -> 1', 'a.d: - -> 2']],
  ['removed objects are listed field by field', { a: { b: 1 } }, {}, ['a.b: 1 -> -']],
  ['an empty object is a value', {}, { masquerade: {} }, ['masquerade: - -> {}']],
  ['another type is another value', { a: { b: 1 } }, { a: 'b' }, ['a: {"b":1} -> "b"']],
  ['lists of plain values are compared whole', { a: ['x'] }, { a: ['x', 'y'] }, ['a: ["x"] -> ["x","y"]']],
  [
    'items are found by their names',
    { d: [{ name: 'a', bus: 'x' }, { name: 'b' }] },
    { d: [{ name: 'c' }, { name: 'a', bus: 'y' }] },
    ['d[a].bus: "x" -> "y"', 'd[b]: {"name":"b"} -> -', 'd[c]: - -> {"name":"c"}'],
  ],
  [
    'another order is a change',
    { d: [{ name: 'a' }, { name: 'b' }] },
    { d: [{ name: 'b' }, { name: 'a' }] },
    ['d order: ["a","b"] -> ["b","a"]'],
  ],
  [
    'items without names are found by their place',
    { p: [{ port: 1 }] },
    { p: [{ port: 2 }, { port: 3 }] },
    ['p[0].port: 1 -> 2', 'p[1]: - -> {"port":3}'],
  ],
  [
    'items with names that are not unique are found by their place',
    { d: [{ name: 'a', x: 1 }, { name: 'a' }] },
    { d: [{ name: 'a', x: 2 }, { name: 'a' }] },
    ['d[0].x: 1 -> 2'],
  ],
  ['keys with dots are quoted', {}, { labels: { 'a.b/c': 'd' } }, ['labels["a.b/c"]: - -> "d"']],
  [
    'keys of every object are fields',
    JSON.parse('{"__proto__": 1, "constructor": 2}'),
    {},
    ['__proto__: 1 -> -', 'constructor: 2 -> -'],
  ],
])('%s', (_, before, after, want) => expect(described(before, after)).toEqual(want));

const lines = (before: string, after: string): string[] =>
  lineDiff(before, after).map(({ sign, text }) => `${sign}${text}`);

test.each([
  [
    'a line that changes, with those around it',
    '1\n2\n3\n4\n5\n6\n',
    '1\n2\n3\nx\n5\n6\n',
    [' 2', ' 3', '-4', '+x', ' 5', ' 6'],
  ],
  ['lines that come and go', 'a\nb\nc', 'a\nc\nd', [' a', '-b', ' c', '+d']],
  ['a text that comes', '', 'a\nb', ['+a', '+b']],
  [
    'far changes, cut between them',
    'a\n1\n2\n3\n4\n5\n6\nb',
    'x\n1\n2\n3\n4\n5\n6\ny',
    ['-a', '+x', ' 1', ' 2', ' …', ' 5', ' 6', '-b', '+y'],
  ],
])('%s', (_, before, after, want) => expect(lines(before, after)).toEqual(want));

test('the comparison of texts of any size ends', () => {
  const text = (seed: number): string => Array.from({ length: 5_000 }, (_, i) => String((i * seed) % 4_999)).join('\n');
  expect(lineDiff(text(7), text(11)).length).toBeGreaterThan(1_000);
});
