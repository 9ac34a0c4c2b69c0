import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { errorText } from '../../api/error-text';

export interface ChangingFilesOptions {
  /** Shortest interval between two checks of the files. Default: 10 s. */
  readonly checkMs?: number;
  /** Called once for each invalid state of the files; the previous content stays in use. */
  readonly onError?: (error: Error) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** A file that was written this recently may be written again without a visible change: timestamps have a granularity. */
const SETTLED_MS = 2_000;

/**
 * Content of files that may be replaced: certificates, keys and tokens are renewed while a program runs. The files are checked
 * by `stat` when their content is needed. Why not `fs.watch`: a mounted Secret is renewed by replacing a symbolic link two
 * levels above the file, inotify instances are scarce on a node, and an idle program needs neither a timer nor a watch.
 */
export class ChangingFiles<T> {
  private value: T;
  private mark?: string;
  private lookedAt: number;
  private cause?: string;

  /**
   * @param files files whose change requires another `read`
   * @param read reads them; throws if they are invalid, such as a certificate without its key
   * @throws the error of the first `read`
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

  /** Returns the content of the files; the same object as long as nothing has changed. */
  public get(): T {
    const now = this.now();
    if (now - this.lookedAt >= (this.options.checkMs ?? 10_000)) {
      this.lookedAt = now;
      this.look();
    }
    return this.value;
  }

  /** Makes the next `get` check the files, whenever the last check was. */
  public expire(): void {
    this.lookedAt = -Infinity;
  }

  /** Returns why the current content of the files is not used; undefined if it is. */
  public get problem(): string | undefined {
    return this.cause;
  }

  private look(): void {
    // taken before the files are read, so that the next check sees a change in between
    const mark = markOf(this.files);
    if (mark !== undefined && mark === this.mark) return;
    this.mark = mark;
    try {
      const value = this.read();
      if (!isDeepStrictEqual(value, this.value)) this.value = value;
      this.cause = undefined;
    } catch (error) {
      const message = errorText(error);
      if (message === this.cause) return;
      this.cause = message;
      this.options.onError?.(new Error(`${message}; the previous content stays in use`, { cause: error }));
    }
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }
}

/** Equal marks mean that nothing has changed; undefined equals nothing. */
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
