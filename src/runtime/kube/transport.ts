import * as http from 'node:http';
import * as https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { WebSocket } from 'ws';
import { ApiError } from './api-error';
import { readBody } from './bodies';
import type { KubeConfig } from './config';
import { Credentials } from './credentials';
import type { TlsIdentity } from './credentials';
import type { ObservedRequest, RequestObserver } from './observers';
import { TokenBucket } from './rate-limiter';
import type { RateLimit } from './rate-limiter';

export interface RequestOptions {
  readonly query?: Record<string, string | number | boolean | undefined>;
  readonly contentType?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** Silence on the connection after which the request fails. Default: 60 s. */
  readonly timeoutMs?: number;
  /** Whether the response may last long: it gets a connection outside the pool for short requests. */
  readonly streaming?: boolean;
}

/** Server-side apply, which is idempotent. JSON is YAML. */
export const APPLY_PATCH = 'application/apply-patch+yaml';
const TIMEOUT_MS = 60_000;
/**
 * Limit for connecting, with TLS. The kernel waits longer before each try, up to a minute: without this limit, a program
 * would notice only then that an unreachable server is back.
 */
const CONNECT_MS = 10_000;
/** Idle time after which keepalive probes detect a vanished peer, ten more seconds later. */
const KEEP_ALIVE_MS = 15_000;
/** Limit for a whole exchange: waiting for a connection, and a response that arrives byte by byte. */
const DEADLINE_MS = 180_000;
/** Limit for error responses; a Status with its causes is far smaller. */
const MAX_REFUSAL_BYTES = 1024 * 1024;
/** Limit for idle connections, all of which break when the server restarts. */
const MAX_KEPT = 4;
/** Number of retries of a request that the server postponed (429 with Retry-After). */
const MAX_PUT_OFFS = 4;

export interface TransportOptions {
  readonly userAgent: string;
  /** Silence after which a request fails, unless the request sets another timeout. Default: 60 s. */
  readonly timeoutMs?: number;
  /** Limit for a request with its whole response; streams have none. Default: 3 minutes. */
  readonly deadlineMs?: number;
  /** Rate limit of all requests except streams. Default: no limit. */
  readonly rateLimit?: RateLimit;
  /** Called for renewed certificates or tokens that are invalid; the previous ones stay in use. */
  readonly onCredentialError?: (error: Error) => void;
  readonly observer?: RequestObserver;
}

/** Connections, TLS and credentials of one API server. */
export class Transport {
  private readonly base: URL;
  private readonly credentials: Credentials;
  private identity: TlsIdentity;
  private agent: http.Agent;
  private streamAgent: http.Agent;
  /** Agents with previous certificates, whose connections are still in use. */
  private retired: http.Agent[] = [];
  private bucket?: TokenBucket;

  public constructor(
    private readonly config: KubeConfig,
    private readonly options: TransportOptions,
  ) {
    this.base = new URL(config.server);
    this.credentials = new Credentials(config, options.onCredentialError);
    this.identity = this.credentials.tls();
    this.agent = this.newAgent(this.identity, { maxSockets: 8, maxFreeSockets: MAX_KEPT });
    this.streamAgent = this.newAgent(this.identity, { maxFreeSockets: 0 });
    this.limitRate(options.rateLimit);
  }

  public limitRate(limit: RateLimit | undefined): void {
    const { qps, burst } = this.bucket?.limit ?? {};
    // setting the same limit again must not refill the bucket
    if (limit && limit.qps === qps && limit.burst === burst) return;
    this.bucket = limit && new TokenBucket(limit, performance.now());
  }

