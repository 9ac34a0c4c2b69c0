import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Those headers of a message that have these names. */
export const only = (names: readonly string[], headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

/**
 * Begins the answer to a client with the status and headers of a server's answer. Servers run in Pods of users, and Node.js
 * reads statuses that it does not write. Returns the cause if the answer cannot be passed on.
 */
export function passHead(
  response: ServerResponse,
  { statusCode = 0, headers }: IncomingMessage,
  names: readonly string[],
  more: OutgoingHttpHeaders = {},
): Error | undefined {
  if (statusCode < 200 || statusCode > 599) return new Error(`the server answered with the status ${statusCode}`);
  try {
    response.writeHead(statusCode, { ...more, ...only(names, headers) });
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
