import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { ApiError } from './api-error';
import type { KubeConfig } from './config';

export interface RequestOptions {
  readonly query?: Record<string, string | number | boolean | undefined>;
  readonly contentType?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** Silence on the connection after which the request fails. Default: 60 s. */
  readonly timeoutMs?: number;
  /** The answer may last: it gets a connection outside the pool for short requests. */
  readonly streaming?: boolean;
}

/** Server-side apply: a second time changes nothing. JSON is YAML. */
export const APPLY_PATCH = 'application/apply-patch+yaml';
const TIMEOUT_MS = 60_000;
/** A peer that vanished without a word is noticed after this and ten more seconds. */
const KEEP_ALIVE_MS = 15_000;
const TOKEN_TTL_MS = 60_000;
/** Idle connections. After a restart of the server, all of them are dead. */
const MAX_KEPT = 4;
/** How often a request is repeated that the server put off (429 with Retry-After). */
const MAX_PUT_OFFS = 4;

/** Connections, TLS and credentials to one API server. */
export class Transport {
  private readonly base: URL;
  private readonly agent: http.Agent | https.Agent;
  private readonly streamAgent: http.Agent | https.Agent;
  private token?: { value: string; readAt: number };

  public constructor(
    private readonly config: KubeConfig,
    private readonly userAgent: string,
  ) {
    this.base = new URL(config.server);
    const Agent = this.base.protocol === 'http:' ? http.Agent : https.Agent;
    const tls = {
      ca: config.ca,
      cert: config.cert,
      key: config.key,
      ...serverName(config),
      rejectUnauthorized: !config.insecureSkipTlsVerify,
      keepAlive: true,
      keepAliveMsecs: KEEP_ALIVE_MS,
    };
    this.agent = new Agent({ ...tls, maxSockets: 8, maxFreeSockets: MAX_KEPT });
    this.streamAgent = new Agent({ ...tls, maxFreeSockets: 0 });
  }

  /** The answer's head; its body is still to be read. */
  public async open(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions,
  ): Promise<http.IncomingMessage> {
    for (let putOffs = 0; ; putOffs++) {
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
        ca: this.config.ca,
        cert: this.config.cert,
        key: this.config.key,
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
        readBody(response).then(
          (text) => reject(ApiError.of(response.statusCode ?? 0, text, `websocket ${path}`)),
          reject,
        );
      });
    });
  }

  public close(): void {
    this.agent.destroy();
    this.streamAgent.destroy();
  }

  private async once(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions,
  ): Promise<http.IncomingMessage> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.send(method, path, body, options);
      } catch (error) {
        // the server closed a kept connection while the request was on its way; what is idempotent is safe to repeat
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
    const { timeoutMs = TIMEOUT_MS } = options;
    const { request } = this.base.protocol === 'http:' ? http : https;
    return new Promise((resolve, reject) => {
      const outgoing = request({
        method,
        hostname: this.base.hostname.replace(/^\[|\]$/g, ''),
        port: this.base.port || undefined,
        path: this.base.pathname.replace(/\/$/, '') + withQuery(path, options.query),
        agent: options.streaming ? this.streamAgent : this.agent,
        signal: options.signal,
        headers: {
          ...this.headers(),
          ...(payload && {
            'Content-Type': options.contentType ?? 'application/json',
            'Content-Length': payload.length,
          }),
          ...options.headers,
        },
      });
      outgoing.setTimeout(timeoutMs, () =>
        outgoing.destroy(
          Object.assign(new Error(`${method} ${this.config.server}${path}: no answer for ${timeoutMs / 1000} s`), {
            code: 'ETIMEDOUT',
          }),
        ),
      );
      // the agent would do so only for idle connections; a watch whose peer is gone must be noticed, too
      outgoing.once('socket', (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
      outgoing.once('response', resolve);
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        reject(outgoing.reusedSocket && isReset ? Object.assign(error, { isStale: true }) : error);
      });
      outgoing.end(payload);
    });
  }

  private headers(): Record<string, string> {
    const token = this.bearer();
    return {
      Accept: 'application/json',
      'User-Agent': this.userAgent,
      ...(token && { Authorization: `Bearer ${token}` }),
    };
  }

  private bearer(): string | undefined {
    if (!this.config.tokenFile) return this.config.token;
    if (!this.token || Date.now() - this.token.readAt > TOKEN_TTL_MS) {
      this.token = { value: readFileSync(this.config.tokenFile, 'utf8').trim(), readAt: Date.now() };
    }
    return this.token.value;
  }
}

/** TLS server name, when it is not the host of the URL. */
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

/** The whole body as text. */
export async function readBody(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Calls `onLine` for each complete line, in order; resolves at the end of the stream or when `signal` fires. What
 * `onLine` throws ends the stream and is thrown.
 */
export function readLines(
  response: http.IncomingMessage,
  onLine: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    let rest: string[] = [];
    let failed = false;
    const fail = (error: unknown): void => {
      if (failed) return;
      failed = true;
      response.destroy();
      if (signal?.aborted) resolve();
      else reject(error);
    };
    response.on('data', (chunk: Buffer) => {
      if (failed) return;
      const lines = decoder.write(chunk).split('\n');
      const last = lines.pop() ?? '';
      try {
        for (const line of lines) {
          const whole = rest.length ? rest.join('') + line : line;
          rest = [];
          if (whole.trim()) onLine(whole);
        }
      } catch (error) {
        fail(error);
        return;
      }
      if (last) rest.push(last);
    });
    response.once('error', fail);
    response.once('aborted', () => fail(new Error('the API server closed the stream in the middle')));
    // a cut last line is dropped: the watch is resumed before it
    response.once('end', () => !failed && resolve());
    response.once('close', () => !failed && resolve());
  });
}
