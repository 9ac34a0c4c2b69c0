import { unlinkSync } from 'node:fs';
import { constants, createServer } from 'node:http2';
import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from './definition';
import { pathOf } from './definition';
import { errorOf, GrpcError, GrpcStatus } from './status';
import { checkSocketPath, DEFAULT_MAX_MESSAGE_BYTES, Deframer, encodeStatusMessage, frame, parseTimeout } from './wire';

/** What a handler knows of its call besides the request. */
export interface CallContext {
  /** Aborted when the caller cancels, disconnects or its deadline passes; its reason is a GrpcError. */
  readonly signal: AbortSignal;
}

type Handler<M extends MethodDefinition> = M['responseStream'] extends true
  ? (request: RequestOf<M>, context: CallContext) => AsyncIterable<ResponseOf<M>>
  : (request: RequestOf<M>, context: CallContext) => Promise<ResponseOf<M>> | ResponseOf<M>;

/** One function per method; a method without one answers UNIMPLEMENTED. */
export type Handlers<S extends ServiceDefinition> = { [K in keyof S['methods']]?: Handler<S['methods'][K]> };

interface Route {
  readonly method: MethodDefinition;
  readonly handle: (request: unknown, context: CallContext) => unknown;
}

export interface GrpcServerOptions {
  /** Larger requests are refused with RESOURCE_EXHAUSTED before they are read. @default 4 MiB */
  readonly maxMessageBytes?: number;
  /** Connections at one time; further ones are closed at once. @default 16 */
  readonly maxConnections?: number;
}

const CONTENT_TYPE = 'application/grpc+proto';
const MAX_STREAMS_PER_CONNECTION = 64;

/**
 * Unary and server-streaming gRPC on a unix socket.
 * No pings of its own: a peer on this machine that dies closes its socket, one that hangs meets a deadline.
 */
export class GrpcServer {
  private readonly routes = new Map<string, Route>();
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly maxMessageBytes: number;
  private readonly http: Http2Server;

  public constructor(options: GrpcServerOptions = {}) {
    this.maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    this.http = createServer({
      settings: { maxConcurrentStreams: MAX_STREAMS_PER_CONNECTION, maxHeaderListSize: 16_384 },
      maxSessionMemory: 10,
    });
    this.http.maxConnections = options.maxConnections ?? 16;
    this.http.on('session', (session) => {
      this.sessions.add(session);
      session.once('close', () => this.sessions.delete(session));
      session.on('error', () => session.destroy());
    });
    this.http.on('sessionError', () => {}); // the session is gone, its streams were told
    this.http.on('stream', (stream, headers) => void this.serve(stream, headers));
  }

  /** Adds a service; call it before `listen`. */
  public add<S extends ServiceDefinition>(service: S, handlers: Handlers<S>): this {
    for (const [key, method] of Object.entries(service.methods)) {
      const handle = handlers[key as keyof Handlers<S>] as Route['handle'] | undefined;
      if (handle) this.routes.set(pathOf(service, method), { method, handle: handle.bind(handlers) });
    }
    return this;
  }

  /**
   * Binds a unix socket; whatever had its name before is unlinked (never followed).
   * The mode comes from the umask, because a chmod by name could be led elsewhere by whoever owns the directory.
   * With a path of `/proc/self/fd/<fd>/<name>` keep the descriptor open until `close` has resolved.
   */
  public listen(path: string, mode = 0o600): Promise<void> {
    checkSocketPath(path);
    try {
      unlinkSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return new Promise((resolve, reject) => {
      this.http.once('error', reject);
      const umask = process.umask(0o777 & ~mode);
      try {
        this.http.listen(path, () => {
          this.http.off('error', reject);
          resolve();
        }); // binds before it returns
      } finally {
        process.umask(umask);
      }
    });
  }

  /** Ends every call with UNAVAILABLE, closes and unlinks the socket. */
  public close(): Promise<void> {
    return new Promise((resolve) => {
      this.http.close(() => resolve());
      for (const session of this.sessions) session.destroy();
    });
  }

  private async serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders & { ':path'?: string }): Promise<void> {
    const call = new ServerCall(stream, parseTimeout(headers['grpc-timeout'] as string | undefined));
    try {
      const route = this.routes.get(headers[':path'] ?? '');
      if (!String(headers['content-type'] ?? '').startsWith('application/grpc')) {
        stream.respond({ ':status': 415 }, { endStream: true });
        return;
      }
      if (!route) throw new GrpcError(GrpcStatus.UNIMPLEMENTED, `no method ${headers[':path']}`);
      const request = route.method.requestType.decode(await this.readOne(stream));
      const result = route.handle(request, { signal: call.signal });
      if (route.method.responseStream) {
        for await (const message of call.whileOpen(result as AsyncIterable<unknown>)) {
          await call.send(route.method.responseType.encode(message).finish());
        }
      } else {
        await call.send(route.method.responseType.encode(await call.race(result)).finish());
      }
      call.end(GrpcStatus.OK, '');
    } catch (thrown) {
      const error = errorOf(thrown);
      call.end(error.code, error.details);
    }
  }

