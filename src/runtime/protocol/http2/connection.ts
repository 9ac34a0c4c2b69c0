import type { Socket } from 'node:net';
import { spend } from '../rate';
import type { Bucket } from '../rate';
import { ErrorCode } from '../transport';
import type {
  Connection as TransportConnection,
  ConnectionHandlers,
  Headers,
  StreamEnd,
  StreamHandlers,
  Transport,
} from '../transport';
import {
  ConnectionError,
  CREDIT_BYTES,
  Flag,
  FRAME_HEADER_BYTES,
  MAX_FRAME_BYTES,
  MAX_WINDOW,
  PREFACE,
  Setting,
  Type,
  uint32,
  unpadded,
  WINDOW_BYTES,
} from './frames';
import { HpackDecoder } from './hpack';
import { Stream } from './stream';
import type { StreamHost } from './stream';

/**
 * The part of HTTP/2 (RFC 9113) that gRPC over a unix socket needs. node:http2 implements all of it, and more, for 3 MiB of
 * memory per process that loads it, and a node runs one launcher per VM. Only launchers use this.
 */

const MAX_BLOCK_BYTES = 32_768;
/** Concurrent streams of a server. */
export const MAX_STREAMS = 64;
/**
 * Frames without progress: pings, settings, resets (CVE-2023-44487), credit, header blocks in pieces, data of a few bytes. A
 * peer that sends more of them is disconnected.
 */
export const IDLE_FRAMES = { burst: 2_000, perSecond: 500 };
/** Data frames below this size count as frames without progress, unless they end their stream. */
const SMALL_DATA_BYTES = 32;
/** Credit is the answer to data: for each of our frames the peer may send one for the stream and one for the connection. */
const CREDITS_PER_FRAME = 2;
/** Limit for unread output. Data waits in its stream, so this is mostly answers to settings and pings. */
const MAX_UNSENT_BYTES = 256 << 10;
/** Streams that were reset and whose data may still arrive. */
const MAX_REMEMBERED = 128;
const PREFACE_TIMEOUT_MS = 10_000;

/** Uses a socket as an HTTP/2 connection. */
export const http2: Transport = (socket, role, handlers) => new Connection(socket, role, handlers);

/** One HTTP/2 connection, either side. */
export class Connection implements StreamHost, TransportConnection {
  private readonly streams = new Map<number, Stream>();
  private readonly decoder = new HpackDecoder();
  private rest: Buffer = Buffer.alloc(0);
  private awaitsPreface: boolean;
  private block?: { stream: number; flags: number; parts: Buffer[]; size: number };
  private nextId = 1;
  private lastPeerId = 0;
  private idle?: Bucket;
  /** Streams that were reset, with the bytes that the peer may have sent before it knew. */
  private readonly cut = new Map<number, number>();
  private unacknowledged = 0;
  private peerWindow = WINDOW_BYTES;
  private peerMaxStreams = Infinity;
  private peerMaxFrame = MAX_FRAME_BYTES;
  private goneAway = false;
  private isClosed = false;
  private cause?: Error;
  private readonly prefaceTimer?: NodeJS.Timeout;
  public sendWindow = WINDOW_BYTES;

  public constructor(
    private readonly socket: Socket,
    private readonly role: 'client' | 'server',
    private readonly handlers: ConnectionHandlers,
  ) {
    this.awaitsPreface = role === 'server';
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', (error) => (this.cause ??= error));
    socket.on('end', () => socket.destroy());
    socket.once('close', () => this.closed());
    socket.on('drain', () => this.flush());
    if (role === 'client') {
      socket.write(PREFACE);
      this.settings([[Setting.ENABLE_PUSH, 0]]);
    } else {
      this.settings([[Setting.MAX_CONCURRENT_STREAMS, MAX_STREAMS]]);
      this.prefaceTimer = setTimeout(() => socket.destroy(), PREFACE_TIMEOUT_MS);
    }
  }

  /** Whether the connection accepts no further streams. */
  public get ended(): boolean {
    return this.isClosed || this.goneAway || this.socket.destroyed;
  }

  /** Opens a stream (clients only). */
  public request(headers: Headers, handlers: StreamHandlers): Stream {
    if (this.streams.size >= this.peerMaxStreams) throw new Error('the server takes no more calls at a time');
    const stream = new Stream(this, this.nextId, this.peerWindow);
    this.nextId += 2;
    stream.handlers = handlers;
    this.streams.set(stream.id, stream);
    stream.sendHeaders(headers);
    return stream;
  }

  public destroy(cause?: Error): void {
    this.cause ??= cause;
    this.socket.destroy();
  }

  // used by streams

  public get isFull(): boolean {
    return this.socket.writableNeedDrain;
  }

  public get maxFrame(): number {
    return this.peerMaxFrame;
  }

