import type { Headers, Stream as TransportStream, StreamEnd, StreamHandlers } from '../transport';
import { CREDIT_BYTES, Flag, Type, WINDOW_BYTES } from './frames';
import { encodeHeaders } from './hpack';

/** The connection, from the perspective of a stream. */
export interface StreamHost {
  /** Bytes that all streams together may still send. */
  sendWindow: number;
  /** Whether the socket accepts no more data for now. */
  readonly isFull: boolean;
  readonly maxFrame: number;
  send(type: number, flags: number, stream: number, payload: Uint8Array): void;
  credit(stream: number, bytes: number): void;
  forget(stream: Stream, why: StreamEnd): void;
}

/** One request and its answer. */
export class Stream implements TransportStream {
  public handlers?: StreamHandlers;
  private readonly outbox: { data: Uint8Array; sent: () => void; lost: () => void }[] = [];
  private last?: () => void;
  private localEnded = false;
  private remoteEnded = false;
  private isClosed = false;
  private receiveWindow = WINDOW_BYTES;
  private uncredited = 0;

  public constructor(
    private readonly connection: StreamHost,
    public readonly id: number,
    public sendWindow: number,
  ) {}

  public get closed(): boolean {
    return this.isClosed;
  }

  /** Sends headers of a request or an answer; `end`: nothing follows. After data, these are trailers and end the stream. */
  public sendHeaders(headers: Headers, end = false): void {
    const send = (): void => {
      const block = encodeHeaders(headers);
      const max = this.connection.maxFrame;
      for (let at = 0; at === 0 || at < block.length; at += max) {
        const endsBlock = at + max >= block.length ? Flag.END_HEADERS : 0;
        const type = at === 0 ? Type.HEADERS : Type.CONTINUATION;
        const endsStream = end && at === 0 ? Flag.END_STREAM : 0;
        this.connection.send(type, endsBlock | endsStream, this.id, block.subarray(at, at + max));
      }
      if (end) this.localEnd();
    };
    if (end) this.finish(send);
    else send();
  }

  /** Resolves when everything was passed to the kernel; rejects if the stream ends before. */
  public write(data: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const lost = (): void => reject(new Error('the stream was closed'));
      if (this.isClosed) return lost();
      this.outbox.push({ data, sent: resolve, lost });
      this.flush();
    });
  }

  /** Ends our side after the written data. */
  public end(): void {
    this.finish(() => {
      this.connection.send(Type.DATA, Flag.END_STREAM, this.id, Buffer.alloc(0));
      this.localEnd();
    });
  }

  public reset(code: number): void {
    if (this.isClosed) return;
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32BE(code);
    this.connection.send(Type.RST_STREAM, 0, this.id, payload);
    this.abandon({ kind: 'reset', code });
  }

  /** The owner has processed this many bytes: the peer may send as many more. */
  public consumed(bytes: number): void {
    this.uncredited += bytes;
    if (this.uncredited < CREDIT_BYTES || this.remoteEnded || this.isClosed) return;
    this.receiveWindow += this.uncredited;
    this.connection.credit(this.id, this.uncredited);
    this.uncredited = 0;
  }

  // used by the connection

  /** Bytes that the peer may still send. */
  public get credited(): number {
    return this.receiveWindow;
  }

  public get hasRemoteEnded(): boolean {
    return this.remoteEnded;
  }

  public receive(bytes: number): boolean {
    this.receiveWindow -= bytes;
    return this.receiveWindow >= 0;
  }

  public remoteEnd(): void {
    if (this.remoteEnded) return;
    this.remoteEnded = true;
    this.handlers?.end();
    this.endWhenDone();
  }

  public abandon(why: StreamEnd): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const { lost } of this.outbox.splice(0)) lost();
    this.connection.forget(this, why);
  }

  /** Sends as much as both windows and the socket allow. */
  public flush(): void {
    for (let next = this.outbox[0]; next && !this.isClosed && !this.connection.isFull; next = this.outbox[0]) {
      const room = Math.min(this.sendWindow, this.connection.sendWindow, this.connection.maxFrame);
      if (room <= 0 && next.data.length > 0) return;
      const piece = next.data.subarray(0, room);
      this.sendWindow -= piece.length;
      this.connection.sendWindow -= piece.length;
      next.data = next.data.subarray(piece.length);
      if (piece.length > 0) this.connection.send(Type.DATA, 0, this.id, piece);
      if (next.data.length > 0) continue;
      this.outbox.shift();
      next.sent();
    }
    if (this.outbox.length === 0) this.last?.();
  }

  private finish(last: () => void): void {
    if (this.isClosed || this.localEnded || this.last) return;
    this.last = () => {
      this.last = undefined;
      last();
    };
    this.flush();
  }

  private localEnd(): void {
    this.localEnded = true;
    this.endWhenDone();
  }

  private endWhenDone(): void {
    if (this.localEnded && this.remoteEnded) this.abandon({ kind: 'done' });
  }
}
