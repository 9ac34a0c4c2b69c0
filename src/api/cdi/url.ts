/** Parses URLs as Go's net/url does, which corrects nothing, unlike browsers. */

/** Scheme in lower case; `''` without a scheme. */
export interface ParsedUrl {
  readonly scheme: string;
}

/**
 * Parses a URL; undefined for another text. With `absolute` it must have a scheme or start with a slash, and keeps its
 * fragment, as `url.ParseRequestURI` does.
 */
export function parseUrl(text: string, absolute = false): ParsedUrl | undefined {
  if (/[\x00-\x1f\x7f]/.test(text) || (absolute && text === '')) return undefined;
  const whole = absolute ? text : text.replace(/#.*$/s, '');
  if (!escapesAreWhole(text.slice(whole.length))) return undefined;
  const [, given = '', afterScheme = whole] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(whole) ?? [];
  const scheme = given.toLowerCase();
  const rest = afterScheme.replace(/\?.*$/s, '');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme };
    const segment = rest.split('/')[0];
    return absolute || segment.includes(':') || !escapesAreWhole(rest) ? undefined : { scheme };
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!absolute && !rest.startsWith('///')));
  if (!hasAuthority) return escapesAreWhole(rest) ? { scheme } : undefined;
  const [, authority, path] = /^\/\/([^/]*)(.*)$/s.exec(rest)!;
  return authorityIsGood(authority) && escapesAreWhole(path) ? { scheme } : undefined;
}

const escapesAreWhole = (text: string): boolean => !/%(?![\da-f]{2})/i.test(text);

function authorityIsGood(authority: string): boolean {
  const [, user = '', host] = /^(?:(.*)@)?(.*)$/s.exec(authority)!;
  if (!/^[\w.~!$&'()*+,;=:%@-]*$/.test(user) || !escapesAreWhole(user)) return false;
  // the text after the address in brackets, or after the last colon, is a port
  if (!(host.startsWith('[') ? /\](:\d*)?$/ : /^([^:]*|.*:\d*)$/s).test(host)) return false;
  // an escape below 0x80 in a host could hide a separator
  return !/[\s{}|\\^`#?/@]/.test(host) && escapesAreWhole(host) && !/%(?!25)[0-7]/.test(host);
}
