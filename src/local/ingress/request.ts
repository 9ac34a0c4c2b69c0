import type { IncomingHttpHeaders } from 'node:http';

/** Changes that the front end makes to a request before it forwards it. Pure. */

/** Origin of a request, and the port that it used. */
export interface Arrival {
  readonly remoteAddress: string;
  readonly port: number;
  readonly tls: boolean;
}

/** Headers that concern one connection (RFC 9110, 7.6.1); `connection`, `upgrade` and `transfer-encoding` are set again. */
const ONE_CONNECTION = ['keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'expect'];
/** Headers by which backends trust a proxy: those of clients are dropped. */
const ORIGIN = /^(x-forwarded-.*|forwarded|x-real-ip)$/;
/** Headers that a client cannot declare as those of its connection. */
const KEPT = ['host', 'upgrade', 'transfer-encoding', 'content-length'];

/** Headers for the backend: those of the client without those of its connection, and its origin. */
export function forwardedHeaders(headers: IncomingHttpHeaders, { remoteAddress, port, tls }: Arrival) {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set(['connection', ...ONE_CONNECTION, ...named.filter((name) => !KEPT.includes(name))]);
  const kept = Object.entries(headers).filter(([name]) => !dropped.has(name) && !ORIGIN.test(name));
  const connection = ['upgrade', 'close'].find((name) => named.includes(name));
  return {
    ...Object.fromEntries(kept),
    ...(connection ? { connection } : {}),
    'x-forwarded-for': remoteAddress.replace(/^::ffff:/, ''),
    'x-forwarded-host': headers.host ?? '',
    'x-forwarded-port': String(port),
    'x-forwarded-proto': tls ? 'https' : 'http',
  } as IncomingHttpHeaders;
}

/** Host of the Host header, without its port. */
export const hostOf = (header = ''): string => header.replace(/:\d*$/, '');

/**
 * Path that is compared with the rules. Undefined for requests that a backend might read as another path: dot segments,
 * also encoded, and targets that are not paths.
 */
export function pathOf(url = ''): string | undefined {
  const path = url.replace(/[?#][^]*$/, '');
  if (!path.startsWith('/')) return undefined;
  const dots = path.split(/[/\\]|%2f|%5c/i).map((segment) => segment.replace(/%2e/gi, '.'));
  return dots.some((segment) => segment === '.' || segment === '..') ? undefined : path;
}
