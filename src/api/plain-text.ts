/** Control and format characters (escapes of terminals, overrides of direction), line separators, halves of characters. */
export const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Text of a guest or launcher as one line that is fit for conditions, events, logs and terminals: what could move a cursor
 * or reorder the line becomes `?`, and a text of more than `max` characters ends with `…`.
 */
export function plainText(text: string, max: number): string {
  // cut first: what is thrown away costs nothing
  const cut = text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return cut
    .replace(/[\t-\r]+/g, ' ')
    .replace(UNFIT, '?')
    .trim();
}
