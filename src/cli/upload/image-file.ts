import { open, type FileHandle } from 'node:fs/promises';
import { CliError } from '../errors';

/** File that is uploaded. */
export interface ImageFile {
  readonly path: string;
  readonly size: number;
  readonly format: string;
  /** Size of the disk in the image, if its header tells it. */
  readonly virtualSize?: number;
  /** Identifies this version of the file, so that an upload continues with the same bytes only. */
  readonly key: string;
}

const HEAD_BYTES = 512;
/** Formats with the position of their magic number, and that of the disk's size, a big-endian or little-endian number. */
const FORMATS: readonly {
  readonly name: string;
  readonly magic: string;
  readonly at: number;
  readonly size?: (head: Buffer) => bigint;
}[] = [
  { name: 'qcow2', magic: 'QFI\xfb', at: 0, size: (head) => head.readBigUInt64BE(24) },
  { name: 'vmdk', magic: 'KDMV', at: 0, size: (head) => head.readBigUInt64LE(12) * 512n },
  { name: 'vdi', magic: '\x7f\x10\xda\xbe', at: 64, size: (head) => head.readBigUInt64LE(368) },
  { name: 'vhdx', magic: 'vhdxfile', at: 0 },
  { name: 'vhd', magic: 'conectix', at: 0, size: (head) => head.readBigUInt64BE(48) },
  { name: 'gz', magic: '\x1f\x8b', at: 0 },
  { name: 'xz', magic: '\xfd7zXZ\0', at: 0 },
  { name: 'zst', magic: '\x28\xb5\x2f\xfd', at: 0 },
  { name: 'tar', magic: 'ustar', at: 257 },
];
const COMPRESSED = ['gz', 'xz', 'zst'];

/** Format and size of the disk, from the first bytes of an image. Anything unknown is a raw disk. Pure. */
export function describe(head: Buffer, size: number): Pick<ImageFile, 'format' | 'virtualSize'> {
  const found = FORMATS.find(
    ({ magic, at }) => head.length >= at + magic.length && head.toString('latin1', at, at + magic.length) === magic,
  );
  if (!found) return { format: 'raw', virtualSize: size };
  if (!found.size || head.length < HEAD_BYTES) return { format: found.name };
  return { format: found.name, virtualSize: Number(found.size(head)) };
}

/** Opens the file and checks it before anything is created. */
export async function openImage(path: string, isArchive: boolean): Promise<{ image: ImageFile; file: FileHandle }> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`cannot read ${path}: ${error.code === 'ENOENT' ? 'no such file' : error.message}`);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new CliError(`${path} is not a regular file; upload the file of a disk image`);
    if (stats.size === 0) throw new CliError(`${path} is empty; upload the file of a disk image`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const found = describe(buffer.subarray(0, bytesRead), stats.size);
    refuse(path, found.format, isArchive);
    const key = `${stats.dev.toString(36)}-${stats.ino.toString(36)}-${stats.size}-${Math.floor(stats.mtimeMs)}`;
    return { image: { path, size: stats.size, key, ...found }, file };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function refuse(path: string, format: string, isArchive: boolean): void {
  if (isArchive && format !== 'tar' && !COMPRESSED.includes(format)) {
    throw new CliError(`${path} is a ${format} image and no tar archive; give it as --image-path`);
  }
  if (!isArchive && format === 'tar') {
    throw new CliError(`${path} is a tar archive; give it as --archive-path to unpack it into the volume`);
  }
}
