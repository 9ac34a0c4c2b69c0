import { chmodSync, closeSync, constants, fstatSync, mkdirSync, openSync, readlinkSync } from 'node:fs';
import { chown, chmod, open, readdir } from 'node:fs/promises';
import { kindOf, O_PATH, readAtMost } from '../../runtime/host/files';

/**
 * Files below a root that a container or an image controls: the root file system of an image, a volume. Each part of a
 * path is opened relative to the descriptor of the part before and without following links, so that nothing that is
 * swapped between two steps leads out of the root. Only regular files are read, up to a limit: a FIFO may never respond,
 * and a device may have side effects.
 */

const MAX_LINKS = 40;
/** Every level of a volume costs an open descriptor while its group is changed. */
const MAX_DEPTH = 256;

/** Error for a path with an unexpected type of file. */
export class UntrustedFileError extends Error {
  public override readonly name = 'UntrustedFileError';
  public constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
  }
}

/**
 * Opens `path` with `root` as its `/`: links are resolved in this process and stay below `root`. The caller
 * closes the descriptor, which is used as `/proc/<pid>/fd/<n>`. With `makeMode`, missing directories are created.
 */
export function openInRoot(root: string, path: string, makeMode?: number): number {
  const held = [openSync(root, O_PATH | constants.O_DIRECTORY)];
  const pending = partsOf(path);
  let links = 0;
  try {
    for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
      if (part === '..') {
        if (held.length > 1) closeSync(held.pop() as number);
        continue;
      }
      const place = `/proc/self/fd/${held.at(-1)}/${part}`;
      const fd = openOrMake(place, makeMode);
      held.push(fd);
      if (!fstatSync(fd).isSymbolicLink()) continue;
      closeSync(held.pop() as number);
      if (++links > MAX_LINKS) throw new UntrustedFileError(path, `has more than ${MAX_LINKS} symbolic links`);
      const target = readlinkSync(place);
      if (target.startsWith('/')) for (const above of held.splice(1)) closeSync(above);
      pending.unshift(...partsOf(target));
    }
    return held.pop() as number;
  } finally {
    held.forEach((fd) => closeSync(fd));
  }
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

function openOrMake(place: string, makeMode: number | undefined): number {
  const flags = O_PATH | constants.O_NOFOLLOW;
  try {
    return openSync(place, flags);
  } catch (error) {
    if (makeMode === undefined || codeOf(error) !== 'ENOENT') throw error;
  }
  try {
    // never through a link: this fails if a link appears meanwhile
    mkdirSync(place);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return openSync(place, flags);
  }
  const fd = openSync(place, flags);
  // the umask restricts the mode of mkdir
  if (fstatSync(fd).isDirectory()) chmodSync(`/proc/self/fd/${fd}`, makeMode);
  return fd;
}

/** Reads a regular file below `root`. Throws if it is not a regular file or is larger than `limit`. */
export function readInRoot(root: string, path: string, limit: number): Buffer {
  const fd = openRegular(root, path);
  try {
    const content = readAtMost(fd, limit + 1);
    if (content.length > limit) throw new UntrustedFileError(path, `has more than ${limit} bytes`);
    return content;
  } finally {
    closeSync(fd);
  }
}

/** Reads the last bytes of a regular file below `root`. */
export function tailInRoot(root: string, path: string, bytes: number): Buffer {
  const fd = openRegular(root, path);
  try {
    return readAtMost(fd, bytes, Math.max(0, fstatSync(fd).size - bytes));
  } finally {
    closeSync(fd);
  }
}

function openRegular(root: string, path: string): number {
  const place = openInRoot(root, path);
  try {
    const stats = fstatSync(place);
    if (!stats.isFile()) throw new UntrustedFileError(path, `is ${kindOf(stats)}, not a regular file`);
    return openSync(`/proc/self/fd/${place}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } finally {
    closeSync(place);
  }
}

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Changes the group of everything at and below `path`: readable and writable for the group, inherited by new files.
 * Containers may write there meanwhile, so owner and mode are set on open descriptors, never by name.
 */
export const giveToGroup = (path: string, group: number): Promise<void> => give(path, group, path, []);

/** `below` lists the directories from the volume to `place`, only for the error message. */
async function give(place: string, group: number, volume: string, below: readonly string[]): Promise<void> {
  if (below.length > MAX_DEPTH) {
    const start = below.slice(0, 3).join('/');
    throw new UntrustedFileError(
      `volume ${volume}`,
      `has a path of more than ${MAX_DEPTH} parts, which begins with "${start}/" (allowed where fsGroup is set: ` +
        `${MAX_DEPTH}); move what is deeper up, or leave fsGroup out of the Pod's securityContext`,
    );
  }
  const handle = await open(place, O_PATH | constants.O_NOFOLLOW);
  try {
    const stats = await handle.stat();
    const opened = `/proc/self/fd/${handle.fd}`;
    for (const entry of stats.isDirectory() ? await readdir(opened) : []) {
      await give(`${opened}/${entry}`, group, volume, [...below, entry]).catch((error: unknown) => {
        // a container removed it meanwhile
        if (codeOf(error) !== 'ENOENT') throw error;
      });
    }
    // after its contents: the volume gets its group last
    await chown(opened, stats.uid, group);
    if (stats.isSymbolicLink()) return;
    await chmod(opened, (stats.mode & 0o7777) | (stats.isDirectory() ? 0o2770 : 0o660));
  } finally {
    await handle.close();
  }
}
