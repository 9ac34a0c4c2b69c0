import { unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { spend } from '../rate';
import type { Bucket, Rate } from '../rate';
import { ErrorCode } from '../transport';
import type { Headers, Stream, StreamHandlers, Transport } from '../transport';
import type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from './definition';
import { pathOf } from './definition';
import { errorOf, GrpcError, GrpcStatus } from './status';
import {
  Budget,
  checkSocketPath,
  DEFAULT_MAX_MESSAGE_BYTES,
  Deframer,
  encodeStatusMessage,
  frame,
  parseTimeout,
} from './wire';

/** Context of a call besides the request. */
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
  /** Larger requests are rejected with RESOURCE_EXHAUSTED before they are read. @default 4 MiB */
  readonly maxMessageBytes?: number;
  /** Concurrent connections; further ones are closed immediately. @default 16 */
  readonly maxConnections?: number;
  /** Bytes of requests that all calls together may hold; the call that exceeds them fails. @default 4 messages */
  readonly maxBufferedBytes?: number;
  /** Rate of served calls; further ones wait, and fail if too many wait. @default unlimited */
  readonly callRate?: Rate;
}

const CONTENT_TYPE = 'application/grpc+proto';
/** Time within which a request must be complete, and its single answer must be read. */
const TRANSFER_TIMEOUT_MS = 10_000;
/** Longest time that a call may wait to be served. */
const MAX_TURN_MS = 4_000;

/**
 * Unary and server-streaming gRPC on a unix socket.
 * It sends no pings: a peer on this machine that exits closes its socket, and one that hangs meets a deadline.
 */
export class TransportServer {
  private readonly routes = new Map<string, Route>();
  private readonly sockets = new Set<Socket>();
  private readonly maxMessageBytes: number;
  private readonly budget: Budget;
  private turns?: Bucket;
  private readonly server: Server;

  public constructor(
    transport: Transport,
    private readonly options: GrpcServerOptions = {},
  ) {
    this.maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    this.budget = new Budget(options.maxBufferedBytes ?? 4 * this.maxMessageBytes);
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      transport(socket, 'server', { stream: (stream, headers) => this.serve(stream, headers), close: () => {} });
    });
    this.server.maxConnections = options.maxConnections ?? 16;
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
   * Binds a unix socket; an existing file of that name is unlinked (never followed).
   * The mode comes from the umask, because the owner of the directory could redirect a chmod by name.
   * With a path of `/proc/self/fd/<fd>/<name>`, keep the descriptor open until `close` has resolved.
   */
  public listen(path: string, mode = 0o600): Promise<void> {
    checkSocketPath(path);
    try {
      unlinkSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      const umask = process.umask(0o777 & ~mode);
      try {
        this.server.listen(path, () => {
          this.server.off('error', reject);
          resolve();
        }); // the socket is bound when listen returns
      } finally {
        process.umask(umask);
      }
    });
  }

  /** Ends every call with UNAVAILABLE, then closes and unlinks the socket. */
  public close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      for (const socket of this.sockets) socket.destroy();
    });
  }

  private serve(stream: Stream, headers: Headers): StreamHandlers {
    const call = new ServerCall(stream, parseTimeout(headers['grpc-timeout']));
    const deframer = new Deframer(this.maxMessageBytes);
    const messages: Buffer[] = [];
    let held = 0;
    const reject = (thrown: unknown): void => {
      const { code, details } = errorOf(thrown);
      call.end(code, details);
    };
    const route = this.routes.get(headers[':path'] ?? '');
    if (!(headers['content-type'] ?? '').startsWith('application/grpc')) {
      call.reject('415');
    } else if (!route) {
      reject(new GrpcError(GrpcStatus.UNIMPLEMENTED, `no method ${headers[':path']}`));
    }
    const late = new GrpcError(GrpcStatus.DEADLINE_EXCEEDED, `no request within ${TRANSFER_TIMEOUT_MS} ms`);
    const slow = call.ended ? undefined : setTimeout(() => reject(late), TRANSFER_TIMEOUT_MS);
    return {
      headers: () => {},
      data: (chunk) => {
        if (call.ended) return; // no more credit for unread data
        stream.consumed(chunk.length);
        try {
          this.budget.take(chunk.length);
          held += chunk.length;
          messages.push(...deframer.push(chunk));
          if (messages.length > 1) throw new GrpcError(GrpcStatus.UNIMPLEMENTED, 'a call takes one request message');
        } catch (error) {
          reject(error);
        }
      },
      end: () => {
        clearTimeout(slow);
        if (call.ended || !route) return;
        this.answer(call, route, deframer, messages[0]).catch(reject);
      },
      close: () => {
        clearTimeout(slow);
        this.budget.give(held);
        call.cancel(new GrpcError(GrpcStatus.CANCELLED, 'the caller went away'));
      },
    };
  }

  private async answer(call: ServerCall, route: Route, deframer: Deframer, body: Buffer | undefined): Promise<void> {
    deframer.end();
    if (!body) throw new GrpcError(GrpcStatus.INTERNAL, 'the call has no request message');
    await this.turn(call);
    const { requestType, responseType, responseStream } = route.method;
    const result = route.handle(requestType.decode(body), { signal: call.signal });
    if (responseStream) {
      for await (const message of call.whileOpen(result as AsyncIterable<unknown>)) {
        await call.send(responseType.encode(message).finish());
      }
    } else {
      const answer = responseType.encode(await call.race(result)).finish();
      call.expectReaderWithin(TRANSFER_TIMEOUT_MS);
      await call.send(answer);
    }
    call.end(GrpcStatus.OK, '');
  }

  private async turn(call: ServerCall): Promise<void> {
    const { callRate } = this.options;
    if (!callRate) return;
    const { bucket, waitMs } = spend(this.turns, callRate, 1, performance.now());
    if (waitMs > MAX_TURN_MS) throw new GrpcError(GrpcStatus.RESOURCE_EXHAUSTED, 'too many calls; try again later');
    this.turns = bucket;
    if (waitMs > 0) await call.race(sleep(waitMs, undefined, { signal: call.signal }));
  }
}

