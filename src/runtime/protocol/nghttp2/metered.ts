import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { spend } from '../rate';
import type { Bucket, Rate } from '../rate';

/**
 * Bytes per read. All objects for the content of one read exist at the same time (a stream costs kilobytes, and its frames
 * have about ten bytes), and nghttp2 stops a peer that violates the protocol only between reads.
 */
const PIECE_BYTES = 4_096;

/** A byte budget that the sockets of one peer share. */
export class Meter {
  private bucket?: Bucket;

  public constructor(private readonly rate: Rate) {}

  /** Charges bytes, and returns how long to wait before reading more. */
  public charge(bytes: number): number {
    const { bucket, waitMs } = spend(this.bucket, this.rate, bytes, performance.now());
    this.bucket = bucket;
    return waitMs;
  }
}

/**
 * A socket that is read no faster than its meter allows. Every frame costs processor time, regardless of its type, so limiting
 * bytes limits all floods; unread bytes wait in the kernel, and then in the peer.
 */
export class MeteredSocket extends Duplex {
  private wanted = false;
  private resting?: NodeJS.Timeout;

  public constructor(
    private readonly socket: Socket,
    private readonly meter: Meter,
  ) {
    super({ allowHalfOpen: false });
    socket.on('readable', () => this.pump());
    socket.once('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  public override _read(): void {
    this.wanted = true;
    this.pump();
  }

  public override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  public override _final(done: () => void): void {
    this.socket.end(done);
  }

  public override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.resting);
    this.socket.destroy();
    done(error);
  }

  private pump(): void {
    while (this.wanted && !this.resting) {
      const chunk = this.socket.read(Math.min(PIECE_BYTES, this.socket.readableLength) || undefined) as Buffer | null;
      if (!chunk) return;
      const waitMs = this.meter.charge(chunk.length);
      if (waitMs > 0) {
        this.resting = setTimeout(() => {
          this.resting = undefined;
          this.pump();
        }, waitMs);
      }
      this.wanted = this.push(chunk);
    }
  }
}