  /** Sends a request and reads the whole response, within the deadline. */
  public async exchange(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions,
  ): Promise<{ response: http.IncomingMessage; text: string }> {
    const ms = this.options.deadlineMs ?? DEADLINE_MS;
    const deadline = new AbortController();
    const timer = setTimeout(
      () =>
        deadline.abort(
          failure('ETIMEDOUT', `${method} ${this.config.server}${path}: not completed within ${ms / 1000} s`),
        ),
      ms,
    ).unref();
    const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
    try {
      const response = await this.open(method, path, body, { ...options, signal });
      return { response, text: await readBody(response) };
    } catch (error) {
      throw deadline.signal.aborted && !options.signal?.aborted ? deadline.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a request and returns the response's head; the caller reads its body. */
  public async open(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions,
  ): Promise<http.IncomingMessage> {
    const observed = this.observed(method, path, options);
    for (let putOffs = 0; ; putOffs++) {
      if (!options.streaming) await this.turn(observed, options.signal);
      const response = await this.once(method, path, body, options);
      const retryAfter = Number(response.headers['retry-after']);
      if (response.statusCode !== 429 || !(retryAfter >= 0) || putOffs >= MAX_PUT_OFFS) return response;
      response.resume();
      await sleep(Math.min(retryAfter, 10) * 1000, undefined, { signal: options.signal });
    }
  }

  public async websocket(path: string, protocols: string[], signal?: AbortSignal): Promise<WebSocket> {
    signal?.throwIfAborted();
    const { WebSocket } = await import('ws');
    const url = new URL(this.base.pathname.replace(/\/$/, '') + path, this.base);
    url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
    return new Promise<WebSocket>((resolve, reject) => {
      const socket = new WebSocket(url, protocols, {
        ...this.credentials.tls(),
        ...serverName(this.config),
        rejectUnauthorized: !this.config.insecureSkipTlsVerify,
        headers: this.headers(),
        perMessageDeflate: false,
        handshakeTimeout: TIMEOUT_MS,
      });
      const abort = (): void => socket.terminate();
      signal?.addEventListener('abort', abort, { once: true });
      socket.once('open', () => {
        socket.off('error', reject);
        resolve(socket);
      });
      socket.once('close', () => signal?.removeEventListener('abort', abort));
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        response.setTimeout(TIMEOUT_MS, () => response.destroy(failure('ETIMEDOUT', `websocket ${path}: no answer`)));
        readBody(response, MAX_REFUSAL_BYTES).then(
          (text) => reject(ApiError.of(response.statusCode ?? 0, text, `websocket ${path}`)),
          reject,
        );
      });
    });
  }

  public close(): void {
    for (const agent of [this.agent, this.streamAgent, ...this.retired]) agent.destroy();
  }

