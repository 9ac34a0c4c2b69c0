/** Matches control and format characters (terminal escapes, direction overrides), line separators, unpaired surrogates. */
export const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Returns text of a guest or launcher as one line that is safe for conditions, events, logs and terminals: characters that
 * move the cursor or reorder the line become `?`, and a text of more than `max` characters ends with `…`.
 */
export function plainText(text: string, max: number): string {
  // cut first, so that the rest costs no time
  const cut = text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return cut
    .replace(/[\t-\r]+/g, ' ')
    .replace(UNFIT, '?')
    .trim();
}
