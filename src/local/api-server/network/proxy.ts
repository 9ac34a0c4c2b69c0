import { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { Peer, tlsOptions } from './https-client';

/** Hop-by-hop headers. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Request headers for the next server, without identity headers of the client. */
export function forwardedHeaders(headers: IncomingHttpHeaders, identity: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !HOP_BY_HOP.includes(name) &&
      !/^(x-remote-|impersonate-)/.test(name) &&
      name !== 'authorization' &&
      name !== 'host',
  );
  return { ...Object.fromEntries(kept), ...identity };
}

/** Forwards a request to `peer` and streams the response back. Rejects if the peer cannot be reached. */
export function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  peer: Peer,
  path: string,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest({ ...tlsOptions(peer), method: incoming.method, path, headers });
    outgoing.once('error', (error) => {
      if (!response.headersSent) return reject(error);
      response.destroy();
      resolve();
    });
    outgoing.once('response', (answer) => {
      const kept = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept) as OutgoingHttpHeaders);
      response.flushHeaders();
      answer.pipe(response);
      answer.once('error', () => response.destroy());
      answer.once('end', resolve);
    });
    response.once('close', () => {
      outgoing.destroy();
      resolve();
    });
    incoming.pipe(outgoing);
  });
}

/**
 * Passes a request that switches protocols: sends its head to `peer`, then joins both connections byte by byte.
 * The response of the peer (101 or an error) is passed to the client unchanged. Rejects if the peer cannot be reached.
 */
export function tunnel(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  peer: Peer,
  path: string,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { agent: _agent, ...options } = tlsOptions(peer);
    const upstream = connect({ ...options, ALPNProtocols: ['http/1.1'] });
    upstream.once('error', (error) => {
      socket.destroy();
      reject(error);
    });
    upstream.once('secureConnect', () => {
      upstream.removeAllListeners('error');
      const lines = Object.entries({
        Host: `${peer.host}:${peer.port}`,
        ...headers,
        Connection: 'Upgrade',
        Upgrade: incoming.headers.upgrade ?? 'websocket',
      }).flatMap(([name, value]) =>
        value === undefined ? [] : [value].flat().map((item) => `${name}: ${String(item).replace(/[\r\n]/g, '')}`),
      );
      upstream.write(`${incoming.method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      if (head.length) upstream.write(head);
      join(socket, upstream);
      resolve();
    });
  });
}

/** Connects two sockets; when one ends or fails, the other does as well. */
function join(a: Duplex, b: Duplex): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ]) {
    (from as { setNoDelay?(on: boolean): void }).setNoDelay?.(true);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
}
