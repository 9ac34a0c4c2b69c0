import { Duplex } from 'node:stream';
import { constants, createDeflate, createInflate } from 'node:zlib';
import type { Deflate, Inflate } from 'node:zlib';
import { SPDY_DICTIONARY } from './spdy-dictionary';

/** Server side of SPDY/3.1, the subset for Kubernetes' port-forward. */

const VERSION = 3;
const FRAME = { synStream: 1, synReply: 2, rstStream: 3, settings: 4, ping: 6, goAway: 7, headers: 8, windowUpdate: 9 };
const FIN = 1;
/** Maximum frame; kubectl sends 32 KiB at a time. */
const MAX_FRAME = 1 << 20;
const MAX_HEADERS = 64 << 10;
/** Maximum streams; each forwarded connection needs two and a process. */
const MAX_STREAMS = 256;
/** Bytes queued for the client above which reading pauses. */
const MAX_UNSENT = 1 << 18;
/** Bytes queued for the readers of all streams above which reading pauses. */
const MAX_UNREAD = 4 << 20;
/** Time after which a blocked reader loses its stream if others wait for it. */
const PATIENCE_MS = 30_000;
const REFUSED_STREAM = 3;
const CANCEL = 5;
const CHUNK = 16 << 10;

interface Frames {
  /** Resolves when the transport accepts more data. */
  data(id: number, data: Buffer, fin: boolean): Promise<void>;
  taken(id: number, bytes: number): void;
  /** Called when a reader has read data or a stream has closed. */
  read(): void;
}

/** Calls a function after a time; returns a function that cancels it. */
export type Alarm = (ms: number, act: () => void) => () => void;
const setAlarm: Alarm = (ms, act) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/**
 * Stream of a session. `headers` are in lower case. Kubernetes' clients neither respect nor open windows, so back-pressure
 * uses the transport: the server writes only as fast as the transport accepts, and pauses reading while
 * readers are too far behind.
 */
export class SpdyStream extends Duplex {
  private unread = 0;

  public constructor(
    public readonly id: number,
    public readonly headers: Readonly<Record<string, string>>,
    private readonly frames: Frames,
  ) {
    super({ allowHalfOpen: true });
    this.on('error', () => undefined);
    this.on('close', () => this.frames.read());
  }

  public override read(size?: number): unknown {
    const data: unknown = super.read(size);
    if (data !== null) this.frames.read();
    return data;
  }

  public override _read(): void {
    // a peer that respects its window may send this amount again
    if (this.unread) this.frames.taken(this.id, this.unread);
    this.unread = 0;
  }

  public override _write(data: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const write = async (): Promise<void> => {
      for (let at = 0; at < data.length; at += CHUNK) {
        await this.frames.data(this.id, data.subarray(at, at + CHUNK), false);
      }
    };
    write().then(() => done(), done);
  }

  public override _final(done: (error?: Error | null) => void): void {
    this.frames.data(this.id, Buffer.alloc(0), true).then(() => done(), done);
  }

  /** Queues received data. Never waits, because frames of other streams follow. */
  public receive(data: Buffer, fin: boolean): void {
    if (this.destroyed || this.ended) return;
    this.ended = fin;
    this.unread += data.length;
    if (data.length) this.push(data);
    if (fin) this.push(null);
  }
  private ended = false;
}

