/** New, empty qcow2 images: what `qemu-img create` writes, without starting it. Pure. */

const CLUSTER_BITS = 16;
const CLUSTER = 1 << CLUSTER_BITS;
/** Bytes that one entry of the L1 table covers: an L2 table of 8192 clusters. */
const L1_REACH = CLUSTER * (CLUSTER / 8);
const HEADER_LENGTH = 104;
const BACKING_FORMAT = 0xe2792aca;

export interface NewImage {
  /** Bytes that the guest sees; rounded up to sectors. */
  virtualSize: number;
  /** The image below; its format is written down so that nobody ever probes it. */
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

/** The bytes of a new image: header, refcount table, one refcount block, L1 table. */
export function newQcow2(image: NewImage): Buffer {
  const size = Math.ceil(image.virtualSize / 512) * 512;
  const l1Entries = Math.max(1, Math.ceil(size / L1_REACH));
  const l1Clusters = Math.ceil((l1Entries * 8) / CLUSTER);
  const clusters = 3 + l1Clusters;
  const refcountTable = Buffer.alloc(CLUSTER);
  refcountTable.writeBigUInt64BE(BigInt(2 * CLUSTER), 0);
  const refcountBlock = Buffer.alloc(CLUSTER);
  for (let i = 0; i < clusters; i += 1) refcountBlock.writeUInt16BE(1, i * 2);
  return Buffer.concat([
    header(image, size, l1Entries),
    refcountTable,
    refcountBlock,
    Buffer.alloc(l1Clusters * CLUSTER),
  ]);
}
