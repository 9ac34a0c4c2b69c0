/** Makes text with user input safe to print. */

const MAX_MESSAGE = 600;

/**
 * Shortens a message that repeats user input: its middle is left out. URLs keep their host and path,
 * and lose their credentials.
 */
export function brief(message: string): string {
  const text = withoutUrlCredentials(message);
  if (text.length <= MAX_MESSAGE) return text;
  return `${text.slice(0, MAX_MESSAGE / 2)}…${text.slice(-MAX_MESSAGE / 2)}`;
}

const URL_WITHIN = /\b[a-z][\w+.-]{0,30}:\/\/[^\s"'<>]*/gi;

/** Returns the text with URLs that have no user, password or query. */
export const withoutUrlCredentials = (text: string): string =>
  text.includes('://') ? text.replace(URL_WITHIN, withoutCredentials) : text;

/** `https://…@host/path?…`: a URL, even a malformed one, without user, password and query. The digest of an image stays. */
export function withoutCredentials(url: string): string {
  const [place, query] = url.split(/\?(.*)/s, 2);
  const scheme = /^[a-z][\w+.-]{0,30}:\/\//i.exec(place)?.[0] ?? '';
  const rest = place.slice(scheme.length).replace(/^.*@(?!sha\d+:)/s, '…@');
  return `${scheme}${rest}${query === undefined ? '' : '?…'}`;
}

/** Returns the text on one line: line breaks and characters that change the direction of a terminal are escaped. */
export function printable(text: string): string {
  const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu, escaped);
}

/** Returns a text of any length and content as one short line. */
export const oneLine = (text: string): string => brief(printable(brief(text)));

const SECRET_WORDS =
  /pass(w(or)?d|phrase)|secret|token|credential|private[-_ ]?key|api[-_]?key|chpasswd|authorization|cookie/i;
const SECRET_DOCUMENTS = /^(stringData|data|user-?data|network-?data)(base64)?$/i;
/** Fields that refer to a secret but do not contain it. */
const REFERENCES = /(refs?|names?|pullsecrets?)$/i;

/** Whether the value of a field may be a secret, or may contain one. */
export const mayBeSecret = (field: string): boolean =>
  SECRET_DOCUMENTS.test(field) || (SECRET_WORDS.test(field) && !REFERENCES.test(field));