  public send(type: number, flags: number, stream: number, payload: Uint8Array): void {
    if (this.socket.destroyed) return;
    if (type === Type.DATA) this.charge(-CREDITS_PER_FRAME);
    const head = Buffer.allocUnsafe(FRAME_HEADER_BYTES);
    head.writeUIntBE(payload.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(stream, 5);
    this.socket.cork();
    this.socket.write(head);
    if (payload.length > 0) this.socket.write(payload);
    this.socket.uncork();
    if (this.socket.writableLength > MAX_UNSENT_BYTES) this.destroy(new Error('the peer does not read'));
  }

  public credit(stream: number, bytes: number): void {
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32BE(bytes);
    this.send(Type.WINDOW_UPDATE, 0, stream, payload);
  }

  public forget(stream: Stream, why: StreamEnd): void {
    if (!this.streams.delete(stream.id)) return;
    if (why.kind === 'reset') this.remember(stream.id, stream.credited);
    stream.handlers?.close(why);
    if (this.goneAway && this.streams.size === 0) this.socket.end();
  }

  private settings(entries: [number, number][]): void {
    const payload = Buffer.alloc(6 * entries.length);
    entries.forEach(([id, value], i) => {
      payload.writeUInt16BE(id, 6 * i);
      payload.writeUInt32BE(value, 6 * i + 2);
    });
    this.send(Type.SETTINGS, 0, 0, payload);
  }

  private remember(id: number, credited: number): void {
    this.cut.set(id, credited);
    if (this.cut.size > MAX_REMEMBERED) this.cut.delete(this.cut.keys().next().value as number);
  }

  private takeLate(id: number, bytes: number): void {
    const credited = this.cut.get(id);
    if (credited === undefined) throw new ConnectionError(ErrorCode.STREAM_CLOSED, 'data on a stream that had ended');
    if (bytes > credited) throw new ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, 'more than credited');
    this.cut.set(id, credited - bytes);
  }

