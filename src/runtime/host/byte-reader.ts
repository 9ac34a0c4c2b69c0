import type { Readable } from 'node:stream';

/** Reads exact numbers of bytes from a stream. */
export class ByteReader {
  private ended = false;
  private wake?: () => void;

  public constructor(private readonly stream: Readable) {
    stream.pause();
    const wake = (): void => this.wake?.();
    const end = (): void => {
      this.ended = true;
      wake();
    };
    stream.on('readable', wake);
    stream.on('end', end);
    stream.on('close', end);
    stream.on('error', end);
  }

  /** The next `length` bytes, or undefined if the stream ends before them. */
  public async take(length: number): Promise<Buffer | undefined> {
    if (length === 0) return Buffer.alloc(0);
    for (;;) {
      const data = this.stream.read(length) as Buffer | null;
      if (data?.length === length) return data;
      // at its end, a stream returns what is left
      if (data || this.ended) return undefined;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
