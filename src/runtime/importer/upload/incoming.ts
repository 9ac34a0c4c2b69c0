import type { Source } from '../source/source';

/** The upload was replaced by another one. */
export class ReplacedError extends Error {
  public constructor() {
    super('another upload has replaced this one');
  }
}

/**
 * Source whose bytes arrive in one or several requests. Between requests, its reader waits, so that an upload continues in any
 * format: decompression and unpacking keep their state.
 */
export class Incoming implements Source {
  public readonly isRandomAccess = false;
  /** Bytes that have arrived. */
  public received = 0;
  private chunk?: { readonly data: Buffer; readonly taken: Promise<void>; take(): void };
  private wake?: () => void;
  private end?: { readonly error?: Error };
  /** Whether nobody reads any more. */
  private isClosed = false;
  private failure?: { readonly error: unknown };

  public constructor(
    /** Bytes of the whole upload, if the client has declared them. */
    public readonly transferBytes: number | undefined,
    /** Identifies the file, if the client can continue. */
    public readonly key: string | undefined,
    private readonly onBytes: (bytes: number) => void,
  ) {}

  /**
   * Resolves when the import has taken the bytes. They count as received before that: they will not be lost.
   * @throws the error of the import
   */
  public async push(data: Buffer): Promise<void> {
    // those of an earlier request, whose connection broke
    while (this.chunk) await this.chunk.taken;
    this.received += data.length;
    this.onBytes(data.length);
    if (!this.isClosed) {
      const { promise: taken, resolve: take } = Promise.withResolvers<void>();
      this.chunk = { data, taken, take };
      this.wake?.();
      await taken;
    }
    if (this.failure) throw this.failure.error;
  }

  /** Ends the stream. With an error, the import fails with it. */
  public finish(error?: Error): void {
    this.end ??= { error };
    this.wake?.();
  }

  public async *stream(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        if (this.chunk) {
          const { data, take } = this.chunk;
          this.chunk = undefined;
          take();
          yield data;
        } else if (this.end) {
          if (this.end.error) throw this.end.error;
          return;
        } else {
          await new Promise<void>((resolve) => (this.wake = resolve));
          this.wake = undefined;
        }
      }
    } finally {
      this.close();
    }
  }

  public read(): Promise<Buffer> {
    throw new Error('an upload cannot be read at random positions');
  }

  /** Reports the error of the import to the requests. */
  public fail(error: unknown): void {
    this.failure = { error };
    this.close();
  }

  /** Bytes that still arrive are ignored. */
  public close(): void {
    this.isClosed = true;
    this.chunk?.take();
    this.chunk = undefined;
  }
}