  /** Counts a frame without progress. */
  private charge(cost = 1): void {
    const { bucket, waitMs } = spend(this.idle, IDLE_FRAMES, cost, performance.now());
    if (waitMs > 0) throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, 'too many frames without content');
    this.idle = bucket;
  }

  private flush(): void {
    for (const stream of this.streams.values()) stream.flush();
  }

  private closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.prefaceTimer);
    for (const stream of [...this.streams.values()]) stream.abandon({ kind: 'lost', cause: this.cause });
    this.handlers.close(this.cause);
  }

  private read(chunk: Buffer): void {
    try {
      this.rest = this.rest.length ? Buffer.concat([this.rest, chunk]) : chunk;
      if (this.awaitsPreface && !this.takePreface()) return;
      for (;;) {
        if (this.rest.length < FRAME_HEADER_BYTES) return;
        const length = this.rest.readUIntBE(0, 3);
        if (length > MAX_FRAME_BYTES) throw new ConnectionError(ErrorCode.FRAME_SIZE_ERROR, 'a frame is too large');
        const end = FRAME_HEADER_BYTES + length;
        if (this.rest.length < end) return;
        const frame = this.rest;
        this.rest = frame.subarray(end);
        const id = frame.readUInt32BE(5) & 0x7fffffff;
        this.take(frame[3], frame[4], id, frame.subarray(FRAME_HEADER_BYTES, end));
        if (this.socket.destroyed) return;
      }
    } catch (error) {
      const code = error instanceof ConnectionError ? error.code : ErrorCode.COMPRESSION_ERROR;
      const payload = Buffer.alloc(8);
      payload.writeUInt32BE(this.lastPeerId);
      payload.writeUInt32BE(code, 4);
      this.send(Type.GOAWAY, 0, 0, payload);
      this.cause ??= error as Error;
      this.socket.destroySoon();
    }
  }

  private takePreface(): boolean {
    const length = Math.min(this.rest.length, PREFACE.length);
    if (!this.rest.subarray(0, length).equals(PREFACE.subarray(0, length))) {
      throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, 'the peer does not use HTTP/2');
    }
    if (length < PREFACE.length) return false;
    clearTimeout(this.prefaceTimer);
    this.awaitsPreface = false;
    this.rest = this.rest.subarray(length);
    return true;
  }

  private take(type: number, flags: number, id: number, payload: Buffer): void {
    if (this.block && (type !== Type.CONTINUATION || id !== this.block.stream)) {
      throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, 'a header block was interrupted');
    }
    switch (type) {
      case Type.DATA:
        return this.takeData(flags, id, payload);
      case Type.HEADERS: {
        const body = unpadded(flags, payload).subarray(flags & Flag.PRIORITY ? 5 : 0);
        this.block = { stream: id, flags, parts: [], size: 0 };
        return this.takeBlock(flags, body);
      }
      case Type.CONTINUATION:
        this.charge();
        if (!this.block) throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, 'a header block without beginning');
        return this.takeBlock(flags, payload);
      case Type.RST_STREAM:
        this.charge();
        return this.takeReset(id, uint32(payload, 0));
      case Type.SETTINGS:
        this.charge();
        if (!(flags & Flag.ACK)) this.takeSettings(payload);
        return;
      case Type.PING:
        this.charge();
        if (payload.length !== 8) throw new ConnectionError(ErrorCode.FRAME_SIZE_ERROR, 'a ping has 8 bytes');
        if (!(flags & Flag.ACK)) this.send(Type.PING, Flag.ACK, 0, payload);
        return;
      case Type.GOAWAY:
        return this.takeGoAway(uint32(payload, 0) & 0x7fffffff);
      case Type.WINDOW_UPDATE:
        this.charge();
        return this.takeCredit(id, uint32(payload, 0) & 0x7fffffff);
      case Type.PUSH_PROMISE:
        throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, 'push was switched off');
      default: // PRIORITY and extensions are ignored
        this.charge();
    }
  }

  private takeData(flags: number, id: number, payload: Buffer): void {
    if (payload.length < SMALL_DATA_BYTES && !(flags & Flag.END_STREAM)) this.charge();
    // the connection's credit is returned immediately, because each stream limits how much of it is kept
    this.unacknowledged += payload.length;
    if (this.unacknowledged >= CREDIT_BYTES) {
      this.credit(0, this.unacknowledged);
      this.unacknowledged = 0;
    }
    const stream = this.streams.get(id);
    if (!stream) {
      if (id === 0 || (this.role === 'server' ? id > this.lastPeerId : id >= this.nextId)) {
        throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, 'data on a stream that was never opened');
      }
      return this.takeLate(id, payload.length);
    }
    if (stream.hasRemoteEnded) return stream.reset(ErrorCode.STREAM_CLOSED);
    if (!stream.receive(payload.length)) throw new ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, 'more than credited');
    const data = unpadded(flags, payload);
    stream.consumed(payload.length - data.length);
    if (data.length > 0) stream.handlers?.data(data);
    if (flags & Flag.END_STREAM) stream.remoteEnd();
  }

  private takeBlock(flags: number, part: Buffer): void {
    const { block } = this;
    if (!block) return;
    block.parts.push(part);
    block.size += part.length;
    if (block.size > MAX_BLOCK_BYTES || block.parts.length > 64) {
      throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, 'a header block is too large');
    }
    if (!(flags & Flag.END_HEADERS)) return;
    this.block = undefined;
    const headers = this.decoder.decode(Buffer.concat(block.parts));
    const stream = this.streams.get(block.stream) ?? this.opened(block.stream, headers);
    if (!stream) return;
    if (stream.hasRemoteEnded) return stream.reset(ErrorCode.STREAM_CLOSED);
    stream.handlers?.headers(headers);
    if (block.flags & Flag.END_STREAM) stream.remoteEnd();
  }

  private opened(id: number, headers: Headers): Stream | undefined {
    if (this.role === 'client') return undefined; // an answer to a cancelled call
    if (id % 2 === 0) throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, 'a stream with an even number');
    if (id <= this.lastPeerId) {
      this.charge(); // trailers of a stream that is closed
      return undefined;
    }
    this.lastPeerId = id;
    const stream = new Stream(this, id, this.peerWindow);
    if (this.streams.size >= MAX_STREAMS || this.goneAway) {
      this.charge();
      stream.reset(ErrorCode.REFUSED_STREAM);
      this.remember(id, WINDOW_BYTES);
      return undefined;
    }
    this.streams.set(id, stream);
    stream.handlers = this.handlers.stream?.(stream, headers);
    return stream;
  }

  private takeReset(id: number, code: number): void {
    this.streams.get(id)?.abandon({ kind: 'reset', code }); // or it had ended
  }

  private takeSettings(payload: Buffer): void {
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2);
      switch (payload.readUInt16BE(at)) {
        case Setting.MAX_CONCURRENT_STREAMS:
          this.peerMaxStreams = value;
          break;
        case Setting.MAX_FRAME_SIZE:
          this.peerMaxFrame = Math.min(value, MAX_FRAME_BYTES);
          break;
        case Setting.INITIAL_WINDOW_SIZE:
          if (value > MAX_WINDOW) throw new ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, 'a window is too large');
          for (const stream of this.streams.values()) stream.sendWindow += value - this.peerWindow;
          this.peerWindow = value;
          break;
        default: // the others limit features that we do not use
      }
    }
    this.send(Type.SETTINGS, Flag.ACK, 0, Buffer.alloc(0));
    this.flush();
  }

  private takeGoAway(last: number): void {
    this.goneAway = true;
    for (const stream of [...this.streams.values()]) {
      if (this.role === 'client' && stream.id > last) stream.abandon({ kind: 'lost' });
    }
    if (this.streams.size === 0) this.socket.end();
  }

  private takeCredit(id: number, bytes: number): void {
    const to = id === 0 ? this : this.streams.get(id);
    if (!to) return;
    to.sendWindow += bytes;
    if (bytes === 0 || to.sendWindow > MAX_WINDOW) {
      throw new ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, 'a window is too large');
    }
    if (to instanceof Stream) to.flush();
    else this.flush();
  }
}
