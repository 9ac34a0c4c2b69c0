import * as http2 from 'node:http2';
import type { Duplex } from 'node:stream';
import { ErrorCode } from '../transport';
import type { Connection, ConnectionHandlers, Headers, Stream, StreamEnd, StreamHandlers } from '../transport';

/** HTTP/2 by node:http2, for programs whose peers may be hostile: nghttp2 parses, and everything that it keeps is limited. */

/** Concurrent streams of one connection. */
export const MAX_STREAMS = 32;
/** Size of one header block: names, values and 32 bytes for each. */
const MAX_HEADER_BYTES = 8_192;
/** Bytes that a peer may send on a stream before its owner reads any. */
const WINDOW_BYTES = 65_535;
/** Time between accepting a connection and the peer's first settings. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Time after which a status that the peer does not read is dropped. */
const TRAILERS_TIMEOUT_MS = 1_000;

const LIMITS: http2.ServerOptions = {
  // megabytes; above it, new streams are rejected
  maxSessionMemory: 4,
  maxHeaderListPairs: 32,
  maxSettings: 16,
  maxOutstandingPings: 1,
  maxSessionInvalidFrames: 16,
  maxSessionRejectedStreams: 64,
  streamResetBurst: 50,
  streamResetRate: 10,
  settings: {
    enablePush: false,
    initialWindowSize: WINDOW_BYTES,
    maxConcurrentStreams: MAX_STREAMS,
    maxHeaderListSize: MAX_HEADER_BYTES,
  },
};

/** Uses a socket as an HTTP/2 connection. */
export function nghttp2(socket: Duplex, role: 'client' | 'server', handlers: ConnectionHandlers): Connection {
  return role === 'client' ? new ClientConnection(socket, handlers) : new ServerConnection(socket, handlers);
}

class ClientConnection implements Connection {
  private readonly session: http2.ClientHttp2Session;
  private goneAway = false;
  private cause?: Error;

  public constructor(
    private readonly socket: Duplex,
    handlers: ConnectionHandlers,
  ) {
    this.session = http2.connect('http://localhost', { ...LIMITS, createConnection: () => socket });
    this.session.on('error', (error: Error) => (this.cause ??= error));
    this.session.on('goaway', () => (this.goneAway = true));
    this.session.once('close', () => handlers.close(this.cause));
  }

  public get ended(): boolean {
    return this.goneAway || this.session.closed || this.session.destroyed;
  }

  public request(headers: Headers, handlers: StreamHandlers): Stream {
    const stream = this.session.request(headers);
    const flat = (received: http2.IncomingHttpHeaders): void => handlers.headers(flatten(received));
    stream.on('response', flat).on('trailers', flat);
    // interim answers (1xx), which gRPC does not have
    stream.on('headers', () => stream.close(ErrorCode.PROTOCOL_ERROR));
    const wrapped = new NativeStream(stream, () =>
      this.socket.destroyed || this.session.destroyed ? { cause: this.cause } : undefined,
    );
    wrapped.attach(handlers);
    return wrapped;
  }

  public destroy(cause?: Error): void {
    this.cause ??= cause;
    this.session.destroy();
  }
}

class ServerConnection implements Connection {
  private readonly session: http2.ServerHttp2Session;
  private cause?: Error;

  public constructor(socket: Duplex, handlers: ConnectionHandlers) {
    this.session = http2.performServerHandshake(socket, LIMITS);
    const handshake = setTimeout(() => this.session.destroy(), HANDSHAKE_TIMEOUT_MS);
    this.session.once('remoteSettings', () => clearTimeout(handshake));
    this.session.on('error', (error: Error) => (this.cause ??= error));
    this.session.once('close', () => {
      clearTimeout(handshake);
      handlers.close(this.cause);
    });
    this.session.on('stream', (stream, headers) => {
      const wrapped = new NativeStream(stream, () => (this.session.destroyed ? { cause: this.cause } : undefined));
      const serve = handlers.stream?.(wrapped, flatten(headers));
      if (serve) wrapped.attach(serve);
      else wrapped.reset(ErrorCode.REFUSED_STREAM);
    });
  }

  public get ended(): boolean {
    return this.session.closed || this.session.destroyed;
  }

  public request(): Stream {
    throw new Error('a server opens no streams');
  }

  public destroy(cause?: Error): void {
    this.cause ??= cause;
    this.session.destroy();
  }
}

/** A stream of node:http2 with the interface that gRPC needs. */
class NativeStream implements Stream {
  private unconsumed = 0;
  private trailers?: Headers;
  private afterTrailers?: NodeJS.Timeout;

  public constructor(
    private readonly stream: http2.Http2Stream,
    private readonly lost: () => { cause?: Error } | undefined,
  ) {
    stream.on('error', () => {}); // `close` follows with the cause
    stream.once('close', () => clearTimeout(this.afterTrailers));
  }

  public attach(handlers: StreamHandlers): void {
    this.stream.on('data', (chunk: Buffer) => {
      this.unconsumed += chunk.length;
      if (this.unconsumed >= WINDOW_BYTES) this.stream.pause();
      handlers.data(chunk);
    });
    this.stream.once('end', () => {
      // a stream that was reset or lost ends, too; `close` reports how
      if (this.stream.rstCode === ErrorCode.NO_ERROR) handlers.end();
    });
    this.stream.once('close', () => handlers.close(this.why()));
  }

  public get closed(): boolean {
    return this.stream.closed || this.stream.destroyed;
  }

  public sendHeaders(headers: Headers, end = false): void {
    if (this.closed) return;
    const stream = this.stream as http2.ServerHttp2Stream;
    if (!stream.headersSent) {
      stream.once('wantTrailers', () => this.sendTrailers(stream));
      stream.respond(headers, { endStream: end, waitForTrailers: !end });
    } else if (end) {
      this.trailers = headers;
      stream.end();
    }
  }

  public write(data: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new Error('the stream was closed'));
      this.stream.write(data, (error) => (error ? reject(error) : resolve()));
    });
  }

  public end(): void {
    this.stream.end();
  }

  public reset(code: number): void {
    if (this.closed) return;
    // a reset would overtake a status that waits behind data
    if (code !== ErrorCode.NO_ERROR || !this.trailers) return this.stream.close(code);
    this.afterTrailers ??= setTimeout(() => this.stream.close(ErrorCode.CANCEL), TRAILERS_TIMEOUT_MS);
  }

  public consumed(bytes: number): void {
    this.unconsumed -= bytes;
    if (this.unconsumed < WINDOW_BYTES && this.stream.isPaused()) this.stream.resume();
  }

  private sendTrailers(stream: http2.ServerHttp2Stream): void {
    if (stream.closed || stream.destroyed) return;
    stream.sendTrailers(this.trailers ?? {});
    if (this.afterTrailers) stream.close(ErrorCode.NO_ERROR);
  }

  private why(): StreamEnd {
    const code = this.stream.rstCode ?? ErrorCode.NO_ERROR;
    const lost = this.lost();
    if (lost) return { kind: 'lost', ...lost };
    return code === ErrorCode.NO_ERROR ? { kind: 'done' } : { kind: 'reset', code };
  }
}

/** Header lists with one text per name; the session limits their total size. */
function flatten(headers: http2.IncomingHttpHeaders): Headers {
  const flat: Headers = Object.create(null) as Headers;
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return flat;
}
