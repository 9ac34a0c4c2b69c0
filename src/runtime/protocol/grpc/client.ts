import { connect as connectSocket } from 'node:net';
import type { Socket } from 'node:net';
import { plainText } from '../../../api/plain-text';
import { ErrorCode } from '../transport';
import type { Connection, Headers, Stream, StreamEnd, StreamHandlers, Transport } from '../transport';
import type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from './definition';
import { pathOf } from './definition';
import { errorOf, GrpcError, GrpcStatus } from './status';
import {
  Budget,
  checkSocketPath,
  decodeStatusMessage,
  DEFAULT_MAX_MESSAGE_BYTES,
  Deframer,
  formatTimeout,
  frame,
  HEADER_BYTES,
} from './wire';

export interface CallOptions {
  /** DEADLINE_EXCEEDED after this time, also at the server. Unary calls have a default, streams have none. */
  readonly timeoutMs?: number;
  /** Aborting it cancels the call, also at the server. */
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
  /** Timeout of unary calls that set none. @default 10,000 */
  readonly defaultTimeoutMs?: number;
  /** Concurrent calls; further ones fail with RESOURCE_EXHAUSTED. @default 64 */
  readonly maxCalls?: number;
  /** Bytes of answers that all calls together may hold; the call that exceeds them fails. @default 4 messages */
  readonly maxBufferedBytes?: number;
  /** Called when an established connection has ended. The next call connects again. */
  readonly onDisconnect?: () => void;
}

const MAX_CALLS = 64;
/** Characters of a server's message. */
const MAX_DETAILS = 1_024;

/** Unary and server-streaming gRPC over one connection to a unix socket, which is opened on demand. */
export class TransportClient {
  private current?: { connection: Connection; socket: Socket };
  private closed = false;
  private calls = 0;
  private readonly budget: Budget;
  private readonly where: string;
  private readonly open: () => Socket;

  /** `to`: a socket path, or a function that opens a connection (and throws if it cannot). */
  public constructor(
    private readonly transport: Transport,
    to: string | (() => Socket),
    private readonly options: GrpcClientOptions = {},
  ) {
    this.budget = new Budget(options.maxBufferedBytes ?? 4 * this.maxMessageBytes);
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

  /** Resolves once connected; rejects with the cause if nothing listens. Calls connect automatically. */
  public async connect(): Promise<void> {
    const { socket } = this.connected();
    if (!socket.connecting) return;
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', (error) => reject(this.unavailable(error)));
      socket.once('close', () => reject(this.unavailable()));
    });
  }

  /** Closes the connection; its calls end with UNAVAILABLE. */
  public close(): void {
    this.closed = true;
    this.current?.connection.destroy();
  }

  private get maxMessageBytes(): number {
    return this.options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
  }

  private connected(): { connection: Connection; socket: Socket } {
    if (this.closed) throw new GrpcError(GrpcStatus.UNAVAILABLE, `the client of ${this.where} was closed`);
    if (this.current && !this.current.connection.ended) return this.current;
    let socket: Socket;
    try {
      socket = this.open();
    } catch (error) {
      throw this.unavailable(error);
    }
    let established = !socket.connecting;
    socket.once('connect', () => (established = true));
    const connection = this.transport(socket, 'client', {
      close: () => {
        if (this.current?.connection === connection) this.current = undefined;
        if (established && !this.closed) this.options.onDisconnect?.();
      },
    });
    this.current = { connection, socket };
    return this.current;
  }

  private unavailable(cause?: unknown): GrpcError {
    const message = (cause as Error | undefined)?.message;
    return new GrpcError(GrpcStatus.UNAVAILABLE, `connection to ${this.where} failed${message ? `: ${message}` : ''}`);
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
    let call: ClientCall | undefined;
    this.calls++;
    try {
      const { maxCalls = MAX_CALLS } = this.options;
      if (this.calls > maxCalls) {
        throw new GrpcError(GrpcStatus.RESOURCE_EXHAUSTED, `more than ${maxCalls} calls to ${this.where} at a time`);
      }
      const body = frame(method.requestType.encode(request).finish());
      call = new ClientCall(options, this.maxMessageBytes, this.budget, (cause) => this.unavailable(cause));
      call.start(this.connected().connection, requestHeaders(path, options.timeoutMs), body);
      for (let next = await call.next(); next; next = await call.next()) yield method.responseType.decode(next);
    } catch (thrown) {
      const { code, details } = errorOf(thrown);
      throw new GrpcError(code, details, path.slice(1));
    } finally {
      this.calls--;
      call?.release();
    }
  }
}

const requestHeaders = (path: string, timeoutMs: number | undefined): Headers => ({
  ':method': 'POST',
  ':scheme': 'http',
  ':path': path,
  ':authority': 'localhost',
  te: 'trailers',
  'content-type': 'application/grpc+proto',
  'user-agent': 'virt8s',
  ...(timeoutMs === undefined ? {} : { 'grpc-timeout': formatTimeout(timeoutMs) }),
});

