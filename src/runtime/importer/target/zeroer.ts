import { run } from '../../host/command';

/** A hole costs a command; shorter ranges are written. */
const SHORTEST_HOLE_BYTES = 8 << 20;
/** Multiple of every device's block: a device rejects holes that begin or end within one. */
const BLOCK_BYTES = 64 << 10;
/** The kernel does not end a command within a range, so that an importer could not be killed while it clears a large device. */
const LONGEST_HOLE_BYTES = 1 << 30;
const ZEROS = Buffer.alloc(1 << 20);

/** Makes ranges of a disk zeros, in the fastest way that its storage supports. */
export class Zeroer {
  /** Options of fallocate that have not failed. The kernel writes the zeros of the second one if the device cannot do it itself. */
  private readonly ways = ['--punch-hole', '--zero-range'];

  public constructor(
    private readonly path: string,
    private readonly write: (data: Buffer, position: number) => Promise<void>,
  ) {}

  public async zero(start: number, end: number): Promise<void> {
    if (end - start < SHORTEST_HOLE_BYTES) return this.fill(start, end);
    const from = Math.ceil(start / BLOCK_BYTES) * BLOCK_BYTES;
    const to = Math.floor(end / BLOCK_BYTES) * BLOCK_BYTES;
    await this.fill(start, from);
    for (let at = from; at < to; at += LONGEST_HOLE_BYTES) await this.clear(at, Math.min(to, at + LONGEST_HOLE_BYTES));
    await this.fill(to, end);
  }

  private async clear(start: number, end: number): Promise<void> {
    const range = ['--offset', String(start), '--length', String(end - start)];
    for (;;) {
      const [way] = this.ways;
      // the last way also shows why the storage fails
      if (way === undefined) return this.fill(start, end);
      try {
        // without a limit: a device may have to write the whole range
        await run('fallocate', [way, ...range, this.path], { timeoutMs: 0 });
        return;
      } catch {
        this.ways.shift();
      }
    }
  }

  private async fill(start: number, end: number): Promise<void> {
    for (let at = start; at < end; at += ZEROS.length) {
      await this.write(ZEROS.subarray(0, Math.min(ZEROS.length, end - at)), at);
    }
  }
}