export class SpdyServer {
  private readonly streams = new Map<number, SpdyStream>();
  private readonly inflate: Inflate = createInflate({
    dictionary: SPDY_DICTIONARY,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  private readonly deflate: Deflate = createDeflate({ dictionary: SPDY_DICTIONARY, flush: constants.Z_SYNC_FLUSH });
  private buffer = Buffer.alloc(0);
  /** Set while the session waits for readers. */
  private onRead?: () => void;

  public constructor(
    private readonly transport: Duplex,
    private readonly onStream: (stream: SpdyStream) => void,
    private readonly alarm: Alarm = setAlarm,
  ) {
    // one read at a time: further data stays with the client
    transport.on('data', (data: Buffer) => {
      transport.pause();
      this.buffer = Buffer.concat([this.buffer, data]);
      this.takeFrames()
        .then(() => this.resume())
        .catch(() => this.close());
    });
    transport.on('close', () => this.close());
    for (const coder of [this.inflate, this.deflate]) coder.on('error', () => this.close());
  }

  public close(): void {
    for (const stream of this.streams.values()) stream.destroy();
    this.streams.clear();
    this.onRead?.();
    this.transport.destroy();
    this.inflate.close();
    this.deflate.close();
  }

  private async resume(): Promise<void> {
    // responses to control frames wait here as well
    if (this.transport.writableLength > MAX_UNSENT) await this.taken();
    await this.untilRead();
    this.transport.resume();
  }

  /**
   * Resolves when readers have read enough. Slow readers are allowed. A stream whose
   * reader reads nothing is reset, because its data blocks other connections or its own end.
   */
  private untilRead(): Promise<void> {
    const lengths = (): [SpdyStream, number][] =>
      [...this.streams.values()].filter((s) => !s.destroyed).map((stream) => [stream, stream.readableLength]);
    const enough = (): boolean => lengths().reduce((sum, [, length]) => sum + length, 0) <= MAX_UNREAD;
    if (enough()) return Promise.resolve();
    return new Promise((resolve) => {
      let stop: () => void;
      const watch = (): void => {
        const before = lengths();
        stop = this.alarm(PATIENCE_MS, () => {
          // no data is added meanwhile
          for (const [stream, length] of before) if (length && stream.readableLength === length) this.reset(stream);
          if (this.onRead) watch();
        });
      };
      this.onRead = () => {
        if (!enough()) return;
        this.onRead = undefined;
        stop();
        resolve();
      };
      watch();
    });
  }

  private reset(stream: SpdyStream): void {
    this.sendControl(FRAME.rstStream, uint32s(stream.id, CANCEL));
    stream.destroy();
  }

  private async takeFrames(): Promise<void> {
    while (this.buffer.length >= 8) {
      const size = this.buffer.readUInt32BE(4) & 0xffffff;
      if (size > MAX_FRAME) throw new Error('frame too large');
      if (this.buffer.length < 8 + size) return;
      const head = this.buffer.readUInt32BE(0);
      const flags = this.buffer[4] ?? 0;
      const body = this.buffer.subarray(8, 8 + size);
      this.buffer = this.buffer.subarray(8 + size);
      if (head & 0x80000000) await this.control(head & 0xffff, flags, body);
      else this.streams.get(head)?.receive(body, (flags & FIN) !== 0);
    }
  }

  private async control(type: number, flags: number, body: Buffer): Promise<void> {
    if (type === FRAME.synStream) {
      const id = body.readUInt32BE(0) & 0x7fffffff;
      const headers = parseHeaders(await this.run(this.inflate, body.subarray(10)));
      if (this.streams.size >= MAX_STREAMS) return this.sendControl(FRAME.rstStream, uint32s(id, REFUSED_STREAM));
      if (this.streams.has(id)) throw new Error('a stream of this number is open');
      const stream = new SpdyStream(id, headers, {
        data: (to, data, fin) => this.send(to, fin ? FIN : 0, data),
        taken: (to, count) => this.sendControl(FRAME.windowUpdate, uint32s(to, count)),
        read: () => this.onRead?.(),
      });
      this.streams.set(id, stream);
      stream.on('close', () => this.streams.delete(id));
      const reply = await this.run(this.deflate, formatHeaders({}));
      this.sendControl(FRAME.synReply, Buffer.concat([uint32s(id), reply]));
      this.onStream(stream);
      if (flags & FIN) stream.receive(Buffer.alloc(0), true);
    } else if (type === FRAME.ping) {
      this.sendControl(FRAME.ping, body);
    } else if (type === FRAME.rstStream) {
      this.streams.get(body.readUInt32BE(0) & 0x7fffffff)?.destroy();
    } else if (type === FRAME.headers) {
      // the compressor keeps its state across frames: unneeded headers must be read as well
      await this.run(this.inflate, body.subarray(4));
    }
  }

  /** Processes one header block with a compressor whose state spans the session. */
  private run(coder: Inflate | Deflate, block: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let size = 0;
      const collect = (data: Buffer): void => {
        size += data.length;
        if (size <= MAX_HEADERS) parts.push(data);
        else reject(new Error('headers too large'));
      };
      const fail = (error: Error): void => reject(error);
      coder.on('data', collect);
      coder.once('error', fail);
      coder.write(block, () =>
        coder.flush(constants.Z_SYNC_FLUSH, () => {
          coder.off('data', collect);
          coder.off('error', fail);
          resolve(Buffer.concat(parts));
        }),
      );
    });
  }

  private async send(id: number, flags: number, data: Buffer): Promise<void> {
    const head = uint32s(id, data.length);
    head[4] = flags;
    if (this.transport.destroyed || this.transport.write(Buffer.concat([head, data]))) return;
    await this.taken();
  }

  /** Resolves when the client accepts more data or has disconnected. Shared by all waiters, so that only one listener is needed. */
  private taken(): Promise<void> {
    this.draining ??= new Promise<void>((resolve) => {
      const done = (): void => {
        this.transport.off('drain', done);
        this.transport.off('close', done);
        this.draining = undefined;
        resolve();
      };
      this.transport.on('drain', done);
      this.transport.on('close', done);
    });
    return this.draining;
  }
  private draining?: Promise<void>;

  private sendControl(type: number, body: Buffer): void {
    const head = uint32s(0x80000000 + (VERSION << 16) + type, body.length);
    if (!this.transport.destroyed) this.transport.write(Buffer.concat([head, body]));
  }
}

function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4));
  return bytes;
}

/** Encodes headers: count, then length and text of each name and value. */
export function parseHeaders(block: Buffer): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>;
  let at = 4;
  const text = (): string => {
    const size = block.readUInt32BE(at);
    const value = block.toString('utf8', at + 4, at + 4 + size);
    at += 4 + size;
    return value;
  };
  for (let left = block.readUInt32BE(0); left > 0; left--) {
    const name = text().toLowerCase();
    headers[name] = text();
  }
  return headers;
}

export function formatHeaders(headers: Record<string, string>): Buffer {
  const entries = Object.entries(headers);
  const text = (value: string): Buffer[] => [uint32s(Buffer.byteLength(value)), Buffer.from(value)];
  return Buffer.concat([
    uint32s(entries.length),
    ...entries.flatMap(([name, value]) => [...text(name), ...text(value)]),
  ]);
}
