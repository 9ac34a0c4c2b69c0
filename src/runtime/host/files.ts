import { readSync } from 'node:fs';
import type { Stats } from 'node:fs';

/** O_PATH, missing in node:fs: a descriptor that only refers to a path (Linux x86-64 and arm64). */
export const O_PATH = 0o10000000;

/** Nearly all files are smaller than the first read, so the limit rarely matters. */
const CHUNK_BYTES = { first: 4 << 10, most: 64 << 10 };

/**
 * Reads at most `limit` bytes of an open file from a position. The size that the file reports is not trusted: reading ends
 * at its end or at the limit.
 */
export function readAtMost(fd: number, limit: number, position = 0): Buffer {
  const chunks: Buffer[] = [];
  let size = CHUNK_BYTES.first;
  for (let done = 0; done < limit;) {
    const chunk = Buffer.allocUnsafe(Math.min(size, limit - done));
    const read = readSync(fd, chunk, 0, chunk.length, position + done);
    if (read === 0) break;
    chunks.push(chunk.subarray(0, read));
    done += read;
    // some kernel files return one page per read, even if more is requested
    if (read === chunk.length) size = Math.min(2 * size, CHUNK_BYTES.most);
  }
  return Buffer.concat(chunks);
}

/** `a FIFO`, for messages. */
export function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'a regular file';
  if (stats.isDirectory()) return 'a directory';
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
