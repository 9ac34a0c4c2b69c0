import type { Source } from './source';

export const BLOCK_BYTES = 1 << 20;
/** Blocks that are kept: qemu-img reads tables again between reads of data. */
const KEPT = 12;
/** A sequential reader may be this far ahead of the stream and still continue it. */
const SKIP_BYTES = 4 * BLOCK_BYTES;

/** One long request of the source, from which blocks are taken one after the other. */
interface Stream {
  readonly chunks: AsyncIterator<Buffer>;
  /** Position of the next byte. */
  next: number;
  /** Bytes that have arrived and were not taken. */
  rest: Buffer;
}

/**
 * Serves random reads of a source from blocks. A read that continues where the last one ended opens one long request instead
 * of one for each block, so that sequential reading has the speed of a download; the next block is fetched while the reader
 * uses the last one.
 */
export class BlockCache {
  /** By block number, the most recently used last. */
  private readonly blocks = new Map<number, Buffer>();
  private stream?: Stream;
  private expected = -1;
  private ahead?: { readonly number: number; readonly data: Promise<Buffer> };
  /** Memory of a block that was dropped: released memory would stay occupied for long. */
  private spare?: Buffer;

  public constructor(
    private readonly source: Source,
    public readonly size: number,
    /** Checks a block when it arrives. */
    private readonly verify: (block: number, data: Buffer) => void = () => undefined,
  ) {}

  /** Returns bytes up to the end of their block at most. They are valid until the next read. */
  public async read(position: number, length: number): Promise<Buffer> {
    const number = Math.floor(position / BLOCK_BYTES);
    const offset = position - number * BLOCK_BYTES;
    return (await this.block(number)).subarray(offset, offset + length);
  }

  public async close(): Promise<void> {
    await this.stream?.chunks.return?.();
    this.stream = undefined;
  }

  private async block(number: number): Promise<Buffer> {
    if (!this.blocks.has(number)) await this.takeAhead(number);
    const kept = this.blocks.get(number);
    if (!kept) this.keep(number, await this.fetch(number));
    else {
      this.blocks.delete(number);
      this.blocks.set(number, kept);
    }
    this.fetchAhead(number + 1);
    return this.blocks.get(number)!;
  }

  private keep(number: number, data: Buffer): void {
    this.verify(number, data);
    this.blocks.set(number, data);
    if (this.blocks.size <= KEPT) return;
    const [oldest, { buffer }] = this.blocks.entries().next().value!;
    this.blocks.delete(oldest);
    if (buffer.byteLength === BLOCK_BYTES) this.spare = Buffer.from(buffer);
  }

  /** Waits for the block that is fetched ahead: a stream serves one at a time. Its failure is that of its own reader. */
  private async takeAhead(number: number): Promise<void> {
    const { ahead } = this;
    if (!ahead) return;
    this.ahead = undefined;
    try {
      this.keep(ahead.number, await ahead.data);
    } catch (error) {
      if (ahead.number === number) throw error;
      this.stream = undefined;
    }
  }

  private fetchAhead(number: number): void {
    const start = number * BLOCK_BYTES;
    if (this.ahead || this.stream?.next !== start || start >= this.size) return;
    this.expected = number + 1;
    const data = this.continued(this.stream, start, Math.min(BLOCK_BYTES, this.size - start));
    // reported to the reader of the block
    data.catch(() => undefined);
    this.ahead = { number, data };
  }

  private async fetch(number: number): Promise<Buffer> {
    const start = number * BLOCK_BYTES;
    const length = Math.min(BLOCK_BYTES, this.size - start);
    const isSequential = number === this.expected;
    this.expected = number + 1;
    const { stream } = this;
    if (stream && start >= stream.next && start - stream.next <= SKIP_BYTES)
      return this.continued(stream, start, length);
    if (!isSequential) return this.source.read(start, length);
    await this.close();
    const chunks = this.source.stream(start)[Symbol.asyncIterator]();
    this.stream = { chunks, next: start, rest: Buffer.alloc(0) };
    return this.continued(this.stream, start, length);
  }

  /** Reads on in the open stream. */
  private async continued(stream: Stream, start: number, length: number): Promise<Buffer> {
    const block = (this.spare ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)).subarray(0, length);
    this.spare = undefined;
    for (let filled = 0; filled < length;) {
      if (stream.rest.length === 0) {
        const { done, value } = await stream.chunks.next();
        if (done) throw new Error('the source ended before its declared size');
        stream.rest = value;
      }
      const skipped = Math.min(stream.rest.length, Math.max(0, start - stream.next));
      const taken = stream.rest.copy(block, filled, skipped);
      filled += taken;
      stream.next += skipped + taken;
      stream.rest = stream.rest.subarray(skipped + taken);
    }
    return block;
  }
}
