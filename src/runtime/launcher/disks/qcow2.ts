/** New, empty qcow2 images, identical to those of `qemu-img create`. Pure. */
import type { SparseFile } from './files';

const CLUSTER_BITS = 16;
const CLUSTER = 1 << CLUSTER_BITS;
/** Bytes that one entry of the L1 table covers: an L2 table of 8192 clusters. */
const L1_REACH = CLUSTER * (CLUSTER / 8);
const HEADER_LENGTH = 104;
const BACKING_FORMAT = 0xe2792aca;
/** QEMU rejects an L1 table of more than 32 MiB: with our clusters that is 2 PiB. */
export const MAX_VIRTUAL_SIZE = ((32 << 20) / 8) * L1_REACH;

export interface NewImage {
  /** Bytes that the guest sees; rounded up to sectors. */
  virtualSize: number;
  /** Backing image; its format is recorded so that it is never probed. */
  backing?: { path: string; format: 'raw' | 'qcow2' };
}

function header(image: NewImage, size: number, l1Entries: number): Buffer {
  const cluster = Buffer.alloc(CLUSTER);
  cluster.write('QFI\xfb', 0, 'latin1');
  cluster.writeUInt32BE(3, 4); // version
  cluster.writeUInt32BE(CLUSTER_BITS, 20);
  cluster.writeBigUInt64BE(BigInt(size), 24);
  cluster.writeUInt32BE(l1Entries, 36);
  cluster.writeBigUInt64BE(BigInt(3 * CLUSTER), 40); // L1 table
  cluster.writeBigUInt64BE(BigInt(CLUSTER), 48); // refcount table
  cluster.writeUInt32BE(1, 56); // clusters of the refcount table
  cluster.writeUInt32BE(4, 96); // refcounts of 2^4 bits
  cluster.writeUInt32BE(HEADER_LENGTH, 100);
  let at = HEADER_LENGTH;
  if (image.backing) {
    const format = Buffer.from(image.backing.format);
    at = cluster.writeUInt32BE(BACKING_FORMAT, at);
    at = cluster.writeUInt32BE(format.length, at);
    format.copy(cluster, at);
    at += Math.ceil(format.length / 8) * 8;
  }
  at += 8; // end of extensions: type 0, length 0
  if (image.backing) {
    const path = Buffer.from(image.backing.path);
    if (path.length > 1023)
      throw new RangeError(`qcow2: the path of the backing file has ${path.length} bytes (allowed: 1023)`);
    cluster.writeBigUInt64BE(BigInt(at), 8);
    cluster.writeUInt32BE(path.length, 16);
    path.copy(cluster, at);
  }
  return cluster;
}

/** A new image: header, refcount table and one refcount block; the L1 table is a hole, for every size of the image. */
export function newQcow2(image: NewImage): SparseFile {
  const size = Math.ceil(image.virtualSize / 512) * 512;
  if (!(size > 0 && size <= MAX_VIRTUAL_SIZE)) {
    throw new RangeError(`qcow2: a size of ${image.virtualSize} bytes (allowed: 1 to ${MAX_VIRTUAL_SIZE})`);
  }
  const l1Entries = Math.ceil(size / L1_REACH);
  const clusters = 3 + Math.ceil((l1Entries * 8) / CLUSTER);
  const refcountTable = Buffer.alloc(CLUSTER);
  refcountTable.writeBigUInt64BE(BigInt(2 * CLUSTER), 0);
  const refcountBlock = Buffer.alloc(CLUSTER);
  for (let i = 0; i < clusters; i += 1) refcountBlock.writeUInt16BE(1, i * 2);
  return {
    head: Buffer.concat([header(image, size, l1Entries), refcountTable, refcountBlock]),
    size: clusters * CLUSTER,
  };
}
