import type { IncomingMessage, ServerResponse } from 'node:http';

const DRAIN_MS = 10_000;

/**
 * Ends a response whose head and content were sent. Before that, it reads and discards the rest of the body for a limited time:
 * a client that still sends would not see the answer if the connection were closed at once, which `connection: close` makes the
 * end of a response do.
 */
export function endAfterBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return void response.end();
  // without the end, the client has the whole answer
  response.flushHeaders();
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), DRAIN_MS);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  request.once('end', end);
  request.once('close', end);
}

/** Answers with a text, also before the end of the body. */
export function answerText(request: IncomingMessage, response: ServerResponse, code: number, text: string): void {
  const length = code === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', ...length });
  if (text) response.write(text);
  endAfterBody(request, response);
}
