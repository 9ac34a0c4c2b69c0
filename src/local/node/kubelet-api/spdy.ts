import { Duplex } from 'node:stream';
import { constants, createDeflate, createInflate } from 'node:zlib';
import type { Deflate, Inflate } from 'node:zlib';
import { SPDY_DICTIONARY } from './spdy-dictionary';

/** The server's side of SPDY/3.1, as much of it as Kubernetes' port-forward uses. */

const VERSION = 3;
const FRAME = { synStream: 1, synReply: 2, rstStream: 3, settings: 4, ping: 6, goAway: 7, headers: 8, windowUpdate: 9 };
const FIN = 1;
const MAX_FRAME = 1 << 24;
const CHUNK = 16 << 10;
const INITIAL_WINDOW = 64 << 10;

/** One stream of a session. `headers` are in lower case. */
export class SpdyStream extends Duplex {
  private window = INITIAL_WINDOW;
  private stalled?: () => void;

  public constructor(
    public readonly id: number,
    public readonly headers: Readonly<Record<string, string>>,
    private readonly frames: { data(id: number, data: Buffer, fin: boolean): void; taken(id: number, n: number): void },
  ) {
    super({ allowHalfOpen: true });
    this.on('error', () => undefined);
  }

  public override _read(): void {
    // data is pushed as it comes; the window tells the peer how much may
  }

  public override _write(data: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    let at = 0;
    const next = (): void => {
      while (at < data.length) {
        const size = Math.min(CHUNK, data.length - at, this.window);
        if (size <= 0) {
          this.stalled = next;
          return;
        }
        this.window -= size;
        this.frames.data(this.id, data.subarray(at, at + size), false);
        at += size;
      }
      done();
    };
    next();
  }

  public override _final(done: () => void): void {
    this.frames.data(this.id, Buffer.alloc(0), true);
    done();
  }

  public receive(data: Buffer, fin: boolean): void {
    if (data.length) {
      this.push(data);
      this.frames.taken(this.id, data.length);
    }
    if (fin) this.push(null);
  }

  public widen(by: number): void {
    this.window += by;
    const go = this.stalled;
    this.stalled = undefined;
    go?.();
  }
}

export class SpdyServer {
  private readonly streams = new Map<number, SpdyStream>();
  private readonly inflate: Inflate = createInflate({
    dictionary: SPDY_DICTIONARY,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  private readonly deflate: Deflate = createDeflate({ dictionary: SPDY_DICTIONARY, flush: constants.Z_SYNC_FLUSH });
  private buffer = Buffer.alloc(0);
  private working: Promise<void> = Promise.resolve();

  public constructor(
    private readonly transport: Duplex,
    private readonly onStream: (stream: SpdyStream) => void,
  ) {
    transport.on('data', (data: Buffer) => {
      this.buffer = Buffer.concat([this.buffer, data]);
      this.working = this.working.then(() => this.takeFrames()).catch(() => this.close());
    });
    transport.on('close', () => this.close());
  }

  public close(): void {
    for (const stream of this.streams.values()) stream.destroy();
    this.streams.clear();
    this.transport.destroy();
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
      const stream = new SpdyStream(id, headers, {
        data: (to, data, fin) => this.send(to, fin ? FIN : 0, data),
        taken: (to, count) => this.sendControl(FRAME.windowUpdate, uint32s(to, count)),
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
    } else if (type === FRAME.windowUpdate) {
      this.streams.get(body.readUInt32BE(0) & 0x7fffffff)?.widen(body.readUInt32BE(4) & 0x7fffffff);
    } else if (type === FRAME.headers) {
      // the compressor keeps its state over all frames: also what is not needed must be read
      await this.run(this.inflate, body.subarray(4));
    }
  }

  /** Feeds one header block through a compressor whose state spans the session. */
  private run(coder: Inflate | Deflate, block: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      const collect = (data: Buffer): void => void parts.push(data);
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

  private send(id: number, flags: number, data: Buffer): void {
    const head = uint32s(id, data.length);
    head[4] = flags;
    if (!this.transport.destroyed) this.transport.write(Buffer.concat([head, data]));
  }

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

/** Count, then length and text of each name and value. */
export function parseHeaders(block: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
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
