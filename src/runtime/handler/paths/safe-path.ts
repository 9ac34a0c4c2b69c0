import { closeSync, constants, fstatSync, opendirSync, openSync, readFileSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { kindOf, O_PATH, readAtMost } from '../../host/files';

/**
 * Paths inside a Pod belong to whoever runs in it, so each part is opened without following links, relative to the
 * descriptor of the part before: nothing that is swapped between two steps can lead elsewhere.
 */

/** Not in node:fs (Linux x86-64 and arm64). */
const O_CLOEXEC = 0o2000000;

/** What a path turned out to be, when that is not what was asked for. */
export class UnsafePathError extends Error {
  public constructor(path: string, what: string) {
    super(`${path}: ${what}; it was not opened`);
    this.name = 'UnsafePathError';
  }
}

/** A place in the file system, held by a descriptor until `close`. */
export class Place implements Disposable {
  private open = true;

  private constructor(
    public readonly fd: number,
    /** For messages only: by the time it is read it may be something else. */
    public readonly name: string,
  ) {}

  /** A directory that is ours (kubelet's, the runtime's): links in it are followed. */
  public static trusted(path: string): Place {
    return new Place(openSync(path, O_PATH | O_CLOEXEC | constants.O_DIRECTORY), path);
  }

  /** Path by which this process reaches the place, and children that inherit the descriptor with `/proc/self/fd/<n>`. */
  public get path(): string {
    return `/proc/self/fd/${this.fd}`;
  }

  public stat(): Stats {
    return fstatSync(this.fd);
  }

  /** Of the mount that it lies in, as in mountinfo. */
  public get mountId(): string {
    const info = readFileSync(`/proc/self/fdinfo/${this.fd}`, 'utf8');
    return /^mnt_id:\s*(\d+)$/m.exec(info)?.[1] ?? '';
  }

  /** One step down, to anything but a link. */
  public step(part: string, directory = false): Place {
    if (part === '' || part === '.' || part === '..' || part.includes('/') || part.includes('\0')) {
      throw new UnsafePathError(`${this.name}/${part}`, 'is not a single name');
    }
    const name = `${this.name}/${part}`;
    const fd = openNamed(`${this.path}/${part}`, name);
    const place = new Place(fd, name);
    const stats = place.stat();
    const problem = stats.isSymbolicLink()
      ? 'is a symbolic link'
      : directory && !stats.isDirectory()
        ? `is ${kindOf(stats)}, not a directory`
        : undefined;
    if (problem === undefined) return place;
    place.close();
    throw new UnsafePathError(name, problem);
  }

  /** Several steps; all but the last must be directories. */
  public walk(parts: readonly string[]): Place {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    let at: Place = this;
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

  /** At most this many names in a directory, in no order: a Pod or an image may hold millions. */
  public list(limit: number): string[] {
    const names: string[] = [];
    using dir = opendirSync(this.path);
    for (let entry = dir.readSync(); entry && names.length < limit; entry = dir.readSync()) names.push(entry.name);
    return names;
  }

  /** Whether both stand for the same file, however they were reached. */
  public isSameInode(other: Place): boolean {
    const [one, two] = [this.stat(), other.stat()];
    return one.ino === two.ino && one.dev === two.dev;
  }

  /**
   * Text of a regular file in a directory, if it has no more than so many bytes. Nothing else is opened: a FIFO would
   * wait for its writer, and a device may do anything.
   */
  public readText(name: string, maxBytes: number): string {
    using file = this.step(name);
    const stats = file.stat();
    if (!stats.isFile()) throw new UnsafePathError(file.name, `is ${kindOf(stats)}, not a regular file`);
    // by the descriptor, since a file of this inode stays one; O_NOFOLLOW would refuse the descriptor's own path
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

/** Errors name the place, not the descriptor by which it was reached. */
function openNamed(path: string, name: string): number {
  try {
    return openSync(path, O_PATH | O_CLOEXEC | constants.O_NOFOLLOW);
  } catch (error) {
    const { code = 'EIO' } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be opened (${code})`;
    throw Object.assign(new Error(`${name} ${what}`), { code });
  }
}

/** The parts of an absolute path; `..` is refused, not resolved. */
export function partsOf(path: string): string[] {
  if (!path.startsWith('/')) throw new UnsafePathError(path, 'is not an absolute path');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new UnsafePathError(path, 'contains ".."');
  return parts;
}
