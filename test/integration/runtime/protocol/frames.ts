import { connect } from 'node:net';
import type { Socket } from 'node:net';
import * as light from '../../../../src/runtime/protocol/http2/grpc';
import * as node from '../../../../src/runtime/protocol/nghttp2/grpc';

/** Both implementations of HTTP/2 under our gRPC. */
export const implementations = [
  ['our own HTTP/2', light],
  ['node:http2', node],
] as const;

/** One frame of RFC 9113. */
export const frame = (type: number, flags: number, stream: number, payload: Buffer | number[] = []): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload)]);
};

export const times = (count: number, bytes: Buffer): Buffer => Buffer.concat(Array<Buffer>(count).fill(bytes));

export const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0)]);

/** Header block of a gRPC request: POST http, `path`, application/grpc, authority x. */
export const headersFor = (path: string): number[] => [
  0x83,
  0x86,
  0x01,
  1,
  ...Buffer.from('x'),
  4,
  path.length,
  ...Buffer.from(path),
  0x0f,
  0x10,
  16,
  ...Buffer.from('application/grpc'),
];

/** A gRPC message. */
export const message = (payload: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
};

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A peer of raw bytes, which reads frames. */
export class RawPeer {
  public readonly socket: Socket;
  public readonly frames: Frame[] = [];
  /** Resolves when the other side has closed the connection. */
  public readonly closed: Promise<void>;
  private rest = Buffer.alloc(0);
  private readonly waiting = new Set<() => void>();

  public constructor(path: string) {
    this.socket = connect(path).on('error', () => {});
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
    this.socket.on('data', (chunk) => this.take(chunk));
  }

  public send(...frames: Buffer[]): this {
    this.socket.write(Buffer.concat(frames));
    return this;
  }

  /** The first frame that matches; a connection that ends before is an error. */
  public async reads(matches: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(matches);
      if (found) return found;
      if (this.socket.destroyed) throw new Error('the connection ended before the frame came');
      await new Promise<void>((resolve) => {
        this.waiting.add(resolve);
        this.socket.once('close', resolve);
      });
    }
  }

  private take(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk]);
    while (this.rest.length >= 9) {
      const end = 9 + this.rest.readUIntBE(0, 3);
      if (this.rest.length < end) break;
      const [type, flags, stream] = [this.rest[3], this.rest[4], this.rest.readUInt32BE(5)];
      this.frames.push({ type, flags, stream, payload: this.rest.subarray(9, end) });
      this.rest = this.rest.subarray(end);
    }
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
}
