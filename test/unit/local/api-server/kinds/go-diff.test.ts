import { unifiedDiff } from '../../../../../src/local/api-server/kinds/go-diff';

const lines = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

test.each<[name: string, a: string[], b: string[], want: string[]]>([
  ['equal texts', ['a'], ['a'], []],
  ['one line', ['a'], ['b'], ['@@ -1 +1 @@', '-a', '+b']],
  ['an empty text', [], ['a'], ['@@ -0,0 +1 @@', '+a']],
  [
    'a change with three lines of context',
    lines(1, 9),
    [...lines(1, 4), 'x', ...lines(6, 9)],
    ['@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+x', ' 6', ' 7', ' 8'],
  ],
  [
    'changes six lines apart as one group',
    ['a', ...lines(1, 6), 'b'],
    ['x', ...lines(1, 6), 'y'],
    ['@@ -1,8 +1,8 @@', '-a', '+x', ' 1', ' 2', ' 3', ' 4', ' 5', ' 6', '-b', '+y'],
  ],
  [
    'changes seven lines apart as two groups',
    ['a', ...lines(1, 7), 'b'],
    ['x', ...lines(1, 7), 'y'],
    ['@@ -1,4 +1,4 @@', '-a', '+x', ' 1', ' 2', ' 3', '@@ -6,4 +6,4 @@', ' 5', ' 6', ' 7', '-b', '+y'],
  ],
])('shows %s', (_, a, b, want) => {
  expect(unifiedDiff(a, b)).toBe(want.map((line) => `${line}\n`).join(''));
});

test('frequent lines of a long text do not begin a match', () => {
  const long = (length: number): string[] => ['b', ...Array<string>(length).fill('}')];
  expect(unifiedDiff(['a', '}', '}'], long(198)).startsWith('@@ -1,3 +1,199 @@\n-a\n+b\n }\n }\n+}')).toBe(true);
  expect(unifiedDiff(['a', '}', '}'], long(199)).startsWith('@@ -1,3 +1,200 @@\n-a\n-}\n-}\n+b')).toBe(true);
});
