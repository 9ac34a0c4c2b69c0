import { statfs } from 'node:fs/promises';

const GIB = 2 ** 30;

/** Room that downloads and unpacking leave on a file system: 5 % of it, at most 1 GiB; and 5 % of its files. */
export async function assertRoom(path: string): Promise<void> {
  const { bsize, blocks, bavail, files, ffree } = await statfs(path);
  const reserve = Math.min(GIB, blocks * bsize * 0.05);
  if (bavail * bsize < reserve) {
    const free = Math.floor((bavail * bsize) / 2 ** 20);
    throw new Error(`no space left on device: ${path} has only ${free} MiB, which stay free`);
  }
  // some file systems have no fixed number of files
  if (files > 0 && ffree < files * 0.05) {
    throw new Error(`no space left on device: ${path} has only ${ffree} inodes, which stay free`);
  }
}
