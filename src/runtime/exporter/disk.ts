import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import type { ExportedVolume } from '../../api/export/export-request';
import { deviceOf } from '../host/mounts';
import { openFile, openRoot } from './safe-open';

const DISK = 'disk.img';
const SECTOR = 512;

/** An open disk of a claim. */
export class Disk implements AsyncDisposable {
  private constructor(
    private readonly file: FileHandle,
    /** In bytes. */
    public readonly size: number,
    /** Identifies the content: an ETag without quotes. */
    public readonly version: string,
  ) {}

  /**
   * Opens a device, or the file `disk.img` of a file system. Undefined if there is no such file.
   *
   * @param podUid part of the version of a device, which has no time of its last change; no VM writes it while the Pod exists
   */
  public static async open({ path, isDevice, uid }: ExportedVolume, podUid: string): Promise<Disk | undefined> {
    if (isDevice) {
      const file = await open(path, constants.O_RDONLY);
      const size = await sizeOf(await file.stat());
      return new Disk(file, size, versionOf(uid, size, podUid));
    }
    const root = await openRoot(path);
    try {
      const file = await openFile(root, DISK);
      if (!file) return undefined;
      const { size, mtimeNs, ino } = await file.stat({ bigint: true });
      return new Disk(file, Number(size), versionOf(uid, size, mtimeNs, ino));
    } catch (error) {
      if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    } finally {
      await root.close();
    }
  }

  /** Reads bytes of the disk. @throws Error if the disk became smaller */
  public async read(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await this.file.read(buffer, done, length - done, position + done);
      if (bytesRead === 0) throw new Error(`the disk ended at byte ${position + done} of ${this.size}`);
      done += bytesRead;
    }
    return buffer;
  }

  public async [Symbol.asyncDispose](): Promise<void> {
    await this.file.close();
  }
}

/** Size of a block device; stat reports 0. */
async function sizeOf(stats: { rdev: number; isBlockDevice(): boolean }): Promise<number> {
  if (!stats.isBlockDevice()) throw new Error('the volume is not a block device');
  const sectors = await readFile(`/sys/dev/block/${deviceOf(stats.rdev)}/size`, 'utf8');
  return Number(sectors.trim()) * SECTOR;
}

const versionOf = (...facts: readonly (string | number | bigint)[]): string =>
  createHash('sha256').update(facts.join(' ')).digest('hex').slice(0, 32);