  /** Waits for a token of the rate limiter. */
  private async turn(request: ObservedRequest, signal: AbortSignal | undefined): Promise<void> {
    const { bucket } = this;
    if (!bucket) return;
    const ms = bucket.take(performance.now());
    this.options.observer?.waited(request, Math.max(ms, 0) / 1000);
    if (ms <= 0) return;
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      bucket.giveBack();
      throw error;
    }
  }

  private observed(method: string, path: string, { query }: RequestOptions): ObservedRequest {
    return { method, path: path.split('?', 1)[0], isWatch: query?.watch === true, host: this.base.host };
  }

  private newAgent(identity: TlsIdentity, limits: http.AgentOptions): http.Agent {
    const Agent = this.base.protocol === 'http:' ? http.Agent : https.Agent;
    return new Agent({
      ...identity,
      ...serverName(this.config),
      rejectUnauthorized: !this.config.insecureSkipTlsVerify,
      keepAlive: true,
      keepAliveMsecs: KEEP_ALIVE_MS,
      ...limits,
    } as https.AgentOptions);
  }

  /** New connections use the current certificate. Those in use are kept: a watch or console need not end for a renewal. */
  private followCertificates(): void {
    const identity = this.credentials.tls();
    if (identity === this.identity) return;
    this.identity = identity;
    const before = [this.agent, this.streamAgent];
    this.agent = this.newAgent(identity, { maxSockets: 8, maxFreeSockets: MAX_KEPT });
    this.streamAgent = this.newAgent(identity, { maxFreeSockets: 0 });
    for (const agent of before) {
      agent.maxFreeSockets = 0;
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    }
    this.retired = [...this.retired, ...before].filter(({ sockets }) => Object.keys(sockets).length > 0);
  }

  private async once(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions,
  ): Promise<http.IncomingMessage> {
    for (let tries = 0; ; tries++) {
      const started = performance.now();
      const report = (code?: number): void => {
        const seconds = (performance.now() - started) / 1000;
        this.options.observer?.answered(this.observed(method, path, options), code, seconds);
      };
      try {
        const response = await this.send(method, path, body, options);
        report(response.statusCode);
        return response;
      } catch (error) {
        // a request that its caller no longer needs did not fail
        if (!options.signal?.aborted || isTimeout(options.signal.reason)) report();
        // the server closed a kept connection while the request was on its way; idempotent requests can be repeated
        const isRepeatable = ['GET', 'PUT', 'DELETE'].includes(method) || options.contentType === APPLY_PATCH;
        const isSafe = isRepeatable && !options.signal?.aborted && tries < MAX_KEPT;
        if (!isSafe || !(error as { isStale?: boolean }).isStale) throw error;
      }
    }
  }

  private send(method: string, path: string, body: unknown, options: RequestOptions): Promise<http.IncomingMessage> {
    options.signal?.throwIfAborted();
    const payload =
      body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const timeoutMs = options.timeoutMs ?? this.options.timeoutMs ?? TIMEOUT_MS;
    this.followCertificates();
    const { request } = this.base.protocol === 'http:' ? http : https;
    return new Promise((resolve, reject) => {
      const outgoing = request({
        method,
        hostname: this.base.hostname.replace(/^\[|\]$/g, ''),
        port: this.base.port || undefined,
        path: this.base.pathname.replace(/\/$/, '') + withQuery(path, options.query),
        agent: options.streaming ? this.streamAgent : this.agent,
        signal: options.signal,
        timeout: timeoutMs, // as an option, it also limits the time to connect
        headers: {
          ...this.headers(),
          ...(payload && {
            'Content-Type': options.contentType ?? 'application/json',
            'Content-Length': payload.length,
          }),
          ...options.headers,
        },
      });
      outgoing.once('timeout', () =>
        outgoing.destroy(
          failure('ETIMEDOUT', `${method} ${this.config.server}${path}: no answer for ${timeoutMs / 1000} s`),
        ),
      );
      // the agent does this only for idle connections, but a watch whose peer has vanished must be noticed, too
      outgoing.once('socket', (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
      limitConnecting(outgoing, () =>
        failure('ETIMEDOUT', `${method} ${this.config.server}${path}: no connection within ${CONNECT_MS / 1000} s`),
      );
      outgoing.once('response', (response) => {
        // the token was replaced before its file was checked again
        if (response.statusCode === 401) this.credentials.expire();
        resolve(response);
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        reject(outgoing.reusedSocket && isReset ? Object.assign(error, { isStale: true }) : error);
      });
      outgoing.end(payload);
    });
  }

  private headers(): Record<string, string> {
    const token = this.credentials.token();
    return {
      Accept: 'application/json',
      'User-Agent': this.options.userAgent,
      ...(token && { Authorization: `Bearer ${token}` }),
    };
  }
}

/** Ends a request whose new connection is not established in time. */
function limitConnecting(outgoing: http.ClientRequest, error: () => Error): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => outgoing.destroy(error()), CONNECT_MS);
    const connected = socket instanceof TLSSocket ? 'secureConnect' : 'connect';
    socket.once(connected, () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  });
}

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

const isTimeout = (reason: unknown): boolean => (reason as { code?: string } | undefined)?.code === 'ETIMEDOUT';

/** TLS server name, if it differs from the host of the URL. */
const serverName = (config: KubeConfig): https.AgentOptions =>
  config.serverName ? { servername: config.serverName } : {};

function withQuery(path: string, query: RequestOptions['query'] = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '' && value !== false) params.set(name, String(value));
  }
  const text = params.toString();
  return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path;
}
