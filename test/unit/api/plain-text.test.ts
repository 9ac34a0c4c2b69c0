import { plainText } from '../../../src/api/plain-text';
import fc from '../../support/fast-check';

test.each<[string, string, string, number?]>([
  ['keeps plain text of any script', 'défini ✓ 日本 😀', 'défini ✓ 日本 😀'],
  ['replaces escapes of terminals', '\u001b[2J\u009b31mred\u0007', '?[2J?31mred?'],
  ['replaces overrides of direction', 'a\u202eb\u2066c\u200fd\u061ce', 'a?b?c?d?e'],
  ['replaces invisible characters', 'a\u200bb\ufeffc\u00add\u{e0041}e', 'a?b?c?d?e'],
  ['replaces line separators', 'a\u2028b\u2029c', 'a?b?c'],
  ['makes one line', ' a\r\nb\tc\n\n d\n', 'a b c  d'],
  ['replaces halves of characters', '\ud83d!\ude00', '?!?'],
  ['keeps a text at the limit', 'x'.repeat(10), 'x'.repeat(10), 10],
  ['marks a text above the limit', 'x'.repeat(11), `${'x'.repeat(9)}…`, 10],
  ['does not cut a character in two', `${'x'.repeat(8)}😀yy`, `${'x'.repeat(8)}…`, 10],
  ['keeps a character that just fits', `${'x'.repeat(7)}😀yy`, `${'x'.repeat(7)}😀…`, 10],
])('%s', (_, text, want, max = 20) => expect(plainText(text, max)).toBe(want));

test('the result is always one line within the limit, without control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const plain = plainText(text, max);
      expect(plain.length).toBeLessThanOrEqual(max);
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(plainText(plain, max)).toBe(plain);
    }),
  );
});