/** The server's side of one call: headers once, messages with backpressure, a status once. */
class ServerCall {
  private readonly abort = new AbortController();
  private readonly timer?: NodeJS.Timeout;
  private reading?: NodeJS.Timeout;
  private hasHeaders = false;
  /** Whether the status was sent, or the caller has left. */
  public ended = false;

  public constructor(
    private readonly stream: Stream,
    timeoutMs: number | undefined,
  ) {
    if (timeoutMs === undefined) return;
    const expired = new GrpcError(GrpcStatus.DEADLINE_EXCEEDED, `no answer within ${Math.round(timeoutMs)} ms`);
    this.timer = setTimeout(() => this.cancel(expired), Math.min(timeoutMs, 2 ** 31 - 1));
  }

  public get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Ends a request that is not gRPC. */
  public reject(status: string): void {
    clearTimeout(this.timer);
    this.ended = true;
    this.stream.sendHeaders({ ':status': status }, true);
    this.stream.reset(ErrorCode.NO_ERROR);
  }

  /** Sets the deadline for reading the answer: a caller that does not read must not hold it. */
  public expectReaderWithin(ms: number): void {
    this.reading = setTimeout(() => this.stream.reset(ErrorCode.CANCEL), ms);
  }

  public cancel(reason: GrpcError): void {
    clearTimeout(this.timer);
    clearTimeout(this.reading);
    if (!this.signal.aborted) this.abort.abort(reason);
    this.end(reason.code, reason.details);
  }

  /** The handler's result, or the cancellation if that comes first. */
  public race<T>(result: T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) return reject(this.signal.reason);
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
      Promise.resolve(result).then(resolve, reject);
    });
  }

  /** The messages of a handler until it ends or the call is cancelled; its `finally` blocks run in both cases. */
  public async *whileOpen<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
    const iterator = messages[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.race(iterator.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // not awaited: a generator that waits for something else would keep the call open
      void Promise.resolve(iterator.return?.()).catch(() => {});
    }
  }

  public async send(message: Uint8Array): Promise<void> {
    if (this.ended || this.stream.closed) throw this.signal.reason ?? new GrpcError(GrpcStatus.CANCELLED, 'closed');
    if (!this.hasHeaders) this.stream.sendHeaders({ ':status': '200', 'content-type': CONTENT_TYPE });
    this.hasHeaders = true;
    await this.stream.write(frame(message));
  }

  public end(code: number, details: string): void {
    clearTimeout(this.timer);
    if (this.ended) return;
    this.ended = true;
    const head: Headers = this.hasHeaders ? {} : { ':status': '200', 'content-type': CONTENT_TYPE };
    const message: Headers = details ? { 'grpc-message': encodeStatusMessage(details) } : {};
    this.stream.sendHeaders({ ...head, 'grpc-status': String(code), ...message }, true);
    // a request that is still arriving is not needed any more; a deadline must not wait for a reader that sleeps
    if (code !== GrpcStatus.OK) this.stream.reset(ErrorCode.NO_ERROR);
  }
}
