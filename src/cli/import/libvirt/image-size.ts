/** Virtual size of a disk image on this machine. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const QCOW = 0x514649fb;

/** Size in bytes; undefined if the file does not exist or cannot be read. */
export function imageSize(file: string): number | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const stats = fstatSync(handle);
    if (!stats.isFile()) return undefined;
    const head = Buffer.alloc(32);
    const isQcow = readSync(handle, head, 0, 32, 0) === 32 && head.readUInt32BE(0) === QCOW;
    const size = isQcow ? Number(head.readBigUInt64BE(24)) : stats.size;
    return size > 0 ? size : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
