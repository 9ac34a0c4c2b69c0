import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { ImportError } from '../import-error';
import { deviceSize, openError } from '../target/target';
import type { Source } from './source';

const CHUNK_BYTES = 1 << 20;

/** A disk that the Pod has mounted: the file or device of another claim, or a file of an image. */
export class DiskSource implements Source {
  public readonly isRandomAccess = true;

  private constructor(
    private readonly file: FileHandle,
    public readonly size: number,
    /** Undefined for a device, whose last change is not known. */
    public readonly version: string | undefined,
    private readonly onBytes: (bytes: number) => void,
  ) {}

  public static async open(path: string, onBytes: (bytes: number) => void): Promise<DiskSource> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(path, flags).catch(async (error: unknown) => {
      const isDevice = await stat(path).then(
        (found) => found.isBlockDevice(),
        () => false,
      );
      throw isDevice ? openError(error) : error;
    });
    return DiskSource.of(file, path, onBytes);
  }

  /** `path`: of the open file, for errors. */
  public static async of(file: FileHandle, path: string, onBytes: (bytes: number) => void): Promise<DiskSource> {
    const stats = await file.stat({ bigint: true });
    if (stats.isBlockDevice()) return new DiskSource(file, await deviceSize(Number(stats.rdev)), undefined, onBytes);
    if (stats.isFile()) {
      return new DiskSource(file, Number(stats.size), `${stats.ino} ${stats.size} ${stats.mtimeNs}`, onBytes);
    }
    await file.close();
    throw new ImportError('ImageInvalid', `${path} is not a disk`, 'clone a claim that contains a disk');
  }

  public get transferBytes(): number {
    return this.size;
  }

  public async *stream(from = 0): AsyncGenerator<Buffer> {
    for (let at = from; at < this.size;) {
      const chunk = await this.read(at, Math.min(CHUNK_BYTES, this.size - at));
      yield chunk;
      at += chunk.length;
    }
  }

  public async read(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await this.file.read(buffer, done, length - done, position + done);
      if (bytesRead === 0) {
        throw new ImportError('SourceChanged', 'the source became smaller while it was copied', 'stop its users');
      }
      done += bytesRead;
    }
    this.onBytes(length);
    return buffer;
  }

  public close(): void {
    void this.file.close();
  }
}
