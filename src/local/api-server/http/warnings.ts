/** Characters of all warnings together; beyond it, each is cut to `ITEM` characters. */
const TOTAL = 4 * 1024;
const ITEM = 256;
/** Further warnings of a request are dropped. */
export const MAX_WARNINGS = 256;

/** Text that is not UTF-8 or has control characters is not sent, as in Kubernetes. */
const UNSENDABLE = /\p{Cc}|\p{Cs}/u;

/** Values of the `Warning` headers of a response, in Kubernetes' format and size. */
export function warningHeaders(messages: readonly string[]): string[] {
  const texts = messages.filter((text) => text && !UNSENDABLE.test(text)).map((text) => [...text]);
  const fits = texts.reduce((sum, { length }) => sum + length, 0) <= TOTAL;
  const headers: string[] = [];
  let written = 0;
  for (const characters of texts) {
    if (written >= TOTAL) break;
    const shown = fits ? characters : characters.slice(0, ITEM);
    written += shown.length;
    headers.push(headerOf(shown.join('')));
  }
  return headers;
}

/** `299 - "text"`. Node writes headers in Latin-1: each byte of the UTF-8 text is one of its characters. */
function headerOf(text: string): string {
  const quoted = text.replace(/["\\]/g, '\\$&');
  return Buffer.from(`299 - "${quoted}"`, 'utf8').toString('latin1');
}
