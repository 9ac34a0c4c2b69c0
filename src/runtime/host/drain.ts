import type { IncomingMessage } from 'node:http';

const DRAIN_MS = 10_000;

/**
 * Reads and discards the rest of a body, for a limited time. A client that still sends would not see an answer before the end
 * of its body if the connection were closed at once.
 */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), DRAIN_MS);
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
}
