import { collectAfter } from '../collect';
import type { Target } from './target';
import { zeroRuns } from './zero-runs';

const BUFFER_BYTES = 1 << 20;
/** Zeros are left out in units of this size, which is a multiple of every file system's block. */
const BLOCK_BYTES = 64 << 10;

/** Writes a stream to a target in large pieces, and leaves out its zeros. Reading and writing overlap. */
export class SparseWriter {
  private buffers: [Buffer, Buffer] = [Buffer.allocUnsafe(BUFFER_BYTES), Buffer.allocUnsafe(BUFFER_BYTES)];
  private filled = 0;
  private writing: Promise<void> = Promise.resolve();
  /** Start of the zeros before `position` that are not written yet. */
  private zerosFrom: number;

  public constructor(
    private readonly target: Target,
    /** Position on the disk of the next byte. */
    private position = 0,
  ) {
    this.zerosFrom = position;
  }

  public async add(chunk: Buffer): Promise<void> {
    collectAfter(chunk.length);
    for (let at = 0; at < chunk.length;) {
      const length = chunk.copy(this.buffers[0], this.filled, at);
      this.filled += length;
      at += length;
      if (this.filled === BUFFER_BYTES) await this.flush();
    }
  }

  /** Writes everything that was added. Returns the position after the last byte. */
  public async settle(): Promise<number> {
    await this.flush();
    await this.writing;
    await this.writeZeros(this.position);
    return this.position;
  }

  private async flush(): Promise<void> {
    await this.writing;
    const data = this.buffers[0].subarray(0, this.filled);
    const start = this.position;
    this.position += this.filled;
    this.filled = 0;
    this.buffers = [this.buffers[1], this.buffers[0]];
    this.writing = this.write(data, start);
    // awaited with the next buffer; until then, a failure is not unhandled
    this.writing.catch(() => undefined);
  }

  private async write(data: Buffer, position: number): Promise<void> {
    for (const { start, end, isZero } of zeroRuns(data, position, BLOCK_BYTES)) {
      if (isZero) continue;
      await this.writeZeros(position + start);
      await this.target.write(data.subarray(start, end), position + start);
      this.zerosFrom = position + end;
    }
  }

  /** Makes the bytes since the last data zeros, up to `end`. */
  private async writeZeros(end: number): Promise<void> {
    const start = this.zerosFrom;
    this.zerosFrom = end;
    if (this.target.isZeroed || start === end) return;
    await this.target.zero(start, end);
  }
}
