import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file system with reflinks, in a file of this machine. */
export class ReflinkStorage {
  private constructor(private readonly folder: string) {}

  /** @param bytes size of the file system, which must be at least 300 MiB */
  public static create(bytes: number): ReflinkStorage {
    // short, since the paths of sockets have a limit
    const storage = new ReflinkStorage(mkdtempSync('/var/lib/virt8s-test-'));
    const image = join(storage.folder, 'xfs.img');
    writeFileSync(image, '');
    truncateSync(image, bytes);
    mkdirSync(storage.path);
    execFileSync('mkfs.xfs', ['-q', '-m', 'reflink=1', image]);
    execFileSync('mount', ['-o', 'loop', image, storage.path]);
    return storage;
  }

  /** Root of the file system. */
  public get path(): string {
    return join(this.folder, 'm');
  }

  /** Bytes that all files occupy together. */
  public used(): number {
    execFileSync('sync', ['--file-system', this.path]);
    const { blocks, bfree, bsize } = statfsSync(this.path);
    return (blocks - bfree) * bsize;
  }

  public remove(): void {
    execFileSync('umount', [this.path]);
    rmSync(this.folder, { recursive: true });
  }
}

/** Bytes of a file that it does not share with another file. */
export function ownBytes(file: string): number {
  const extents = execFileSync('filefrag', ['-v', '-s', file], { encoding: 'utf8' }).split('\n');
  const lengths = extents
    .filter((line) => /^ *\d+:/.test(line) && !/\bshared\b/.test(line))
    .map((line) => Number(line.split(':')[3]));
  return lengths.reduce((sum, blocks) => sum + blocks, 0) * 4096;
}
