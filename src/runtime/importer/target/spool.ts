import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Served } from '../convert/nbd-server';
import { collectAfter } from '../collect';
import { ImportError } from '../import-error';
import { storageError } from './target';

const NAME = 'image';
/** An image is hardly longer than its disk, unless it contains snapshots, which an import does not need. */
const MOST_RATIO = 1.25;
const MOST_TABLES = 16 << 20;

const tooLong = (most: number): ImportError =>
  new ImportError(
    'ImageTooLarge',
    `the image has more than ${most} bytes, and is stored until it is complete, because it arrives only from begin to end`,
    'request a larger claim, or remove the snapshots from the image with `qemu-img convert`',
  );

/** File for an image that has to be complete before it is converted. */
export class Spool implements Served, AsyncDisposable {
  public size = 0;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  public static async create(folder: string): Promise<Spool> {
    const { O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    const path = join(folder, NAME);
    return new Spool(path, await open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600));
  }

  /** Stores an image for a disk of at most `capacity` bytes. @throws ImportError if it is longer than any such image */
  public async fill(bytes: AsyncIterable<Buffer>, capacity: number): Promise<void> {
    const most = Math.ceil(capacity * MOST_RATIO) + MOST_TABLES;
    try {
      for await (const chunk of bytes) {
        if (this.size + chunk.length > most) throw tooLong(most);
        await this.file.write(chunk, 0, chunk.length, this.size);
        this.size += chunk.length;
        collectAfter(chunk.length);
      }
    } catch (error) {
      throw storageError(error);
    }
  }

  public async read(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await this.file.read(buffer, 0, length, position);
    return buffer.subarray(0, bytesRead);
  }

  public async [Symbol.asyncDispose](): Promise<void> {
    await this.file.close();
    await rm(this.path, { force: true });
  }
}
