import { validateHeaderValue } from 'node:http';
import { warningHeaders } from '../../../../../src/local/api-server/http/warnings';

/** Text of a header as a client decodes it. */
const decoded = (header: string) => Buffer.from(header, 'latin1').toString('utf8');

test.each([
  ['plain text', 'unknown field "spec.x"', '299 - "unknown field \\"spec.x\\""'],
  ['a backslash', 'a\\b', '299 - "a\\\\b"'],
  ['Latin-1', 'größe', '299 - "größe"'],
  ['other scripts and emoji', 'フィールド 🙂', '299 - "フィールド 🙂"'],
])('%s reaches the client as UTF-8', (_, text, want) => {
  const [header] = warningHeaders([text]);
  expect(() => validateHeaderValue('Warning', header)).not.toThrow();
  expect(decoded(header)).toBe(want);
});

test.each([
  ['a line break', 'a\nb'],
  ['an escape sequence', 'a\u001b[31m'],
  ['half of a surrogate pair', 'a\ud800'],
  ['nothing', ''],
])('text with %s is dropped', (_, text) => expect(warningHeaders([text, 'other'])).toEqual(['299 - "other"']));

test.each([
  ['at the limit', 4096, 4096],
  ['one above the limit', 4097, 256],
])('a text of a size %s has %i characters and is sent with %i', (_, size, sent) => {
  expect(warningHeaders(['x'.repeat(size)])[0]).toHaveLength(sent + '299 - ""'.length);
});

test('all warnings together stay within the limit', () => {
  const headers = warningHeaders(Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(500)));
  expect(headers).toHaveLength(16);
});
