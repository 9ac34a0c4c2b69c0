/** Bytes of a disk as they are sent: plain, or as gzip members. */
import { promisify } from 'node:util';
import { constants as zlib, crc32, deflateRaw } from 'node:zlib';
import { MEMBER_BYTES } from '../../api/export/export-request';
import { gzipMember } from '../../api/export/gzip-member';

/** Disk that is read by position. */
export interface Readable {
  /** In bytes. */
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
}

/** Called with the disk's bytes in their order. */
export type Observe = (data: Buffer) => void;

const CHUNK_BYTES = 1 << 20;
/** Members that are compressed at the same time. */
const AHEAD = 2;
const ZEROS = Buffer.alloc(MEMBER_BYTES);
// a faster level is less work than a slow network saves
const LEVEL = zlib.Z_BEST_SPEED;
const deflate = promisify<Buffer, object, Buffer>(deflateRaw);

/** Yields the bytes from `start` up to, not including, `end`. */
export async function* plain(disk: Readable, start: number, end: number, observe: Observe): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += CHUNK_BYTES) {
    const data = await disk.read(at, Math.min(CHUNK_BYTES, end - at));
    observe(data);
    yield data;
  }
}

/** Yields the disk from a position on as gzip members of MEMBER_BYTES each. The same disk gives the same bytes. */
export async function* members(disk: Readable, start: number, observe: Observe): AsyncGenerator<Buffer> {
  const pending: Promise<Member>[] = [];
  for (let at = start; at < disk.size || pending.length > 0;) {
    for (; pending.length < AHEAD && at < disk.size; at += MEMBER_BYTES) {
      const member = memberOf(disk, at, Math.min(MEMBER_BYTES, disk.size - at));
      // an error is thrown when the member's turn comes
      member.catch(() => undefined);
      pending.push(member);
    }
    const { data, packed } = await pending.shift()!;
    observe(data);
    yield packed;
  }
}

interface Member {
  readonly data: Buffer;
  readonly packed: Buffer;
}

let packedZeros: Promise<Buffer> | undefined;

async function memberOf(disk: Readable, position: number, length: number): Promise<Member> {
  const data = await disk.read(position, length);
  // most of a disk is often empty
  if (length === MEMBER_BYTES && data.equals(ZEROS)) {
    packedZeros ??= pack(ZEROS);
    return { data: ZEROS, packed: await packedZeros };
  }
  return { data, packed: await pack(data) };
}

const pack = async (data: Buffer): Promise<Buffer> =>
  gzipMember(await deflate(data, { level: LEVEL }), crc32(data), data.length);
