const MAX_MESSAGE = 600;

/**
 * A message that repeats what somebody wrote is as long as that: its middle is left out. URLs in it say where something
 * is, and no longer what lets somebody in.
 */
export function brief(message: string): string {
  const text = message.includes('://') ? message.replace(URL_WITHIN, withoutCredentials) : message;
  if (text.length <= MAX_MESSAGE) return text;
  return `${text.slice(0, MAX_MESSAGE / 2)}…${text.slice(-MAX_MESSAGE / 2)}`;
}

const URL_WITHIN = /\b[a-z][\w+.-]{0,30}:\/\/[^\s"'<>]*/gi;

/** `https://…@host/path?…`: a URL, even a malformed one, without user, password and query. The digest of an image stays. */
export function withoutCredentials(url: string): string {
  const [place, query] = url.split(/\?(.*)/s, 2);
  const scheme = /^[a-z][\w+.-]{0,30}:\/\//i.exec(place)?.[0] ?? '';
  const rest = place.slice(scheme.length).replace(/^.*@(?!sha\d+:)/s, '…@');
  return `${scheme}${rest}${query === undefined ? '' : '?…'}`;
}
