import { lastWords, remedyOf } from '../../../src/api/last-words';

test.each([
  ['nothing', undefined, ''],
  ['one line as it is', 'no such file.\n', 'no such file'],
  ['several lines as one', 'a\n  b\n\nc', 'a | b | c'],
  ['the last three of many', 'a\nb\nc\nd', 'b | c | d'],
  ['what is repeated once', 'full\nfull\n', 'full'],
  ['no more than a condition should hold', 'x'.repeat(9_999), 'x'.repeat(512)],
])('last words are %s', (_, text, want) => expect(lastWords(text)).toBe(want));

test('of a full disk it is known what to do', () => {
  expect(remedyOf('mkdir: /a: No space left on device')).toContain('free space');
  expect(remedyOf('manifest unknown')).toBeUndefined();
});
