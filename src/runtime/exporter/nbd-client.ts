/**
 * A client of the NBD server in a launcher's QEMU. The launcher is not trusted: its answers are limited in size, and one that does
 * not fit its request ends the connection.
 */
import { createConnection, type Socket } from 'node:net';
import { ByteReader } from '../host/byte-reader';
import {
  Chunk,
  CHUNK_DONE,
  CHUNK_ERROR,
  CHUNK_MAGIC,
  Command,
  FIXED_NEWSTYLE,
  INFO_EXPORT,
  MAGIC,
  NO_ZEROES,
  Option,
  OPTION_ERROR,
  OPTION_MAGIC,
  OPTION_REPLY_MAGIC,
  OptionReply,
  REPLY_MAGIC,
  REQUEST_MAGIC,
} from '../host/nbd-protocol';

/** Longest answer to an option. */
const MOST_OPTION_BYTES = 4 << 10;
/** Answers to one option. */
const MOST_ANSWERS = 64;
/** Longest chunk with the status of blocks: 128 Ki extents. */
const MOST_STATUS_BYTES = 1 << 20;
/** Chunks of one reply; QEMU sends one. */
const MOST_CHUNKS = 16;
/** Time after which a server that does not answer is given up. */
const SILENCE_MS = 60_000;
/** Longest range of one request for the status of blocks. */
const MOST_STATUS_RANGE = 0xffff0000;

export interface Extent {
  /** In bytes. */
  readonly offset: number;
  readonly length: number;
  /** Meaning by its context: of `base:allocation`, 1 is a hole and 2 reads as zeros; of a dirty bitmap, 1 was changed. */
  readonly flags: number;
}

export class NbdClient implements AsyncDisposable {
  /** In bytes. */
  public size = 0;
  private context: number | undefined;
  private readonly input: ByteReader;

  private constructor(private readonly socket: Socket) {
    this.input = new ByteReader(socket);
  }

