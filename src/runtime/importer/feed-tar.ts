import type { Parser } from 'tar';

/** Writes the bytes of an archive into a parser. */
export class TarFeed {
  private failure?: { readonly error: unknown };
  private isDrained = false;
  private isEnded = false;
  private wake = (): void => undefined;

  /** `end`: event after which the parser has nothing left to do. */
  public constructor(
    private readonly parser: Parser,
    end: 'end' | 'close',
  ) {
    parser.on('drain', () => {
      this.isDrained = true;
      this.wake();
    });
    parser.on(end, () => {
      this.isEnded = true;
      this.wake();
    });
  }

  /** Ends the writing with an error. The first one counts. */
  public fail(error: unknown): void {
    this.failure ??= { error };
    this.wake();
  }

  /** Writes as fast as the parser's entries are read, and waits for its end. */
  public async write(bytes: AsyncIterable<Buffer>): Promise<void> {
    try {
      for await (const chunk of bytes) {
        this.isDrained = false;
        // a promise for the whole archive in a race would keep memory for each chunk
        if (!this.parser.write(chunk)) await this.until(() => this.isDrained);
        this.throwFailure();
      }
    } finally {
      this.parser.end();
    }
    await this.until(() => this.isEnded);
    this.throwFailure();
  }

  private async until(isReached: () => boolean): Promise<void> {
    while (!isReached() && !this.failure) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }
}
