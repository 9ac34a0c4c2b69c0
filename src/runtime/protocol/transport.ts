import type { Socket } from 'node:net';

/**
 * The HTTP/2 interface that gRPC needs. There are two implementations: `http2/` is our own and small, for launchers, of which a
 * node runs one per VM; `nghttp2/` is node:http2 with limits, for privileged programs, which read data of launchers.
 */

export type Headers = Record<string, string>;

/** Callbacks of a stream's owner. `close` comes last and once. */
export interface StreamHandlers {
  headers(headers: Headers): void;
  /** Return the credit with `consumed`. */
  data(chunk: Buffer): void;
  /** The peer has sent everything. */
  end(): void;
  close(why: StreamEnd): void;
}

/** End of a stream: in order, by a reset with a code, or with its connection. */
export type StreamEnd = { kind: 'done' } | { kind: 'reset'; code: number } | { kind: 'lost'; cause?: Error };

/** One request and its answer. */
export interface Stream {
  readonly closed: boolean;
  /** Sends headers of an answer; `end`: nothing follows. After data, these are trailers and end the stream. */
  sendHeaders(headers: Headers, end?: boolean): void;
  /** Resolves when everything was passed on; rejects if the stream ends before. */
  write(data: Uint8Array): Promise<void>;
  /** Ends our side after the written data. */
  end(): void;
  reset(code: number): void;
  /** The owner has processed this many bytes: the peer may send as many more. */
  consumed(bytes: number): void;
}

/** One HTTP/2 connection, either side. */
export interface Connection {
  /** Whether the connection accepts no further streams. */
  readonly ended: boolean;
  /** Opens a stream (clients only). */
  request(headers: Headers, handlers: StreamHandlers): Stream;
  destroy(cause?: Error): void;
}

export interface ConnectionHandlers {
  /** Called when a peer opened a stream (servers only); returns the handlers for it. */
  stream?(stream: Stream, headers: Headers): StreamHandlers;
  close(cause?: Error): void;
}

/** Uses a socket as an HTTP/2 connection. */
export type Transport = (socket: Socket, role: 'client' | 'server', handlers: ConnectionHandlers) => Connection;

/** RFC 9113, section 7. */
export const ErrorCode = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  ENHANCE_YOUR_CALM: 11,
} as const;
