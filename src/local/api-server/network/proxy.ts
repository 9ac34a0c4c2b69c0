import {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  request as httpRequest,
  ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectPlain } from 'node:net';
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

/** Time limits of a proxied request. */
export interface ProxyTimeouts {
  readonly connectMs: number;
  /** Time until the headers of the response. */
  readonly answerMs: number;
}

export const proxyTimeouts: ProxyTimeouts = { connectMs: 10_000, answerMs: 60_000 };

/** The peer accepted the request, but sent no response in time. */
export class ProxyTimeout extends Error {}

/** The path and query of a request as they were authorized: encoded again, so that every server reads the same. */
export function targetOf({ path, query }: { path: string; query: URLSearchParams }): string {
  const text = query.toString();
  return path.split('/').map(encodeURIComponent).join('/') + (text ? `?${text}` : '');
}

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

/** Makes an error of a failed response; `text` is the start of its body. */
export type Refused = (code: number, text: string) => Error;

const MAX_ERROR_BYTES = 50_000;

export interface ForwardOptions extends ProxyTimeouts {
  readonly refused?: Refused;
  /** Rewrites the `Location` header of the response. */
  readonly location?: (text: string) => string;
}

/** Starts a request to `peer`. A plain connection is used once. */
const requestTo = (peer: Peer, options: { method?: string; path: string; headers: OutgoingHttpHeaders }) =>
  peer.plain
    ? httpRequest({ ...options, host: peer.host, port: peer.port, agent: false })
    : httpsRequest({ ...options, ...tlsOptions(peer) });

/**
 * Forwards a request to `peer` and streams the response back. Rejects if the peer cannot be reached, and with `refused`
 * if it responds with an error.
 */
export function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  peer: Peer,
  path: string,
  headers: OutgoingHttpHeaders,
  { refused, location, connectMs, answerMs }: ForwardOptions = proxyTimeouts,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = requestTo(peer, { method: incoming.method, path, headers });
    const connecting = setTimeout(() => outgoing.destroy(new Error(dialTimeout(peer))), connectMs);
    const answering = setTimeout(() => outgoing.destroy(new ProxyTimeout('no response in time')), answerMs);
    const stopTimers = () => {
      clearTimeout(connecting);
      clearTimeout(answering);
    };
    outgoing.once('socket', (socket) => {
      if (socket.connecting) socket.once(peer.plain ? 'connect' : 'secureConnect', () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    outgoing.once('close', stopTimers);
    outgoing.once('error', (error) => {
      stopTimers();
      if (!response.headersSent) return reject(error);
      response.destroy();
      resolve();
    });
    outgoing.once('response', (answer) => {
      stopTimers();
      const code = answer.statusCode ?? 502;
      if (refused && (code < 200 || code > 206)) {
        return void textOf(answer).then((text) => reject(refused(code, text)), reject);
      }
      const kept = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
      const sent = Object.fromEntries(kept) as OutgoingHttpHeaders;
      if (location && answer.headers.location) sent.location = location(answer.headers.location);
      response.writeHead(code, sent);
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

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_ERROR_BYTES) break;
  }
  return text.slice(0, MAX_ERROR_BYTES).trimEnd();
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
  { connectMs }: ProxyTimeouts = proxyTimeouts,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { agent: _agent, ...options } = tlsOptions(peer);
    const upstream = peer.plain
      ? connectPlain({ host: peer.host, port: peer.port })
      : connect({ ...options, ALPNProtocols: ['http/1.1'] });
    const connecting = setTimeout(() => upstream.destroy(new Error(dialTimeout(peer))), connectMs);
    const leave = () => upstream.destroy(new Error('the client has closed its connection'));
    socket.once('close', leave);
    upstream.once('error', (error) => {
      clearTimeout(connecting);
      socket.off('close', leave);
      reject(error);
    });
    upstream.once(peer.plain ? 'connect' : 'secureConnect', () => {
      clearTimeout(connecting);
      socket.off('close', leave);
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

const dialTimeout = ({ host, port }: Peer) => `dial tcp ${host}:${port}: i/o timeout`;

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