  /**
   * Connects to an export.
   *
   * @param context whose status of blocks will be read; then `read` cannot be used
   * @throws Error if the server has no such export or context
   */
  public static async open(path: string, name: string, context?: string): Promise<NbdClient> {
    const socket = createConnection({ path });
    const client = new NbdClient(socket);
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    try {
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      await client.negotiate(name, context);
      return client;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  public async read(position: number, length: number): Promise<Buffer> {
    this.request(Command.READ, position, length);
    const header = await this.take(16);
    if (header.readUInt32BE(0) !== REPLY_MAGIC) throw new Error('the NBD server sent an invalid reply');
    const error = header.readUInt32BE(4);
    if (error !== 0) throw new Error(`the disk cannot be read at byte ${position} (error ${error})`);
    return this.take(length);
  }

  /** Status of blocks from a position on; the server decides how far the answer reaches, at least for one extent. */
  public async status(position: number, length: number): Promise<Extent[]> {
    this.request(Command.BLOCK_STATUS, position, Math.min(length, MOST_STATUS_RANGE));
    let found: Extent[] = [];
    let isDone = false;
    for (let chunks = 0; chunks < MOST_CHUNKS && !isDone; chunks++) {
      const header = await this.take(20);
      if (header.readUInt32BE(0) !== CHUNK_MAGIC) throw new Error('the NBD server sent an invalid reply');
      const type = header.readUInt16BE(6);
      const bytes = header.readUInt32BE(16);
      if (bytes > MOST_STATUS_BYTES) throw new Error('the NBD server sent a reply that is too long');
      const data = await this.take(bytes);
      if (type & CHUNK_ERROR) throw new Error(`the blocks cannot be listed at byte ${position}`);
      if (type === Chunk.BLOCK_STATUS) found = this.extents(data, position);
      isDone = (header.readUInt16BE(4) & CHUNK_DONE) !== 0;
    }
    if (!isDone) throw new Error('the NBD server sent a reply without an end');
    if (found.length === 0) throw new Error('the NBD server sent no blocks');
    return found;
  }

  public async [Symbol.asyncDispose](): Promise<void> {
    this.socket.destroy();
  }

  private extents(data: Buffer, position: number): Extent[] {
    if (data.length < 12 || data.length % 8 !== 4 || data.readUInt32BE(0) !== this.context)
      throw new Error('the NBD server sent an invalid list of blocks');
    const found: Extent[] = [];
    for (let at = 4, offset = position; at < data.length && offset < this.size; at += 8) {
      const length = Math.min(data.readUInt32BE(at), this.size - offset);
      if (length === 0) throw new Error('the NBD server sent an empty block');
      found.push({ offset, length, flags: data.readUInt32BE(at + 4) });
      offset += length;
    }
    return found;
  }

  private request(command: number, position: number, length: number): void {
    const request = Buffer.alloc(28);
    request.writeUInt32BE(REQUEST_MAGIC, 0);
    request.writeUInt16BE(command, 6);
    request.writeBigUInt64BE(BigInt(position), 16);
    request.writeUInt32BE(length, 24);
    this.socket.write(request);
  }

  private async negotiate(name: string, context: string | undefined): Promise<void> {
    const hello = await this.take(18);
    const flags = hello.readUInt16BE(16);
    if (hello.readBigUInt64BE(0) !== MAGIC || hello.readBigUInt64BE(8) !== OPTION_MAGIC || !(flags & FIXED_NEWSTYLE))
      throw new Error('the socket is not that of an NBD server');
    const chosen = Buffer.alloc(4);
    chosen.writeUInt32BE(FIXED_NEWSTYLE | (flags & NO_ZEROES));
    this.socket.write(chosen);
    if (context !== undefined) {
      await this.option(Option.STRUCTURED_REPLY, Buffer.alloc(0), () => undefined);
      await this.option(
        Option.SET_META_CONTEXT,
        Buffer.concat([text(name), number32(1), text(context)]),
        (type, data) => {
          if (type === OptionReply.META_CONTEXT && data.length >= 4) this.context = data.readUInt32BE(0);
        },
      );
      if (this.context === undefined) throw new Error(`the disk has no context "${context}"`);
    }
    let isKnown = false;
    await this.option(Option.GO, Buffer.concat([text(name), Buffer.alloc(2)]), (type, data) => {
      if (type !== OptionReply.INFO || data.length < 12 || data.readUInt16BE(0) !== INFO_EXPORT) return;
      this.size = Number(data.readBigUInt64BE(2));
      isKnown = Number.isSafeInteger(this.size);
    });
    if (!isKnown) throw new Error('the NBD server did not tell the size of the disk');
  }

  /** Sends an option, and handles its answers up to the acknowledgement. */
  private async option(option: number, data: Buffer, see: (type: number, data: Buffer) => void): Promise<void> {
    const header = Buffer.alloc(16);
    header.writeBigUInt64BE(OPTION_MAGIC, 0);
    header.writeUInt32BE(option, 8);
    header.writeUInt32BE(data.length, 12);
    this.socket.write(Buffer.concat([header, data]));
    for (let answers = 0; answers < MOST_ANSWERS; answers++) {
      const reply = await this.take(20);
      const type = reply.readUInt32BE(12);
      const length = reply.readUInt32BE(16);
      if (reply.readBigUInt64BE(0) !== OPTION_REPLY_MAGIC || length > MOST_OPTION_BYTES) break;
      const answer = await this.take(length);
      if (type >= OPTION_ERROR) throw new Error(`the NBD server refused: ${answer.toString('utf8').slice(0, 200)}`);
      if (type === OptionReply.ACK) return;
      see(type, answer);
    }
    throw new Error('the NBD server sent an invalid answer');
  }

  private async take(length: number): Promise<Buffer> {
    const data = await this.input.take(length);
    if (!data) throw new Error('the NBD server ended the connection; the backup may be over');
    return data;
  }
}

function number32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([number32(bytes.length), bytes]);
}
