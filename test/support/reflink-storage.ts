/** Volumes of the engine on a file system with reflinks, in a file of this machine. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VolumeFiles } from '../../src/local/storage/volume-files';

export class ReflinkStorage {
  private constructor(
    private readonly folder: string,
    public readonly volumes: VolumeFiles,
  ) {}

  /** @param bytes size of the file system, which must be at least 300 MiB */
  public static async create(bytes: number): Promise<ReflinkStorage> {
    const folder = mkdtempSync(join(tmpdir(), 'virt8s-reflinks-'));
    const [image, mount] = [join(folder, 'xfs.img'), join(folder, 'mount')];
    writeFileSync(image, '');
    truncateSync(image, bytes);
    mkdirSync(mount);
    execFileSync('mkfs.xfs', ['-q', '-m', 'reflink=1', image]);
    execFileSync('mount', ['-o', 'loop', image, mount]);
    const volumes = new VolumeFiles(join(mount, 'volumes'));
    await volumes.open();
    return new ReflinkStorage(folder, volumes);
  }

  /** Bytes that all volumes occupy together. */
  public used(): number {
    const mount = join(this.folder, 'mount');
    execFileSync('sync', ['--file-system', mount]);
    const { blocks, bfree, bsize } = statfsSync(mount);
    return (blocks - bfree) * bsize;
  }

  public remove(): void {
    execFileSync('umount', [join(this.folder, 'mount')]);
    rmSync(this.folder, { recursive: true });
  }
}
