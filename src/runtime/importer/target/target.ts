import { constants } from 'node:fs';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { ImportError } from '../import-error';
import { run } from '../../host/command';
import { deviceOf } from '../../host/mounts';
import { Zeroer } from './zeroer';

const CHUNK_BYTES = 1 << 20;

/** Disk that an import writes: the file `disk.img` of a claim's file system, or a block device. */
export class Target implements AsyncDisposable {
  private readonly zeroer: Zeroer;

  private constructor(
    public readonly path: string,
    public readonly isDevice: boolean,
    /** Largest disk in bytes that fits. */
    public readonly capacity: number,
    private readonly file: FileHandle,
  ) {
    this.zeroer = new Zeroer(path, (data, position) => this.write(data, position));
  }

  /** Opens or creates an image file. `capacity`: bytes that the claim's size leaves after the overhead of its file system. */
  public static async file(path: string, capacity: number): Promise<Target> {
    const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
    const file = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o660);
    if ((await file.stat()).isFile()) return new Target(path, false, capacity, file);
    await file.close();
    throw new ImportError('RequestInvalid', `${path} is not a regular file`, 'use an empty claim');
  }

  /** Opens the device of a claim with `volumeMode: Block`. */
  public static async device(path: string): Promise<Target> {
    const file = await open(path, constants.O_RDWR).catch((error: unknown) => {
      throw openError(error);
    });
    const { rdev } = await file.stat();
    return new Target(path, true, await deviceSize(rdev), file);
  }

  /** Whether unwritten bytes are zeros: those of an empty file are, those of a device can be anything. */
  public get isZeroed(): boolean {
    return !this.isDevice;
  }

  /** Removes what an earlier import left, so that unwritten bytes are zeros. */
  public async clear(): Promise<void> {
    if (!this.isDevice) await this.file.truncate(0);
  }

  public async write(data: Buffer, position: number): Promise<void> {
    try {
      for (let done = 0; done < data.length;) {
        const { bytesWritten } = await this.file.write(data, done, data.length - done, position + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw storageError(error);
    }
  }

  /** Writes zeros, as a hole where the storage supports it. */
  public zero(start: number, end: number): Promise<void> {
    return this.zeroer.zero(start, end);
  }

  /** Gives the disk its final size, and its space if it is preallocated. */
  public async finish(isPreallocated: boolean): Promise<void> {
    await this.resize(this.capacity);
    if (isPreallocated && !this.isDevice) {
      await run('fallocate', ['--length', String(this.capacity), this.path], { timeoutMs: 0 });
    }
    await this.sync();
  }

  /** Sets the size of the file; a device keeps its own. */
  public async resize(bytes: number): Promise<void> {
    if (this.isDevice) return;
    await this.file.truncate(bytes).catch((error: unknown) => {
      throw storageError(error);
    });
  }

  /** Removes the content, so that no VM starts from a rejected image. */
  public async wipe(): Promise<void> {
    if (this.isDevice) await this.zero(0, this.capacity);
    else await this.file.truncate(0);
    await this.sync();
  }

  /** Yields the bytes before a position. */
  public async *content(end: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < end;) {
      const { buffer, bytesRead } = await this.file.read(
        Buffer.allocUnsafe(CHUNK_BYTES),
        0,
        Math.min(CHUNK_BYTES, end - at),
        at,
      );
      if (bytesRead === 0) throw new Error(`${this.path} ends before ${end}`);
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Waits until everything is on the storage. */
  public async sync(): Promise<void> {
    await this.file.sync().catch((error: unknown) => {
      throw storageError(error);
    });
  }

  public async [Symbol.asyncDispose](): Promise<void> {
    await this.file.close();
  }
}

/** Reads a device's size in bytes from sysfs, because its own stat reports zero. */
export async function deviceSize(rdev: number): Promise<number> {
  return Number(await readFile(`/sys/dev/block/${deviceOf(rdev)}/size`, 'utf8')) * 512;
}

/** The error itself, or, if this user may not open the device of a claim, one with a remedy. */
export function openError(error: unknown): unknown {
  if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return error;
  const message = `the container runtime of the node does not let user ${process.geteuid?.()} open the device of the claim`;
  const remedy =
    'set device_ownership_from_security_context in the configuration of containerd or CRI-O on the nodes, ' +
    'or use a claim with volumeMode: Filesystem';
  return new ImportError('DeviceNotAccessible', message, remedy, { cause: error });
}

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** The error itself, or, if the storage is full, one with a remedy. */
export function storageError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (!code || !FULL.includes(code)) return error;
  const remedy = 'request a larger claim, or free space on the storage; the import continues then';
  return new ImportError('StorageFull', `the storage of the claim is full (${code})`, remedy, { cause: error });
}
