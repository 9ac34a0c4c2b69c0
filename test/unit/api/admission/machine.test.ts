import { globMatches } from '../../../../src/api/admission/machine';

test.each([
  ['q35*', 'q35', true],
  ['q35*', 'pc-q35', false],
  ['q35*', 'q35/x', false],
  ['*', 'a\nb', true],
  ['q?5', 'q35', true],
  ['q?5', 'q5', false],
  ['q?5', 'q/5', false],
  ['q?5', 'q𝟛5', true],
  ['q[0-9]5', 'q35', true],
  ['q[0-9]5', 'qx5', false],
  ['q[^0-9]5', 'qx5', true],
  ['q.5', 'q35', false],
  ['q.5', 'q.5', true],
  ['a+b', 'a+b', true],
  ['a+b', 'aab', false],
  ['(a|b)', 'a', false],
  ['(a|b)', '(a|b)', true],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a\\', 'a\\', true],
  ['[z-a]', 'z', false],
])('the pattern %s matches %j: %s', (pattern, text, expected) => {
  expect(globMatches(pattern, text)).toBe(expected);
  // what was compiled before answers the same
  expect(globMatches(pattern, text)).toBe(expected);
});
