import type { Source } from './source';

const BLOCK_BYTES = 1 << 20;
/** Blocks that are kept: qemu-img reads tables again between reads of data. */
const KEPT = 12;
/** A sequential reader may be this far ahead of the stream and still continue it. */
const SKIP_BYTES = 4 * BLOCK_BYTES;

/**
 * Serves random reads of a source from blocks. A read that continues where the last one ended opens one long request instead
 * of one for each block, so that sequential reading has the speed of a download.
 */
export class BlockCache {
  /** By block number, the most recently used last. */
  private readonly blocks = new Map<number, Buffer>();
  private stream?: { readonly chunks: AsyncIterator<Buffer>; next: number; rest: Buffer[]; restBytes: number };
  private expected = -1;

  public constructor(
    private readonly source: Source,
    public readonly size: number,
    /** Checks a block when it arrives. */
    private readonly verify: (block: number, data: Buffer) => void = () => undefined,
  ) {}

  public async read(position: number, length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let at = position; at < position + length;) {
      const number = Math.floor(at / BLOCK_BYTES);
      const offset = at - number * BLOCK_BYTES;
      const data = (await this.block(number)).subarray(offset, offset + position + length - at);
      parts.push(data);
      at += data.length;
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  public async close(): Promise<void> {
    await this.stream?.chunks.return?.();
    this.stream = undefined;
  }

  private async block(number: number): Promise<Buffer> {
    const kept = this.blocks.get(number);
    if (kept) {
      this.blocks.delete(number);
      this.blocks.set(number, kept);
      return kept;
    }
    const data = await this.fetch(number);
    this.verify(number, data);
    this.blocks.set(number, data);
    if (this.blocks.size > KEPT) this.blocks.delete(this.blocks.keys().next().value!);
    return data;
  }

  private async fetch(number: number): Promise<Buffer> {
    const start = number * BLOCK_BYTES;
    const length = Math.min(BLOCK_BYTES, this.size - start);
    const isSequential = number === this.expected;
    this.expected = number + 1;
    const { stream } = this;
    if (stream && start >= stream.next && start - stream.next <= SKIP_BYTES) return this.continued(start, length);
    if (!isSequential) return this.source.read(start, length);
    await this.close();
    this.stream = { chunks: this.source.stream(start)[Symbol.asyncIterator](), next: start, rest: [], restBytes: 0 };
    return this.continued(start, length);
  }

  /** Reads on in the open stream. */
  private async continued(start: number, length: number): Promise<Buffer> {
    const stream = this.stream!;
    while (stream.next + stream.restBytes < start + length) {
      const { done, value } = await stream.chunks.next();
      if (done) throw new Error('the source ended before its declared size');
      stream.rest.push(value);
      stream.restBytes += value.length;
    }
    const all = Buffer.concat(stream.rest);
    const from = start - stream.next;
    const rest = all.subarray(from + length);
    stream.next = start + length;
    stream.rest = [rest];
    stream.restBytes = rest.length;
    return all.subarray(from, from + length);
  }
}

export { BLOCK_BYTES };
