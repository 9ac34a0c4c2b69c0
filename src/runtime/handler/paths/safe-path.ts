import { closeSync, constants, fstatSync, opendirSync, openSync, readFileSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { kindOf, O_PATH, readAtMost } from '../../host/files';

/**
 * Paths inside a Pod are controlled by its processes, so each part is opened without following links, relative to the
 * descriptor of the previous part: replacing a part between two steps cannot redirect the walk.
 */

/** Missing in node:fs (Linux x86-64 and arm64). */
const O_CLOEXEC = 0o2000000;

/** A path is not of the expected kind. */
export class UnsafePathError extends Error {
  public constructor(path: string, what: string) {
    super(`${path}: ${what}; it was not opened`);
    this.name = 'UnsafePathError';
  }
}

/** A file or directory that is held by a descriptor until `close`. */
export class OpenedPath implements Disposable {
  private open = true;

  private constructor(
    public readonly fd: number,
    /** Path for messages only: it may refer to another file by the time it is read. */
    public readonly name: string,
  ) {}

  /** Opens a directory of the kubelet or the runtime, in which links are followed. */
  public static trusted(path: string): OpenedPath {
    return new OpenedPath(openSync(path, O_PATH | O_CLOEXEC | constants.O_DIRECTORY), path);
  }

  /** Path for this process, or with `/proc/self/fd/<n>` for children that inherit the descriptor. */
  public get path(): string {
    return `/proc/self/fd/${this.fd}`;
  }

  public stat(): Stats {
    return fstatSync(this.fd);
  }

  /** Id of the mount that contains it, as in mountinfo. */
  public get mountId(): string {
    const info = readFileSync(`/proc/self/fdinfo/${this.fd}`, 'utf8');
    return /^mnt_id:\s*(\d+)$/m.exec(info)?.[1] ?? '';
  }

  /** Opens an entry of this directory; rejects links. */
  public step(part: string, directory = false): OpenedPath {
    if (part === '' || part === '.' || part === '..' || part.includes('/') || part.includes('\0')) {
      throw new UnsafePathError(`${this.name}/${part}`, 'is not a single name');
    }
    const name = `${this.name}/${part}`;
    const fd = openNamed(`${this.path}/${part}`, name);
    const opened = new OpenedPath(fd, name);
    const stats = opened.stat();
    const problem = stats.isSymbolicLink()
      ? 'is a symbolic link'
      : directory && !stats.isDirectory()
        ? `is ${kindOf(stats)}, not a directory`
        : undefined;
    if (problem === undefined) return opened;
    opened.close();
    throw new UnsafePathError(name, problem);
  }

  /** Opens several steps; all except the last must be directories. */
  public walk(parts: readonly string[]): OpenedPath {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    let at: OpenedPath = this;
    parts.forEach((part, i) => {
      try {
        const next = at.step(part, i < parts.length - 1);
        if (at !== this) at.close();
        at = next;
      } catch (error) {
        if (at !== this) at.close();
        throw error;
      }
    });
    return at;
  }

  /** Returns at most this many names of a directory, unordered: a Pod or an image may contain millions. */
  public list(limit: number): string[] {
    const names: string[] = [];
    using dir = opendirSync(this.path);
    for (let entry = dir.readSync(); entry && names.length < limit; entry = dir.readSync()) names.push(entry.name);
    return names;
  }

  /** Whether both refer to the same file, however they were reached. */
  public isSameInode(other: OpenedPath): boolean {
    const [one, two] = [this.stat(), other.stat()];
    return one.ino === two.ino && one.dev === two.dev;
  }

  /**
   * Reads a regular file of a directory if it has no more than the given bytes. Other kinds of files are not opened: a FIFO
   * would wait for its writer, and opening a device may have any effect.
   */
  public readText(name: string, maxBytes: number): string {
    using file = this.step(name);
    const stats = file.stat();
    if (!stats.isFile()) throw new UnsafePathError(file.name, `is ${kindOf(stats)}, not a regular file`);
    // through the descriptor, since its inode stays a regular file; O_NOFOLLOW would reject the descriptor's own path
    const fd = openSync(file.path, constants.O_RDONLY | constants.O_NONBLOCK | O_CLOEXEC);
    try {
      const content = readAtMost(fd, maxBytes + 1);
      if (content.length <= maxBytes) return content.toString('utf8');
      throw new UnsafePathError(file.name, `is larger than ${maxBytes} bytes`);
    } finally {
      closeSync(fd);
    }
  }

  public close(): void {
    if (this.open) closeSync(this.fd);
    this.open = false;
  }

  public [Symbol.dispose](): void {
    this.close();
  }
}

/** Errors name the path, not the descriptor. */
function openNamed(path: string, name: string): number {
  try {
    return openSync(path, O_PATH | O_CLOEXEC | constants.O_NOFOLLOW);
  } catch (error) {
    const { code = 'EIO' } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be opened (${code})`;
    throw Object.assign(new Error(`${name} ${what}`), { code });
  }
}

/** Splits an absolute path; `..` is rejected, not resolved. */
export function partsOf(path: string): string[] {
  if (!path.startsWith('/')) throw new UnsafePathError(path, 'is not an absolute path');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new UnsafePathError(path, 'contains ".."');
  return parts;
}
