import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TOKEN_HEADER } from '../../api/export/export-request';

/** Whether a request has the token, as a header or as a parameter of its query. */
export function isAuthorized(
  { headers }: Pick<IncomingMessage, 'headers'>,
  query: URLSearchParams,
  token: string,
): boolean {
  if (token === '') return false;
  const given = [headers[TOKEN_HEADER], query.get(TOKEN_HEADER)];
  return given.some((each) => typeof each === 'string' && isEqual(each, token));
}

/** Compares in a time that depends on neither text: digests have the same length. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
