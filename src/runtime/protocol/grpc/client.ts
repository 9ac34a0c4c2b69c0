import { connect, constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import type { Socket } from 'node:net';
import type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from './definition';
import { pathOf } from './definition';
import { GrpcError, GrpcStatus } from './status';
import {
  checkSocketPath,
  decodeStatusMessage,
  DEFAULT_MAX_MESSAGE_BYTES,
  Deframer,
  formatTimeout,
  frame,
} from './wire';

export interface CallOptions {
  /** DEADLINE_EXCEEDED after this time; the server is told. A unary call without one could wait for ever. */
  readonly timeoutMs?: number;
  /** CANCELLED when it aborts; the server is told. */
  readonly signal?: AbortSignal;
}

type Call<M extends MethodDefinition> = M['responseStream'] extends true
  ? (request: RequestOf<M>, options?: CallOptions) => AsyncIterable<ResponseOf<M>>
  : (request: RequestOf<M>, options?: CallOptions) => Promise<ResponseOf<M>>;

/** One function per method of the service. */
export type Stub<S extends ServiceDefinition> = { [K in keyof S['methods']]: Call<S['methods'][K]> };

export interface GrpcClientOptions {
  /** Larger answers fail with RESOURCE_EXHAUSTED before they are read. @default 4 MiB */
  readonly maxMessageBytes?: number;
  /** Of unary calls that do not say otherwise. @default 10,000 */
  readonly defaultTimeoutMs?: number;
  /** Called when an established connection ended. The next call connects anew. */
  readonly onDisconnect?: () => void;
}

/** Unary and server-streaming gRPC over one connection to a unix socket, made when first needed. */
export class GrpcClient {
  private session?: ClientHttp2Session;
  private closed = false;

  private readonly where: string;
  private readonly open: () => Socket;

  /** `to`: a socket path, or a function that opens a connection when one is needed (and throws when it cannot). */
  public constructor(
    to: string | (() => Socket),
    private readonly options: GrpcClientOptions = {},
  ) {
    if (typeof to === 'string') checkSocketPath(to);
    this.where = typeof to === 'string' ? to : 'the socket';
    this.open = typeof to === 'string' ? () => connectSocket(to) : to;
  }

  /** Functions for the methods of a service: `client.service(CmdDefinition).ping({})`. */
  public service<S extends ServiceDefinition>(service: S): Stub<S> {
    return Object.fromEntries(
      Object.entries(service.methods).map(([key, method]) => [
        key,
        method.responseStream
          ? (request: unknown, options?: CallOptions) => this.messages(service, method, request, options ?? {})
          : (request: unknown, options?: CallOptions) => this.unary(service, method, request, options ?? {}),
      ]),
    ) as Stub<S>;
  }

  /** Resolves once connected; rejects with the cause when nothing listens. Calls connect by themselves. */
  public async connect(): Promise<void> {
    const session = this.connected();
    if (!session.connecting) return;
    await new Promise<void>((resolve, reject) => {
      session.once('connect', () => resolve());
      session.once('error', (error) => reject(this.unavailable(error)));
      session.once('close', () => reject(this.unavailable()));
    });
  }

  /** Ends the connection and, with UNAVAILABLE, its calls. */
  public close(): void {
    this.closed = true;
    this.session?.destroy();
  }

  private connected(): ClientHttp2Session {
    if (this.closed) throw new GrpcError(GrpcStatus.UNAVAILABLE, `the client of ${this.where} was closed`);
    if (this.session && !this.session.destroyed && !this.session.closed) return this.session;
    let socket: Socket;
    try {
      socket = this.open();
    } catch (error) {
      throw this.unavailable(error);
    }
    const session = connect('http://localhost', {
      createConnection: () => socket,
      maxSessionMemory: 10,
      settings: { enablePush: false },
    });
    let established = false;
    session.once('connect', () => (established = true));
    session.on('error', () => {}); // each call reports it
    session.once('close', () => {
      if (this.session === session) this.session = undefined;
      if (established && !this.closed) this.options.onDisconnect?.();
    });
    session.once('goaway', () => session.close());
    this.session = session;
    return session;
  }

  private unavailable(cause?: unknown): GrpcError {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    return new GrpcError(GrpcStatus.UNAVAILABLE, `connection to ${this.where} failed${why}`);
  }

  private async unary(
    service: ServiceDefinition,
    method: MethodDefinition,
    request: unknown,
    options: CallOptions,
  ): Promise<unknown> {
    const timeoutMs = options.timeoutMs ?? this.options.defaultTimeoutMs ?? 10_000;
    let answer: { message: unknown } | undefined;
    for await (const message of this.messages(service, method, request, { ...options, timeoutMs })) {
      if (answer) throw new GrpcError(GrpcStatus.INTERNAL, 'more than one answer', pathOf(service, method).slice(1));
      answer = { message };
    }
    if (answer) return answer.message;
    throw new GrpcError(GrpcStatus.INTERNAL, 'OK without an answer', pathOf(service, method).slice(1));
  }

  private async *messages(
    service: ServiceDefinition,
    method: MethodDefinition,
    request: unknown,
    options: CallOptions,
  ): AsyncGenerator<unknown, void> {
    const path = pathOf(service, method);
    const named = (error: GrpcError): GrpcError => new GrpcError(error.code, error.details, path.slice(1));
    const body = frame(method.requestType.encode(request).finish());
    const session = this.connected();
    if (options.signal?.aborted) throw named(new GrpcError(GrpcStatus.CANCELLED, 'cancelled by the caller'));
    const stream = session.request({
      ':method': 'POST',
      ':scheme': 'http',
      ':path': path,
      te: 'trailers',
      'content-type': 'application/grpc+proto',
      'user-agent': 'virt8s',
      ...(options.timeoutMs === undefined ? {} : { 'grpc-timeout': formatTimeout(options.timeoutMs) }),
    });
    const call = new ClientCall(stream, options, session, (cause) => this.unavailable(cause));
    stream.end(body);
    const deframer = new Deframer(this.options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES);
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        for (const message of deframer.push(chunk)) yield method.responseType.decode(message);
      }
      const status = await call.status();
      if (status.code !== GrpcStatus.OK) throw status;
      deframer.end();
    } catch (thrown) {
      throw named(thrown instanceof GrpcError ? thrown : await call.failure(thrown));
    } finally {
      call.release();
    }
  }
}