  /** The one message of the request. */
  private async readOne(stream: ServerHttp2Stream): Promise<Buffer> {
    const deframer = new Deframer(this.maxMessageBytes);
    const messages: Buffer[] = [];
    // not `for await`: leaving it early would destroy the stream before a status was sent
    await new Promise<void>((resolve, reject) => {
      stream.on('data', (chunk: Buffer) => {
        try {
          messages.push(...deframer.push(chunk));
          if (messages.length > 1) throw new GrpcError(GrpcStatus.UNIMPLEMENTED, 'a call takes one request message');
        } catch (error) {
          stream.pause();
          reject(error);
        }
      });
      stream.once('end', resolve);
      stream.once('close', () => reject(new GrpcError(GrpcStatus.CANCELLED, 'the caller went away')));
    });
    deframer.end();
    if (messages.length === 0) throw new GrpcError(GrpcStatus.INTERNAL, 'the call has no request message');
    return messages[0];
  }
}

/** The answering half of one call: headers once, messages with backpressure, a status once. */
class ServerCall {
  private readonly abort = new AbortController();
  private readonly timer?: NodeJS.Timeout;
  private ended = false;

  public constructor(
    private readonly stream: ServerHttp2Stream,
    timeoutMs: number | undefined,
  ) {
    stream.on('error', () => {}); // 'close' follows
    stream.once('close', () => this.cancel(new GrpcError(GrpcStatus.CANCELLED, 'the caller went away')));
    if (timeoutMs !== undefined) {
      const expired = new GrpcError(GrpcStatus.DEADLINE_EXCEEDED, `no answer within ${Math.round(timeoutMs)} ms`);
      this.timer = setTimeout(() => this.cancel(expired), Math.min(timeoutMs, 2 ** 31 - 1));
    }
  }

  public get signal(): AbortSignal {
    return this.abort.signal;
  }

  private cancel(reason: GrpcError): void {
    clearTimeout(this.timer);
    if (!this.signal.aborted) this.abort.abort(reason);
    this.end(reason.code, reason.details);
  }

  /** The handler's result, or the cancellation when that comes first. */
  public race<T>(result: T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) return reject(this.signal.reason);
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
      Promise.resolve(result).then(resolve, reject);
    });
  }

  /** The messages of a handler until it ends or the call is cancelled; its `finally` blocks run either way. */
  public async *whileOpen<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
    const iterator = messages[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.race(iterator.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // not awaited: a generator that waits for something else would hold the call open
      void Promise.resolve(iterator.return?.()).catch(() => {});
    }
  }

  public async send(message: Uint8Array): Promise<void> {
    if (this.ended || this.stream.destroyed) throw this.signal.reason ?? new GrpcError(GrpcStatus.CANCELLED, 'closed');
    if (!this.stream.headersSent) {
      this.stream.respond({ ':status': 200, 'content-type': CONTENT_TYPE }, { waitForTrailers: true });
    }
    if (this.stream.write(frame(message))) return;
    await this.race(new Promise<void>((resolve) => this.stream.once('drain', resolve)));
  }

  public end(code: number, details: string): void {
    clearTimeout(this.timer);
    if (this.ended) return;
    this.ended = true;
    const { stream } = this;
    if (stream.destroyed || stream.closed) return;
    const trailers = {
      'grpc-status': String(code),
      ...(details ? { 'grpc-message': encodeStatusMessage(details) } : {}),
    };
    if (stream.headersSent) {
      stream.once('wantTrailers', () => stream.sendTrailers(trailers));
      stream.end();
      return;
    }
    stream.respond({ ':status': 200, 'content-type': CONTENT_TYPE, ...trailers }, { endStream: true });
    // a request that is still arriving is of no use any more
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  }
}
