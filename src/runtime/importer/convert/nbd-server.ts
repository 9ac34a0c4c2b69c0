/**
 * A read-only NBD server on one connected socket, for a qemu-img that has no network of its own. Its client is confined and its
 * image is hostile, so requests are limited in size and answered one after the other.
 */
import type { Duplex } from 'node:stream';
import { ImportError } from '../import-error';
import { ByteReader } from '../../host/byte-reader';
import {
  Command,
  FIXED_NEWSTYLE,
  INFO_EXPORT,
  MAGIC,
  NO_ZEROES,
  Option,
  OPTION_MAGIC,
  OPTION_REPLY_MAGIC,
  OptionReply,
  REPLY_MAGIC,
  REQUEST_MAGIC,
} from '../../host/nbd-protocol';

/** Image that is served. */
export interface Served {
  /** In bytes. */
  readonly size: number;
  /** Returns at most these bytes, and at least the first. */
  read(position: number, length: number): Promise<Buffer>;
}

const HAS_FLAGS_READ_ONLY = 3;
const EPERM = 1;
const EIO = 5;
const EINVAL = 22;
/**
 * An export is whole sectors, and zeros follow the bytes of the image. Of an export with a part of a sector, QEMU requests fewer
 * bytes than it waits for, so that it waits forever.
 */
const SECTOR_BYTES = 512;
/**
 * Size of an export that has no end for its client: a request beyond the image shows that the image was truncated. The largest
 * size that QEMU accepts (BDRV_MAX_LENGTH).
 */
const ENDLESS_BYTES = 2n ** 63n - 2n ** 30n;
/** Part of a reply that is in memory at a time: an image may make QEMU read tables of 32 MiB. */
const PIECE_BYTES = 1 << 20;
/** Largest request of QEMU. */
const MOST_BYTES = 32 << 20;
const MOST_OPTION_BYTES = 4 << 10;

/**
 * Serves until the client disconnects or ends. Rejects with the error of a read, which the client only sees as EIO.
 *
 * @param isEndless rejects if the client reads beyond the end, where QEMU otherwise takes zeros for the content of a truncated image
 */
export async function serveNbd(socket: Duplex, served: Served, isEndless = false): Promise<void> {
  const input = new ByteReader(socket);
  const size = isEndless ? ENDLESS_BYTES : BigInt(wholeSectors(served.size));
  if (!(await negotiate(socket, input, size))) return;
  for (;;) {
    const request = await input.take(28);
    if (!request) return;
    if (request.readUInt32BE(0) !== REQUEST_MAGIC) throw new Error('the NBD client sent an invalid request');
    const type = request.readUInt16BE(6);
    const handle = request.subarray(8, 16);
    const position = request.readBigUInt64BE(16);
    const length = request.readUInt32BE(24);
    if (type === Command.DISCONNECT) return;
    if (type !== Command.READ) {
      await write(socket, reply(handle, EPERM));
      continue;
    }
    if (length > MOST_BYTES || position + BigInt(length) > size) {
      await write(socket, reply(handle, EINVAL));
      continue;
    }
    await answer(socket, served, { handle, position: Number(position), length });
  }
}

async function answer(
  socket: Duplex,
  served: Served,
  { handle, position, length }: { handle: Buffer; position: number; length: number },
): Promise<void> {
  const pieceAt = (at: number): Promise<Buffer> => padded(served, position + at, Math.min(PIECE_BYTES, length - at));
  let first: Buffer;
  try {
    first = await pieceAt(0);
  } catch (error) {
    await write(socket, reply(handle, EIO));
    throw error;
  }
  await write(socket, reply(handle, 0));
  await write(socket, first);
  // after the reply, a failure only shows as the end of the connection
  for (let at = first.length; at < length;) {
    const piece = await pieceAt(at);
    await write(socket, piece);
    at += piece.length;
  }
}

async function padded(served: Served, position: number, length: number): Promise<Buffer> {
  if (position + length > wholeSectors(served.size)) throw truncated(served.size, position + length);
  const present = Math.min(length, Math.max(0, served.size - position));
  const data = present > 0 ? await served.read(position, present) : Buffer.alloc(0);
  return data.length < present || present === length ? data : Buffer.concat([data], length);
}

const wholeSectors = (bytes: number): number => Math.ceil(bytes / SECTOR_BYTES) * SECTOR_BYTES;

function truncated(size: number, wanted: number): ImportError {
  const message = `the image is truncated: it refers to its byte ${wanted - 1}, and has ${size} bytes`;
  return new ImportError('ImageInvalid', message, 'upload the whole image to its server again');
}

/** Whether the client asked for the disk. */
async function negotiate(socket: Duplex, input: ByteReader, size: bigint): Promise<boolean> {
  const hello = Buffer.alloc(18);
  hello.writeBigUInt64BE(MAGIC, 0);
  hello.writeBigUInt64BE(OPTION_MAGIC, 8);
  hello.writeUInt16BE(FIXED_NEWSTYLE | NO_ZEROES, 16);
  await write(socket, hello);
  if (!(await input.take(4))) return false;
  for (;;) {
    const header = await input.take(16);
    if (!header) return false;
    const option = header.readUInt32BE(8);
    const length = header.readUInt32BE(12);
    if (header.readBigUInt64BE(0) !== OPTION_MAGIC || length > MOST_OPTION_BYTES) {
      throw new Error('the NBD client sent an invalid option');
    }
    await input.take(length);
    if (option === Option.GO || option === Option.INFO) {
      const info = Buffer.alloc(12);
      info.writeUInt16BE(INFO_EXPORT, 0);
      info.writeBigUInt64BE(size, 2);
      info.writeUInt16BE(HAS_FLAGS_READ_ONLY, 10);
      await write(socket, optionReply(option, OptionReply.INFO, info));
      await write(socket, optionReply(option, OptionReply.ACK));
      if (option === Option.GO) return true;
    } else if (option === Option.ABORT) {
      await write(socket, optionReply(option, OptionReply.ACK));
      return false;
    } else await write(socket, optionReply(option, OptionReply.UNSUPPORTED));
  }
}

function optionReply(option: number, type: number, data = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(20);
  header.writeBigUInt64BE(OPTION_REPLY_MAGIC, 0);
  header.writeUInt32BE(option, 8);
  header.writeUInt32BE(type, 12);
  header.writeUInt32BE(data.length, 16);
  return Buffer.concat([header, data]);
}

function reply(handle: Buffer, error: number): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(REPLY_MAGIC, 0);
  header.writeUInt32BE(error, 4);
  handle.copy(header, 8);
  return header;
}

/**
 * Waits while the client does not read, so that replies do not collect in memory. That the client has ended shows when the next
 * request is read.
 */
const write = (socket: Duplex, data: Buffer): Promise<void> =>
  new Promise((resolve) => socket.write(data, () => resolve()));