/** The life of one call at the client: its status, however it ends. */
class ClientCall {
  private trailers?: IncomingHttpHeaders;
  private stopped?: GrpcError;
  private readonly timer?: NodeJS.Timeout;
  private readonly ended: Promise<void>;

  public constructor(
    private readonly stream: ClientHttp2Stream,
    private readonly options: CallOptions,
    private readonly session: ClientHttp2Session,
    private readonly unavailable: (cause?: unknown) => GrpcError,
  ) {
    this.ended = new Promise((resolve) => stream.once('close', () => resolve()));
    stream.on('error', () => {}); // the reader reports it
    stream.once('response', (headers) => this.check(headers));
    stream.once('trailers', (headers) => (this.trailers = headers));
    options.signal?.addEventListener('abort', this.cancelled, { once: true });
    if (options.timeoutMs !== undefined) {
      const { timeoutMs } = options;
      const expired = new GrpcError(GrpcStatus.DEADLINE_EXCEEDED, `no answer within ${timeoutMs} ms`);
      this.timer = setTimeout(() => this.stop(expired), Math.min(timeoutMs, 2 ** 31 - 1));
    }
  }

  /** The status that the server sent, or the one that stands for how the stream broke. */
  public async status(): Promise<GrpcError> {
    if (!this.trailers && !this.stopped) await this.ended;
    if (this.stopped) return this.stopped;
    if (!this.trailers) return this.failure();
    const code = Number(this.trailers['grpc-status'] ?? GrpcStatus.UNKNOWN);
    return new GrpcError(code, decodeStatusMessage(this.trailers['grpc-message']) || 'no message');
  }

  /** Status of a stream that ended without trailers. */
  public async failure(cause?: unknown): Promise<GrpcError> {
    if (this.stopped) return this.stopped;
    await this.ended;
    if (this.trailers?.['grpc-status'] !== undefined) return this.status();
    if (this.session.destroyed || this.session.closed) return this.unavailable(cause);
    switch (this.stream.rstCode) {
      case constants.NGHTTP2_CANCEL:
        return new GrpcError(GrpcStatus.CANCELLED, 'cancelled by the server');
      case constants.NGHTTP2_ENHANCE_YOUR_CALM:
        return new GrpcError(GrpcStatus.RESOURCE_EXHAUSTED, 'the server refuses more calls for now');
      case constants.NGHTTP2_REFUSED_STREAM:
        return new GrpcError(GrpcStatus.UNAVAILABLE, 'the server refused the call');
      default:
        return this.unavailable(cause);
    }
  }

  public release(): void {
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener('abort', this.cancelled);
    if (!this.stream.closed) this.stream.close(constants.NGHTTP2_CANCEL);
  }

  private readonly cancelled = (): void => this.stop(new GrpcError(GrpcStatus.CANCELLED, 'cancelled by the caller'));

  private stop(reason: GrpcError): void {
    this.stopped ??= reason;
    this.stream.close(constants.NGHTTP2_CANCEL);
    this.stream.destroy();
  }

  /** A status in the first headers, or a peer that does not speak gRPC. */
  private check(headers: IncomingHttpHeaders & { ':status'?: number }): void {
    if (headers['grpc-status'] !== undefined) {
      this.trailers = headers;
    } else if (headers[':status'] !== 200 || !String(headers['content-type']).startsWith('application/grpc')) {
      this.stop(new GrpcError(GrpcStatus.UNKNOWN, `not a gRPC answer: HTTP ${headers[':status']}`));
    }
  }
}
