/** Files of disks: made whole or not at all, found without following links out of an image. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DiskError } from './disk-error';

let writes = 0;

/** Writes a file under another name first, so that no reader and no crash ever sees half of it. */
export async function writeWhole(file: string, content: Uint8Array, volume: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.${(writes += 1)}.tmp`;
  try {
    const handle = await open(temporary, 'w', 0o660);
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new DiskError(volume, `no space left for ${file}`, 'free ephemeral storage of the node', 'DiskFull');
  }
}

/** Is it there (whatever it is)? */
export async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** Opens a file that somebody else made: the last name must not be a link. */
export function openUntrusted(file: string): Promise<FileHandle> {
  return open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** A path below `root` of which no part is a link; the caller owns `root`. */
async function walk(root: string, path: string, volume: string): Promise<string> {
  let at = root;
  for (const part of path.split('/').filter((p) => p !== '' && p !== '.')) {
    if (part === '..') throw new DiskError(volume, `the path "${path}" leaves the image`, 'write it without ..');
    at = join(at, part);
    const stat = await lstat(at).catch(() => undefined);
    if (!stat)
      throw new DiskError(
        volume,
        `the image has no /${path.replace(/^\/+/, '')}`,
        'put the disk into /disk of the image',
        'DiskMissing',
      );
    if (stat.isSymbolicLink())
      throw new DiskError(volume, `/${path} of the image is a link`, 'put the disk itself there');
  }
  return at;
}

/** The disk in a container image: `path`, or the one file in /disk. */
export async function findImageDisk(root: string, path: string | undefined, volume: string): Promise<string> {
  if (path) return walk(root, path, volume);
  const directory = await walk(root, 'disk', volume);
  const names = (await readdir(directory)).filter((name) => !name.startsWith('.'));
  if (names.length !== 1) {
    const got = names.length === 0 ? 'no file' : `${names.length} files (${names.slice(0, 5).join(', ')})`;
    throw new DiskError(
      volume,
      `/disk of the image has ${got} (allowed: one)`,
      'set containerDisk.path',
      'DiskMissing',
    );
  }
  return walk(directory, names[0]!, volume);
}
