/** Files of disks: written completely or not at all, opened without following links out of an image. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DiskError } from './disk-error';

let writes = 0;

/** A file that ends with a hole. */
export interface SparseFile {
  head: Uint8Array;
  size: number;
}

/** Writes a file under another name first, so that neither a reader nor a crash sees an incomplete one. */
export async function writeWhole(file: string, content: Uint8Array | SparseFile, volume: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.${(writes += 1)}.tmp`;
  try {
    const handle = await open(temporary, 'w', 0o660);
    try {
      if ('head' in content) {
        await handle.writeFile(content.head);
        await handle.truncate(content.size);
      } else await handle.writeFile(content);
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

/** Whether the path exists, as any kind of file. */
export async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** QEMU's cache mode for a file: without the node's cache, unless its file system cannot bypass it. */
export async function cacheFor(file: string): Promise<'none' | 'writethrough'> {
  const { O_RDONLY, O_DIRECT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    await (await open(file, O_RDONLY | O_DIRECT | O_NOFOLLOW | O_NONBLOCK)).close();
    return 'none';
  } catch (error) {
    // QEMU reports every other problem, with its cause
    return (error as NodeJS.ErrnoException).code === 'EINVAL' ? 'writethrough' : 'none';
  }
}

/** Opens an untrusted file: the last part of the path must not be a link. */
export function openUntrusted(file: string): Promise<FileHandle> {
  return open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/**
 * Reads a file that the kubelet has mounted; undefined if it does not exist. Its links are the kubelet's own and are
 * followed; anything except a file of at most `limit` bytes is rejected.
 */
export async function readMounted(file: string, limit: number, volume: string): Promise<Buffer | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new DiskError(volume, `${file} is not a file`, 'put the data there');
    const content = Buffer.alloc(Math.min(info.size, limit) + 1);
    let size = 0;
    for (let read = 1; read !== 0 && size < content.length; size += read) {
      read = (await handle.read(content, size, content.length - size, size)).bytesRead;
    }
    if (size > limit) throw new DiskError(volume, `${file} has more than ${limit} bytes`, 'use a claim for large data');
    return content.subarray(0, size);
  } finally {
    await handle.close();
  }
}

/**
 * Looks up a path of an image that is mounted at `root`. A link on the way could lead to any file of this Pod. The content
 * of an image does not change afterwards.
 */
export async function lookUp(
  root: string,
  path: string,
): Promise<{ readonly at: string } | { readonly problem: 'leaves' | 'missing' | 'link' }> {
  let at = root;
  for (const part of path.split('/').filter((each) => each !== '' && each !== '.')) {
    if (part === '..') return { problem: 'leaves' };
    at = join(at, part);
    const stat = await lstat(at).catch(() => undefined);
    if (!stat) return { problem: 'missing' };
    if (stat.isSymbolicLink()) return { problem: 'link' };
  }
  return { at };
}

/** A path below `root` in which no part is a link; the caller controls `root`. */
async function walk(root: string, path: string, volume: string): Promise<string> {
  const found = await lookUp(root, path);
  if ('at' in found) return found.at;
  const absolute = `/${path.replace(/^\/+/, '')}`;
  switch (found.problem) {
    case 'leaves':
      throw new DiskError(volume, `the path "${path}" leaves the image`, 'remove the .. from it');
    case 'missing':
      throw new DiskError(
        volume,
        `the image has no ${absolute}`,
        'put the disk into /disk of the image',
        'DiskMissing',
      );
    case 'link':
      throw new DiskError(volume, `${absolute} of the image is a link`, 'put the disk itself there');
  }
}

/** The disk in a container image: `path`, or the only file in /disk. */
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
