/**
 * Parses the header of an untrusted image. The launcher determines the format and passes it to QEMU: with probing, a forged
 * header could make QEMU open other files of the node. Pure: bytes in, facts out.
 */
import { DiskError } from './disk-error';
import { MAX_VIRTUAL_SIZE } from './qcow2';

/** Number of bytes of the file that are read. */
export const HEADER_BYTES = 1024;

export interface ImageFacts {
  format: 'raw' | 'qcow2';
  /** Bytes that the guest sees. */
  virtualSize: number;
}

const SECTOR = 512;
const QCOW2_MAGIC = 0x514649fb;
const QCOW2_EXTERNAL_DATA = 1n << 2n;

/** Formats that are recognized and rejected: magic at an offset. */
const FOREIGN: { name: string; at: number; magic: string }[] = [
  { name: 'VMDK', at: 0, magic: 'KDMV' },
  { name: 'VMDK descriptor', at: 0, magic: '# Disk DescriptorFile' },
  { name: 'VHDX', at: 0, magic: 'vhdxfile' },
  { name: 'VHD', at: 0, magic: 'conectix' },
  { name: 'VDI', at: 64, magic: '\x7f\x10\xda\xbe' },
  { name: 'QED', at: 0, magic: 'QED\0' },
  { name: 'LUKS', at: 0, magic: 'LUKS\xba\xbe' },
  { name: 'gzip', at: 0, magic: '\x1f\x8b' },
  { name: 'xz', at: 0, magic: '\xfd7zXZ\0' },
  { name: 'zstd', at: 0, magic: '\x28\xb5\x2f\xfd' },
];

function qcow2(header: Buffer, volume: string): ImageFacts {
  const invalid = (problem: string, remedy: string): DiskError =>
    new DiskError(volume, `the qcow2 image ${problem}`, remedy);
  if (header.length < 72) throw invalid('is cut off in its header', 'build the image again');
  const version = header.readUInt32BE(4);
  if (version === 1 || version > 3) {
    throw invalid(`has version ${version} (allowed: 2, 3)`, 'convert it with `qemu-img convert -O qcow2`');
  }
  if (header.readBigUInt64BE(8) !== 0n) {
    throw invalid(
      'has a backing file, which would be read from the node',
      'flatten it with `qemu-img convert -O qcow2`',
    );
  }
  if (header.readUInt32BE(32) !== 0) throw invalid('is encrypted', 'decrypt it with `qemu-img convert -O qcow2`');
  if (version === 3) {
    if (header.length < 104) throw invalid('is cut off in its header', 'build the image again');
    if ((header.readBigUInt64BE(72) & QCOW2_EXTERNAL_DATA) !== 0n) {
      throw invalid('keeps its data in another file', 'join them with `qemu-img convert -O qcow2`');
    }
  }
  const size = header.readBigUInt64BE(24);
  if (size === 0n || size > MAX_VIRTUAL_SIZE) {
    throw invalid(`claims ${size} bytes (allowed: 1 to ${MAX_VIRTUAL_SIZE})`, 'build the image again');
  }
  return { format: 'qcow2', virtualSize: Number(size) };
}

/** Format and size of an image, from its first bytes and its length. */
export function readImageHeader(header: Buffer, fileSize: number, volume: string): ImageFacts {
  if (fileSize === 0) throw new DiskError(volume, 'the image is an empty file', 'build the image again');
  if (header.length >= 4 && header.readUInt32BE(0) === QCOW2_MAGIC) return qcow2(header, volume);
  const foreign = FOREIGN.find(({ at, magic }) => header.toString('latin1', at, at + magic.length) === magic);
  if (foreign) {
    throw new DiskError(
      volume,
      `the image is ${foreign.name} (allowed: raw, qcow2)`,
      'convert it with `qemu-img convert -O qcow2`',
    );
  }
  if (fileSize > MAX_VIRTUAL_SIZE) {
    const problem = `the image has ${fileSize} bytes (allowed: 1 to ${MAX_VIRTUAL_SIZE})`;
    throw new DiskError(volume, problem, 'build a smaller image');
  }
  return { format: 'raw', virtualSize: Math.ceil(fileSize / SECTOR) * SECTOR };
}
