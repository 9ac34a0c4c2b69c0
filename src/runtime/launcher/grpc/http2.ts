/**
 * As much of HTTP/2 (RFC 9113) as unary gRPC over a unix socket needs. node:http2 does more, and costs each VM 5 MiB
 * of memory before the first call.
 */
import type { Socket } from 'node:net';
import { type Headers, HpackDecoder, encodeHeaders } from './hpack';

const FRAME = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
};
const FLAG = { END_STREAM: 1, ACK: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 0x20 };
const SETTING = {
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
};
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const MAX_FRAME_BYTES = 16_384;
const MAX_HEADER_BYTES = 16_384;
const MAX_STREAMS = 32;
const DEFAULT_WINDOW = 65_535;
const MAX_WINDOW = 2 ** 31 - 1;

export const ErrorCode = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  ENHANCE_YOUR_CALM: 11,
} as const;

/** One call on a connection. */
export class Stream {
  readonly data: Buffer[] = [];
  bytes = 0;
  headers: Headers | undefined;
  trailers: Headers | undefined;
  window: number;
  /** What the windows do not let out yet. */
  queue: { bytes: Buffer; end: boolean }[] = [];
  afterQueue: (() => void) | undefined;

  constructor(
    readonly id: number,
    window: number,
  ) {
    this.window = window;
  }
}

export interface ConnectionHandlers {
  /** The peer has sent everything: headers, data, trailers. */
  onComplete(stream: Stream): void;
  /** The peer, or the end of the connection, has broken a stream off. */
  onReset(stream: Stream, code: number): void;
  onClose(error?: Error): void;
}

/** A connection, either side. */
export class Http2Connection {
  private readonly streams = new Map<number, Stream>();
  private readonly hpack = new HpackDecoder();
  private input: Buffer = Buffer.alloc(0);
  private prefaceSeen: boolean;
  private nextId = 1;
  private window = DEFAULT_WINDOW;
  private initialWindow = DEFAULT_WINDOW;
  private maxFrame = MAX_FRAME_BYTES;
  private block: { stream: Stream; parts: Buffer[]; size: number; end: boolean } | undefined;
  private closed = false;

  constructor(
    private readonly socket: Socket,
    private readonly side: 'client' | 'server',
    private readonly maxMessageBytes: number,
    private readonly handlers: ConnectionHandlers,
  ) {
    this.prefaceSeen = side === 'client';
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.end(error));
    socket.on('close', () => this.end());
    if (side === 'client') socket.write(PREFACE);
    const settings = [
      [SETTING.ENABLE_PUSH, 0],
      [SETTING.INITIAL_WINDOW_SIZE, maxMessageBytes + MAX_FRAME_BYTES],
      [SETTING.MAX_HEADER_LIST_SIZE, MAX_HEADER_BYTES],
      ...(side === 'server' ? [[SETTING.MAX_CONCURRENT_STREAMS, MAX_STREAMS]] : []),
    ];
    const body = Buffer.alloc(settings.length * 6);
    settings.forEach(([key, value], i) => {
      body.writeUInt16BE(key!, i * 6);
      body.writeUInt32BE(value!, i * 6 + 2);
    });
    this.frame(FRAME.SETTINGS, 0, 0, body);
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** A stream for a new call. */
  open(headers: Headers): Stream {
    const stream = new Stream(this.nextId, this.initialWindow);
    this.nextId += 2;
    this.streams.set(stream.id, stream);
    this.sendHeaders(stream, headers, false);
    return stream;
  }

  sendHeaders(stream: Stream, headers: Headers, end: boolean): void {
    const send = (): void => {
      this.frame(FRAME.HEADERS, FLAG.END_HEADERS | (end ? FLAG.END_STREAM : 0), stream.id, encodeHeaders(headers));
      if (end && this.side === 'server') this.streams.delete(stream.id);
    };
    if (stream.queue.length > 0) stream.afterQueue = send;
    else send();
  }

  sendData(stream: Stream, bytes: Buffer, end: boolean): void {
    stream.queue.push({ bytes, end });
    this.flush(stream);
  }

