import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

export interface ChangingFilesOptions {
  /** How often the files are looked at, at most. Default: 10 s. */
  readonly checkMs?: number;
  /** Hears once of each state of the files that cannot be used; what was read before stays in use. */
  readonly onError?: (error: Error) => void;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

/** A file that was written this recently may be written again without a visible trace: timestamps have a granularity. */
const SETTLED_MS = 2_000;

/**
 * What some files say, followed when somebody replaces them: certificates, keys and tokens are renewed under a running
 * program. The files are looked at when their content is needed, by `stat`. Why not `fs.watch`: a mounted Secret is
 * renewed by swapping a symbolic link two levels above the file, inotify instances are scarce on a node, and a timer or
 * watch of an idle program would cost something for nothing.
 */
export class ChangingFiles<T> {
  private value: T;
  private mark?: string;
  private lookedAt: number;
  private cause?: string;

  /**
   * @param files whose change calls for another `read`
   * @param read reads them; throws when they cannot be used, such as a certificate without its key
   * @throws what the first `read` throws
   */
  public constructor(
    private readonly files: readonly string[],
    private readonly read: () => T,
    private readonly options: ChangingFilesOptions = {},
  ) {
    this.mark = markOf(files);
    this.value = read();
    this.lookedAt = this.now();
  }

  /** The content of the files; the same object as long as nothing has changed. */
  public get(): T {
    const now = this.now();
    if (now - this.lookedAt >= (this.options.checkMs ?? 10_000)) {
      this.lookedAt = now;
      this.look();
    }
    return this.value;
  }

  /** The next `get` looks at the files, whenever the last look was. */
  public expire(): void {
    this.lookedAt = -Infinity;
  }

  /** Why what the files hold now is not used; undefined when it is. */
  public get problem(): string | undefined {
    return this.cause;
  }

  private look(): void {
    // taken before the files are read: a change in between is seen by the next look
    const mark = markOf(this.files);
    if (mark !== undefined && mark === this.mark) return;
    this.mark = mark;
    try {
      const value = this.read();
      if (!isDeepStrictEqual(value, this.value)) this.value = value;
      this.cause = undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message === this.cause) return;
      this.cause = message;
      this.options.onError?.(new Error(`${message}; what was read before stays in use`, { cause: error }));
    }
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }
}

/** Equal marks mean that nothing has changed; undefined is equal to nothing. */
function markOf(files: readonly string[]): string | undefined {
  const marks: string[] = [];
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false, bigint: true });
    if (!found) return undefined;
    if (Date.now() - Number(found.mtimeMs) < SETTLED_MS) return undefined;
    marks.push(`${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}`);
  }
  return marks.join(' ');
}
