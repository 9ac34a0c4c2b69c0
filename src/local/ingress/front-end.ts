import {
  createServer as createHttpServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { createProxyServer } from 'httpxy';
import { readAsStreams } from '../../runtime/kube/tls-reading';
import type { Log } from '../log';
import { forwardedHeaders, hostOf, pathOf } from './request';
import { match, type Backend, type RouteTable, type Target } from './routes';

export interface FrontEndOptions {
  /** Key and certificate for hosts without one of their own, PEM. */
  readonly defaultCertificate: { readonly cert: string; readonly key: string };
  /** Certificate of a host name. */
  readonly certificateOf: (host: string) => SecureContext | undefined;
  readonly limits?: Partial<FrontEndLimits>;
  readonly log: Log;
}

export interface FrontEndLimits {
  /** Open connections, in all and per remote address. Further ones are closed. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Requests of one connection that are not answered yet: a client may send them without waiting. */
  readonly pipelined: number;
  /** Time from the start of a request to the end of its headers, and of its body. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Time without a byte of a client or of a backend. Upgraded connections have no such limit. */
  readonly idleMs: number;
}

export const frontEndLimits: FrontEndLimits = {
  connections: 1024,
  connectionsPerAddress: 512,
  pipelined: 16,
  headersMs: 10_000,
  requestMs: 600_000,
  idleMs: 120_000,
};

const MAX_HEADER_BYTES = 32 * 1024;
const MAX_HEADERS = 200;
const KEEP_ALIVE_MS = 60_000;
const ANSWER_MS = 5_000;

/** Receives HTTP and HTTPS requests and forwards each to an endpoint of its route. */
export class FrontEnd {
  private readonly limits: FrontEndLimits;
  private readonly http: Server;
  private readonly https: Server;
  private readonly sockets = new Map<Socket, string>();
  private readonly unanswered = new WeakMap<object, number>();
  private readonly proxy = createProxyServer();
  private table: RouteTable = { hosts: new Map(), certificates: new Map() };
  private turn = 0;

  public constructor(private readonly options: FrontEndOptions) {
    const limits = { ...frontEndLimits, ...options.limits };
    this.limits = limits;
    const common = {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.max(50, limits.headersMs / 4),
      // other protocols, such as HTTP/2 without TLS, are not offered
      shouldUpgradeCallback: isWebSocket,
    };
    this.http = createHttpServer(common);
    this.https = createHttpsServer({
      ...common,
      ...options.defaultCertificate,
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: limits.headersMs,
      SNICallback: (name, done) => done(null, options.certificateOf(name.toLowerCase())),
    });
    readAsStreams(this.https);
    for (const server of [this.http, this.https]) {
      // a client learns that its backend is silent before its own connection counts as idle
      server.timeout = limits.idleMs + ANSWER_MS;
      // Node drops headers over its limit silently; they are counted instead
      server.maxHeadersCount = 0;
      server.on('connection', (socket: Socket) => this.admit(socket));
      server.on('request', (request, response) => this.serve(request, response));
      server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
    }
    this.https.on('tlsClientError', (_error, socket) => socket.destroy());
    this.proxy.on('proxyRes', (backend, _request, response) => {
      if (sanitize(backend)) return;
      answer(response, 502, 'the backend sent a response that is not HTTP');
      backend.destroy();
    });
    this.proxy.on('proxyReq', (forwarded, _request, response) => {
      const late = Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
      forwarded.prependOnceListener('timeout', () => forwarded.destroy(late));
      forwarded.once('upgrade', (_response, socket) => {
        socket.destroy();
        answer(response, 502, 'the backend changed the protocol without a request for it');
      });
    });
    this.proxy.on('error', (error, _request, response) => this.failed(error, response));
  }

  /** Listens on an address, on the first free port of each list. @returns the ports */
  public async start(address: string, ports: { readonly http: readonly number[]; readonly https: readonly number[] }) {
    return {
      http: await listen(this.http, address, ports.http),
      https: await listen(this.https, address, ports.https),
    };
  }

  public route(table: RouteTable): void {
    this.table = table;
  }

  public async close(): Promise<void> {
    const closed = [this.http, this.https].map((server) => new Promise((resolve) => server.close(resolve)));
    for (const socket of this.sockets.keys()) socket.destroy();
    await Promise.all(closed);
  }

  /** Bounds connections. The table of sockets has those of HTTPS before their handshake. */
  private admit(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const address = socket.remoteAddress ?? '';
    const ofAddress = [...this.sockets.values()].filter((other) => other === address).length;
    if (this.sockets.size >= this.limits.connections || ofAddress >= this.limits.connectionsPerAddress) {
      return void socket.destroy();
    }
    this.sockets.set(socket, address);
    socket.once('close', () => this.sockets.delete(socket));
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const waiting = (this.unanswered.get(socket) ?? 0) + 1;
    this.unanswered.set(socket, waiting);
    response.once('close', () => this.unanswered.set(socket, (this.unanswered.get(socket) ?? 1) - 1));
    if (waiting > this.limits.pipelined) return void socket.destroy();
    const found = this.targetOf(request);
    if ('code' in found) return answer(response, found.code, found.text);
    request.headers = forwardedHeaders(request.headers, arrivalOf(request));
    this.proxy
      .web(request, response, {
        target: addressOf(found),
        agent: false,
        secure: false,
        proxyTimeout: this.limits.idleMs,
      })
      .catch((error: unknown) => this.failed(error, response));
  }

  private upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const socket = stream as Socket;
    socket.on('error', () => socket.destroy());
    const found = isWebSocket(request)
      ? this.targetOf(request)
      : { code: 400, text: 'connections can be upgraded only to websockets' };
    if ('code' in found) return void socket.end(rawAnswer(found.code, found.text));
    request.headers = forwardedHeaders(request.headers, arrivalOf(request));
    const options = { target: addressOf(found), agent: false, secure: false, upgradeTimeout: this.limits.idleMs };
    this.proxy.ws(request, socket, options, head).catch((error: unknown) => this.failed(error, socket));
  }

  /** An endpoint of the request's route, or the answer to a request without one. */
  private targetOf(request: IncomingMessage): Target | { code: number; text: string } {
    if (request.rawHeaders.length / 2 > MAX_HEADERS) {
      return { code: 431, text: `a request may have at most ${MAX_HEADERS} headers` };
    }
    const path = pathOf(request.url);
    if (path === undefined) return { code: 400, text: 'the path must begin with / and have no segments . or ..' };
    const host = hostOf(request.headers.host);
    const backend: Backend | undefined = match(this.table, host, path);
    if (!backend) return { code: 404, text: `no Ingress has a rule for ${JSON.stringify(host)} and this path` };
    const { targets, problem } = backend;
    return targets[this.turn++ % targets.length] ?? { code: 503, text: problem };
  }

  private failed(error: unknown, to: unknown): void {
    const { code } = error as NodeJS.ErrnoException;
    const late = code === 'ETIMEDOUT' || code === 'ERR_UPSTREAM_UPGRADE_TIMEOUT';
    const text = `the endpoint of the backend did not answer${code ? ` (${code})` : ''}`;
    this.options.log('warn', 'an endpoint did not answer', { error: String(error) });
    if (to && typeof to === 'object' && 'writeHead' in to) answer(to as ServerResponse, late ? 504 : 502, text);
    else if (to) (to as Socket).end(rawAnswer(late ? 504 : 502, text));
  }
}

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