  reset(stream: Stream, code: number): void {
    if (!this.streams.delete(stream.id) || this.closed) return;
    const body = Buffer.alloc(4);
    body.writeUInt32BE(code);
    this.frame(FRAME.RST_STREAM, 0, stream.id, body);
  }

  destroy(error?: Error): void {
    this.end(error);
  }

  private frame(type: number, flags: number, id: number, body: Buffer): void {
    if (this.closed) return;
    const head = Buffer.alloc(9);
    head.writeUIntBE(body.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(id, 5);
    this.socket.write(Buffer.concat([head, body]));
  }

  private flush(stream: Stream): void {
    while (stream.queue.length > 0) {
      const next = stream.queue[0]!;
      const room = Math.min(this.window, stream.window, this.maxFrame);
      if (room <= 0 && next.bytes.length > 0) return;
      const part = next.bytes.subarray(0, room);
      const rest = next.bytes.subarray(part.length);
      this.window -= part.length;
      stream.window -= part.length;
      if (rest.length > 0) next.bytes = rest;
      else stream.queue.shift();
      this.frame(FRAME.DATA, next.end && rest.length === 0 ? FLAG.END_STREAM : 0, stream.id, part);
    }
    stream.afterQueue?.();
    stream.afterQueue = undefined;
  }

  private receive(chunk: Buffer): void {
    this.input = this.input.length === 0 ? chunk : Buffer.concat([this.input, chunk]);
    try {
      if (!this.prefaceSeen) {
        if (this.input.length < PREFACE.length) return;
        if (!this.input.subarray(0, PREFACE.length).equals(PREFACE)) throw new Error('not an HTTP/2 client');
        this.input = this.input.subarray(PREFACE.length);
        this.prefaceSeen = true;
      }
      while (this.input.length >= 9 && !this.closed) {
        const length = this.input.readUIntBE(0, 3);
        if (length > MAX_FRAME_BYTES) throw new Error(`a frame of ${length} bytes`);
        if (this.input.length < 9 + length) return;
        const body = this.input.subarray(9, 9 + length);
        const [type, flags, id] = [this.input[3]!, this.input[4]!, this.input.readUInt32BE(5) & MAX_WINDOW];
        this.input = this.input.subarray(9 + length);
        this.onFrame(type, flags, id, body);
      }
    } catch (error) {
      const body = Buffer.alloc(8);
      body.writeUInt32BE(ErrorCode.PROTOCOL_ERROR, 4);
      this.frame(FRAME.GOAWAY, 0, 0, body);
      this.end(error as Error);
    }
  }

  private onFrame(type: number, flags: number, id: number, body: Buffer): void {
    if (this.block && type !== FRAME.CONTINUATION) throw new Error('a header block was not ended');
    switch (type) {
      case FRAME.SETTINGS:
        if ((flags & FLAG.ACK) === 0) this.onSettings(body);
        return;
      case FRAME.PING:
        if (body.length !== 8) throw new Error('a PING of another size');
        if ((flags & FLAG.ACK) === 0) this.frame(FRAME.PING, FLAG.ACK, 0, body);
        return;
      case FRAME.WINDOW_UPDATE:
        return this.onWindow(id, body.readUInt32BE(0) & MAX_WINDOW);
      case FRAME.HEADERS:
        return this.onHeaders(flags, id, unpad(flags, body, (flags & FLAG.PRIORITY) !== 0 ? 5 : 0));
      case FRAME.CONTINUATION:
        if (!this.block || this.block.stream.id !== id) throw new Error('CONTINUATION of nothing');
        return this.onBlock(flags, body);
      case FRAME.DATA:
        return this.onData(flags, id, body);
      case FRAME.RST_STREAM: {
        const stream = this.streams.get(id);
        this.streams.delete(id);
        if (stream) this.handlers.onReset(stream, body.readUInt32BE(0));
        return;
      }
      case FRAME.GOAWAY:
        // what is under way may end; new calls need a new connection
        if (this.streams.size === 0) this.end();
        return;
      case FRAME.PUSH_PROMISE:
        throw new Error('a pushed stream');
      default: // PRIORITY, and what is not known
    }
  }

  private onSettings(body: Buffer): void {
    for (let at = 0; at + 6 <= body.length; at += 6) {
      const value = body.readUInt32BE(at + 2);
      switch (body.readUInt16BE(at)) {
        case SETTING.INITIAL_WINDOW_SIZE:
          if (value > MAX_WINDOW) throw new Error('a window that is too large');
          for (const stream of this.streams.values()) stream.window += value - this.initialWindow;
          this.initialWindow = value;
          break;
        case SETTING.MAX_FRAME_SIZE:
          this.maxFrame = Math.min(value, MAX_FRAME_BYTES);
          break;
        default:
      }
    }
    this.frame(FRAME.SETTINGS, FLAG.ACK, 0, Buffer.alloc(0));
    for (const stream of this.streams.values()) this.flush(stream);
  }

  private onWindow(id: number, increment: number): void {
    if (id === 0) {
      this.window += increment;
      for (const stream of this.streams.values()) this.flush(stream);
      return;
    }
    const stream = this.streams.get(id);
    if (!stream) return;
    stream.window += increment;
    this.flush(stream);
  }

  private onHeaders(flags: number, id: number, body: Buffer): void {
    let stream = this.streams.get(id);
    if (!stream) {
      if (this.side === 'client')
        stream = new Stream(id, 0); // of a call that was given up: decoded, then dropped
      else {
        if (id % 2 === 0 || id < this.nextId) throw new Error(`stream ${id} out of order`);
        this.nextId = id + 2;
        stream = new Stream(id, this.initialWindow);
        if (this.streams.size < MAX_STREAMS) this.streams.set(id, stream);
      }
    }
    this.block = { stream, parts: [], size: 0, end: (flags & FLAG.END_STREAM) !== 0 };
    this.onBlock(flags, body);
  }

  private onBlock(flags: number, body: Buffer): void {
    const block = this.block!;
    block.parts.push(body);
    block.size += body.length;
    if (block.size > MAX_HEADER_BYTES) throw new Error(`headers of more than ${MAX_HEADER_BYTES} bytes`);
    if ((flags & FLAG.END_HEADERS) === 0) return;
    this.block = undefined;
    const headers = this.hpack.decode(Buffer.concat(block.parts));
    const { stream } = block;
    if (!this.streams.has(stream.id)) {
      if (this.side === 'server') {
        this.streams.set(stream.id, stream);
        this.reset(stream, ErrorCode.REFUSED_STREAM);
      }
      return;
    }
    if (stream.headers) stream.trailers = headers;
    else stream.headers = headers;
    if (block.end) this.complete(stream);
  }

  private onData(flags: number, id: number, body: Buffer): void {
    if (body.length > 0) {
      const credit = Buffer.alloc(4);
      credit.writeUInt32BE(body.length);
      this.frame(FRAME.WINDOW_UPDATE, 0, 0, credit);
    }
    const stream = this.streams.get(id);
    if (!stream) return;
    const data = unpad(flags, body, 0);
    stream.bytes += data.length;
    if (stream.bytes > this.maxMessageBytes) {
      this.reset(stream, ErrorCode.ENHANCE_YOUR_CALM);
      this.handlers.onReset(stream, ErrorCode.ENHANCE_YOUR_CALM);
      return;
    }
    stream.data.push(data);
    if ((flags & FLAG.END_STREAM) !== 0) this.complete(stream);
  }

  private complete(stream: Stream): void {
    if (this.side === 'client') this.streams.delete(stream.id);
    this.handlers.onComplete(stream);
  }

  private end(error?: Error): void {
    if (this.closed) return;
    this.closed = true;
    this.socket.destroySoon();
    for (const stream of this.streams.values()) this.handlers.onReset(stream, ErrorCode.CANCEL);
    this.streams.clear();
    this.handlers.onClose(error);
  }
}

function unpad(flags: number, body: Buffer, skip: number): Buffer {
  if ((flags & FLAG.PADDED) === 0) return body.subarray(skip);
  const padding = body[0]!;
  if (1 + skip + padding > body.length) throw new Error('more padding than frame');
  return body.subarray(1 + skip, body.length - padding);
}