/** The client's side of one call: its messages in order, then its status, however it ends. */
class ClientCall implements StreamHandlers {
  private stream?: Stream;
  private readonly deframer: Deframer;
  private readonly queue: Buffer[] = [];
  private status?: Headers;
  /** Result of the call, including OK. */
  private over?: GrpcError;
  private wake?: () => void;
  private readonly timer?: NodeJS.Timeout;
  /** Bytes of the answer that the caller has not read yet. */
  private held = 0;
  private remoteEnded = false;

  public constructor(
    private readonly options: CallOptions,
    maxMessageBytes: number,
    private readonly budget: Budget,
    private readonly unavailable: (cause?: unknown) => GrpcError,
  ) {
    this.deframer = new Deframer(maxMessageBytes);
    if (options.signal?.aborted) this.cancelled();
    options.signal?.addEventListener('abort', this.cancelled, { once: true });
    const { timeoutMs } = options;
    if (timeoutMs === undefined) return;
    const expired = new GrpcError(GrpcStatus.DEADLINE_EXCEEDED, `no answer within ${timeoutMs} ms`);
    this.timer = setTimeout(() => this.finish(expired), Math.min(timeoutMs, 2 ** 31 - 1));
  }

  public start(connection: Connection, headers: Headers, body: Buffer): void {
    if (this.over) return;
    this.stream = connection.request(headers, this);
    this.stream.write(body).catch(() => {}); // the status has the cause
    this.stream.end();
  }

  /** The next message; undefined at the end of a successful call. */
  public async next(): Promise<Buffer | undefined> {
    for (;;) {
      const message = this.queue.shift();
      if (message) {
        this.drop(HEADER_BYTES + message.length);
        this.stream?.consumed(HEADER_BYTES + message.length);
        return message;
      }
      if (this.over?.code === GrpcStatus.OK) return undefined;
      if (this.over) throw this.over;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  public release(): void {
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener('abort', this.cancelled);
    this.queue.length = 0;
    this.drop(this.held);
    this.over ??= new GrpcError(GrpcStatus.CANCELLED, 'the caller stopped reading');
    this.reset();
  }

  public headers(headers: Headers): void {
    const status = headers[':status'];
    if (headers['grpc-status'] !== undefined) this.status = headers;
    else if (status !== undefined && status[0] !== '1' && !isGrpc(headers)) {
      this.finish(new GrpcError(GrpcStatus.UNKNOWN, `not a gRPC answer: HTTP ${plainText(status, 16)}`));
    }
  }

  public data(chunk: Buffer): void {
    if (this.over) return;
    try {
      this.budget.take(chunk.length);
      this.held += chunk.length;
      const messages = this.deframer.push(chunk);
      // credit for messages is given when they are read, so a slow reader slows down the sender
      const queued = messages.reduce((sum, message) => sum + HEADER_BYTES + message.length, 0);
      this.unqueued += chunk.length - queued;
      if (this.unqueued > 0) {
        this.stream?.consumed(this.unqueued);
        this.unqueued = 0;
      }
      this.queue.push(...messages);
      this.wake?.();
    } catch (error) {
      this.finish(errorOf(error));
    }
  }

  public end(): void {
    this.remoteEnded = true;
    const { status } = this;
    if (!status) return this.finish(new GrpcError(GrpcStatus.UNKNOWN, 'the answer has no status'));
    const code = Number(status['grpc-status']);
    this.finish(
      new GrpcError(code, plainText(decodeStatusMessage(status['grpc-message']), MAX_DETAILS) || 'no message'),
    );
  }

  public close(why: StreamEnd): void {
    if (this.status) this.end();
    else if (why.kind === 'reset') this.finish(resetStatus(why.code));
    else this.finish(this.unavailable(why.kind === 'lost' ? why.cause : undefined));
  }

  /** Bytes of queued messages (negative) against bytes that arrived for them before they were complete. */
  private unqueued = 0;

  private readonly cancelled = (): void => this.finish(new GrpcError(GrpcStatus.CANCELLED, 'cancelled by the caller'));

  private finish(over: GrpcError): void {
    this.over ??= over;
    if (this.over.code !== GrpcStatus.OK) this.reset();
    this.wake?.();
  }

  /** A server that has ended the call needs no reset: it would count resets as abuse. */
  private reset(): void {
    if (!this.remoteEnded) this.stream?.reset(ErrorCode.CANCEL);
  }

  private drop(bytes: number): void {
    this.held -= bytes;
    this.budget.give(bytes);
  }
}

const isGrpc = (headers: Headers): boolean =>
  headers[':status'] === '200' && (headers['content-type'] ?? '').startsWith('application/grpc');

/** Error for a reset without status. */
function resetStatus(code: number): GrpcError {
  switch (code) {
    case ErrorCode.CANCEL:
      return new GrpcError(GrpcStatus.CANCELLED, 'cancelled by the server');
    case ErrorCode.REFUSED_STREAM:
      return new GrpcError(GrpcStatus.UNAVAILABLE, 'the server rejected the call');
    case ErrorCode.ENHANCE_YOUR_CALM:
      return new GrpcError(GrpcStatus.RESOURCE_EXHAUSTED, 'the server accepts no more calls for now');
    default:
      return new GrpcError(GrpcStatus.INTERNAL, `the stream was reset (code ${code})`);
  }
}