const addressOf = ({ host, port, tls }: Target) => ({ protocol: tls ? 'https:' : 'http:', host, port });

function arrivalOf({ socket }: IncomingMessage) {
  const { remoteAddress = '', localPort: port = 0 } = socket;
  return { remoteAddress, port, tls: 'encrypted' in socket };
}

/**
 * Removes from a backend's response what Node would refuse to send, with an error that ends the process, and what concerns
 * only its connection. @returns whether the response can be sent
 */
function sanitize(response: IncomingMessage): boolean {
  const { statusCode = 0, headers } = response;
  response.statusMessage = STATUS_CODES[statusCode] ?? '';
  for (const name of ['connection', 'keep-alive', 'proxy-authenticate', 'trailer', 'upgrade']) delete headers[name];
  return statusCode >= 200 && statusCode <= 599;
}

const bodyOf = (code: number, text: string): string => `${code} ${STATUS_CODES[code]}: ${text}\n`;

function answer(response: ServerResponse, code: number, text: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(code, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
  response.end(bodyOf(code, text));
}

function rawAnswer(code: number, text: string): string {
  const body = bodyOf(code, text);
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** @throws Error if no port is free */
async function listen(server: Server, host: string, [port = 0, ...others]: readonly number[]): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    if (others.length) return listen(server, host, others);
    throw error;
  }
  // accept(2) fails when files run out; connections then wait in the kernel
  server.on('error', () => undefined);
  return (server.address() as AddressInfo).port;
}
