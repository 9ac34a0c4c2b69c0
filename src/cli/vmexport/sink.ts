import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';

const BLOCK_BYTES = 4096;
const ZEROS = Buffer.alloc(BLOCK_BYTES);

/** Output of a download: a file, or standard output, which cannot begin again. */
export class Sink implements AsyncDisposable {
  private position = 0;

  private constructor(private readonly file: FileHandle | undefined) {}

  public static async open(path: string | undefined): Promise<Sink> {
    return new Sink(path === undefined ? undefined : await open(path, 'w', 0o600));
  }

  public async write(data: Buffer): Promise<void> {
    if (!this.file) {
      if (!process.stdout.write(data)) await once(process.stdout, 'drain');
    } else await this.file.write(data, 0, data.length, this.position);
    this.position += data.length;
  }

  /** Writes a part of a disk; zeros become holes of the file. */
  public async writeSparse(data: Buffer): Promise<void> {
    if (!this.file) return this.write(data);
    for (let start = 0; start < data.length;) {
      let end = start;
      const isZero = isZeroAt(data, start);
      while (end < data.length && isZeroAt(data, end) === isZero) end = Math.min(data.length, end + BLOCK_BYTES);
      if (!isZero) await this.file.write(data, start, end - start, this.position + start);
      start = end;
    }
    this.position += data.length;
  }

  /** Removes everything. False if that is not possible. */
  public async restart(): Promise<boolean> {
    if (this.position === 0) return true;
    await this.file?.truncate(0);
    if (this.file) this.position = 0;
    return this.file !== undefined;
  }

  /** Gives the file its size, also after a hole at its end. */
  public async finish(): Promise<void> {
    await this.file?.truncate(this.position);
    await this.file?.sync();
  }

  public async [Symbol.asyncDispose](): Promise<void> {
    await this.file?.close();
  }
}

const isZeroAt = (data: Buffer, start: number): boolean => {
  const end = Math.min(data.length, start + BLOCK_BYTES);
  return ZEROS.compare(data, start, end, 0, end - start) === 0;
};
