import { AddressInfo, createServer as createTcpServer, Server as TcpServer, Socket } from 'node:net';
import { createServer, Server } from 'node:https';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { readAsStreams } from '../../../runtime/kube/tls-reading';
import { KeyPair } from '../types';
import { Connections } from './connections';
import { isWellFormed } from './request-info';

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: KeyPair;
  /** CA of client certificates, in PEM. */
  readonly clientCa: string;
  readonly timeouts?: Partial<ListenerTimeouts>;
}

export interface ListenerTimeouts {
  /** Time to complete a TLS handshake. */
  readonly handshakeMs: number;
  /** Time from the start of a request, or of its connection, to the end of its headers. */
  readonly headersMs: number;
  /** Idle time after which a connection is closed. */
  readonly idleMs: number;
}

export const listenerTimeouts: ListenerTimeouts = { handshakeMs: 10_000, headersMs: 10_000, idleMs: 90_000 };

/** Handshakes at the same time. Each costs about 1 ms of CPU, so that a flood must not fill a turn of the event loop. */
const MAX_HANDSHAKES = 16;
/** Accepted connections that wait for their handshake. Beyond it, the oldest is closed. */
const MAX_WAITING = 512;
/** Bytes of the request line and the headers. A larger request is answered with 431. */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_HEADERS = 256;
/** Time for the client to read the answer to a request whose body was not read completely. */
const LINGER_MS = 500;

const REFUSALS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

export interface RequestHandler {
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
}

/** One HTTPS address of the server, with limits on connections, handshakes, headers and their time. */
export class Listener {
  private readonly tcp: TcpServer;
  private readonly https: Server;
  private readonly waiting = new Set<Socket>();
  /** Connections in their handshake, by remote address and port. */
  private readonly handshakes = new Map<string, Socket>();

  public constructor(
    private readonly options: ListenerOptions,
    private readonly connections: Connections,
    handler: RequestHandler,
  ) {
    const { handshakeMs, headersMs, idleMs } = { ...listenerTimeouts, ...options.timeouts };
    this.https = createServer({
      ...options.tls,
      ca: options.clientCa,
      requestCert: true,
      // An invalid certificate gets a 401 response instead of a failed handshake.
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: handshakeMs,
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.max(50, headersMs / 4),
      // Bodies have their own limit (readBody); proxied requests may be long-lived.
      requestTimeout: 0,
      keepAliveTimeout: idleMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    readAsStreams(this.https);
    // Node drops headers over its limit silently; they are counted instead.
    this.https.maxHeadersCount = 0;
    this.https.on('request', (request: IncomingMessage, response: ServerResponse) => {
      response.once('finish', () => closeUnread(request));
      const problem = problemOf(request);
      if (!problem) return void handler.serve(request, response);
      response.writeHead(problem.code, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
      response.end(problem.text);
    });
    this.https.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const problem = problemOf(request);
      if (!problem) return void handler.upgrade(request, socket, head);
      socket.on('error', () => socket.destroy());
      socket.end(`HTTP/1.1 ${problem.text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    });
    this.https.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => this.refuse(error, socket));
    this.https.on('secureConnection', (socket: TLSSocket) => this.secured(socket));
    this.https.on('tlsClientError', (_error, socket: TLSSocket) => {
      this.endHandshake(keyOf(socket));
      socket.destroy();
    });
    // otherwise the second packet of a response waits up to 40 ms for the client's acknowledgement of the first
    this.tcp = createTcpServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.accept(socket));
  }

  public start(): Promise<number> {
    const { port, host } = this.options;
    return new Promise((resolve, reject) => {
      this.tcp.once('error', reject);
      this.tcp.listen(port, host, () => {
        this.tcp.off('error', reject);
        // accept(2) fails when files run out; the connection stays in the queue of the kernel
        this.tcp.on('error', () => {});
        // starts the check of the time for headers, because the TLS server itself does not listen
        this.https.emit('listening');
        resolve((this.tcp.address() as AddressInfo).port);
      });
    });
  }

  public async close(): Promise<void> {
    for (const socket of [...this.waiting, ...this.handshakes.values()]) socket.destroy();
    this.https.close();
    await new Promise((resolve) => this.tcp.close(resolve));
  }

  private accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.waiting.delete(socket);
      this.endHandshake(keyOf(socket), socket);
    });
    this.waiting.add(socket);
    if (this.waiting.size > MAX_WAITING) {
      const [oldest] = this.waiting;
      oldest.destroy();
      this.waiting.delete(oldest);
    }
    this.nextHandshake();
  }

  private nextHandshake(): void {
    while (this.handshakes.size < MAX_HANDSHAKES) {
      const [socket] = this.waiting;
      if (!socket) return;
      this.waiting.delete(socket);
      const key = keyOf(socket);
      if (socket.destroyed || !key) continue;
      this.handshakes.set(key, socket);
      this.https.emit('connection', socket);
      socket.resume();
    }
  }

  private endHandshake(key: string | undefined, socket?: Socket): void {
    if (!key || (socket && this.handshakes.get(key) !== socket)) return;
    if (this.handshakes.delete(key)) setImmediate(() => this.nextHandshake());
  }

  /** Answers a request that cannot be parsed or is too slow. */
  private refuse({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
    if (!socket.writable || this.connections.isBusy(socket)) return void socket.destroy();
    socket.end(`HTTP/1.1 ${REFUSALS[code] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  private secured(socket: TLSSocket): void {
    this.endHandshake(keyOf(socket));
    if (this.connections.add(socket, socket.remoteAddress ?? '')) {
      socket.once('close', () => this.connections.remove(socket));
    }
  }
}

const keys = new WeakMap<object, string>();

/** Identity of a connection, which its socket and its TLS socket share. */
function keyOf(socket: Socket): string | undefined {
  const known = keys.get(socket);
  if (known || !socket.remotePort) return known;
  const key = `${socket.remoteAddress} ${socket.remotePort}`;
  keys.set(socket, key);
  return key;
}

function problemOf({ url = '', rawHeaders }: IncomingMessage): { code: number; text: string } | undefined {
  if (!isWellFormed(url)) return { code: 400, text: '400 Bad Request' };
  if (rawHeaders.length / 2 > MAX_HEADERS) return { code: 431, text: '431 Request Header Fields Too Large' };
  return undefined;
}

/** Closes a connection whose request was answered before its body was received, after the client could read the answer. */
function closeUnread(request: IncomingMessage): void {
  if (request.complete) return;
  request.resume();
  const timer = setTimeout(() => request.complete || request.socket.destroy(), LINGER_MS);
  timer.unref();
}
