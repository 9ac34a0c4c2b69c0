import type { EventEmitter } from 'node:events';
import type { TLSSocket } from 'node:tls';

/**
 * Lets an HTTPS server keep what arrives on a connection while its last response is not flushed.
 *
 * Node.js lets its HTTP parser read from TLS connections directly, unless somebody listens for their data. While a response is
 * not flushed, the parser is paused, but it still gets the other records of the same read, and fails with HPE_PAUSED: a large
 * request that closely followed a large response was answered by closing the connection. A stream keeps the records.
 */
export function readAsStreams(server: EventEmitter): void {
  server.on('secureConnection', (socket: TLSSocket) => socket.on('data', () => undefined));
}
