import type { LogOptions } from './logs';

/** Parses requests to the kubelet. Pure. */

/** Error response. */
export class HttpError extends Error {
  public constructor(
    public readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export interface Route {
  readonly room: string;
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

/** Parses the path of a request. Throws an `HttpError` if it is malformed. */
export function routeOf({ url = '/' }: { url?: string }): Route {
  try {
    // not resolved against a base URL: there, `//` would start a host
    const [path = '', query = ''] = splitOnce(url, '?');
    const [, room = '', ...rest] = path.split('/').map(decodeURIComponent);
    return { room, rest, query: new URLSearchParams(query) };
  } catch {
    throw new HttpError(400, `the path ${JSON.stringify(url.slice(0, 200))} is not correctly percent-encoded`);
  }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Options of `kubectl logs`; `now` in milliseconds. */
export function logOptions(query: URLSearchParams, now: number): LogOptions {
  const number = (name: string, least: number): number | undefined => {
    const text = query.get(name);
    if (text === null) return undefined;
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new HttpError(400, `${name}: "${text}" is not an integer of at least ${least}`);
  };
  const sinceSeconds = number('sinceSeconds', 1);
  const sinceTime = query.get('sinceTime');
  const since = sinceTime ? Date.parse(sinceTime) : sinceSeconds && now - sinceSeconds * 1000;
  if (Number.isNaN(since)) throw new HttpError(400, `sinceTime: "${sinceTime}" is not an RFC 3339 time`);
  return {
    follow: query.get('follow') === 'true',
    timestamps: query.get('timestamps') === 'true',
    tailLines: number('tailLines', 0),
    limitBytes: number('limitBytes', 1),
    since,
  };
}
