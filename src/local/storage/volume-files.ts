import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, rmdir, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, run } from '../../runtime/host/command';
import { mountsUnder, removeTree } from '../host/files';
import { blockDeviceOf, detachLoops, loopDeviceOf, mountLoop } from '../host/loop-devices';
import { unmountBelow } from '../host/unmount';

/** Content of a new volume: empty, or that of another volume. */
export interface NewVolume {
  readonly bytes: number;
  readonly isBlock: boolean;
  /** Name of the volume to copy. */
  readonly copyOf?: string;
}

const IMAGE = 'volume.img';
const MOUNT = 'mount';
const PARTIAL = '.partial-';
/** File in the folder of a volume until a PersistentVolume names it. */
const UNNAMED = 'unnamed';
const PROBE = `${PARTIAL}probe`;
/** File in the folder of a volume while its file system is smaller than its image. */
const GROWING = 'growing';

/**
 * Volumes as sparse files of this machine. A file system in the file enforces the capacity, and a copy shares its blocks with
 * the original where the file system below supports reflinks. The file systems are mounted in the engine's mount
 * namespace, from which they reach the nodes; they end with it, and so do their loop devices.
 */
export class VolumeFiles {
  private reflinks = false;

  public constructor(
    /** `<state>/storage`. */
    private readonly folder: string,
  ) {}

  /** Mounts all file systems, and removes what an interrupted creation or removal left. */
  public async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o711 });
    for (const name of await readdir(this.folder)) {
      if (name.startsWith(PARTIAL)) await this.discard(join(this.folder, name));
      else if (existsSync(this.mountPoint(name))) {
        // storage reports it on the claim if it fails again
        await this.grow(name).catch(() => undefined);
        await this.mount(name);
        // an engine that was killed during a copy left it frozen
        await attempt('fsfreeze', ['--unfreeze', this.mountPoint(name)]);
      }
    }
    this.reflinks = await this.probeReflinks();
  }

  /**
   * Whether a copy shares the blocks of its original: it is made at one point in time, also while the original is written.
   * Without reflinks, it takes as long as the data are large.
   */
  public get hasReflinks(): boolean {
    return this.reflinks;
  }

  /** Path for `spec.local` of a volume: its directory, or its image. */
  public path(name: string, isBlock: boolean): string {
    return isBlock ? this.image(name) : this.mountPoint(name);
  }

  /** Creates a volume. Idempotent: it has its name only when it is complete. */
  public async create(name: string, { bytes, isBlock, copyOf }: NewVolume): Promise<void> {
    if (!existsSync(this.image(name))) {
      await this.build(name, async (partial) => {
        if (copyOf !== undefined) await this.copy(copyOf, this.image(partial));
        await this.fill(partial, { bytes, isBlock, copyOf });
        await writeFile(join(this.folder, partial, UNNAMED), '');
      });
    }
    if (!isBlock) await this.mount(name);
  }

  /** Records that a PersistentVolume names the volume. */
  public async name(name: string): Promise<void> {
    await rm(join(this.folder, name, UNNAMED), { force: true });
  }

  /** Whether a volume was begun or created, and no PersistentVolume is known to name it. */
  public isUnnamed(name: string): boolean {
    return existsSync(join(this.folder, name, UNNAMED)) || existsSync(join(this.folder, `${PARTIAL}${name}`));
  }

  /** Volumes that no PersistentVolume is known to name. */
  public async unnamed(): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => this.isUnnamed(name));
  }

  /** Copies the content of a volume at one point in time. Idempotent: the copy has its name only when it is complete. */
  public async snapshot(name: string, of: string): Promise<void> {
    if (existsSync(this.image(name))) return;
    await this.build(name, async (partial) => {
      await this.copy(of, this.image(partial));
      const image = await open(this.image(partial));
      await image.sync();
      await image.close();
    });
  }

  /** Size of a snapshot in bytes, and the time of its end in milliseconds since 1970; undefined if it does not exist. */
  public async facts(name: string): Promise<{ readonly bytes: number; readonly at: number } | undefined> {
    const stats = await stat(this.image(name)).catch(() => undefined);
    return stats && { bytes: stats.size, at: Math.floor(stats.mtimeMs) };
  }

  /**
   * Enlarges a volume, also while Pods use it. The kernel enlarges a mounted file system only for a program with the capability
   * SYS_RESOURCE; without it, this fails, and the next `open` completes it.
   */
  public async expand(name: string, bytes: number, isBlock: boolean): Promise<void> {
    const image = this.image(name);
    if (!isBlock) await writeFile(this.growing(name), '');
    await truncate(image, bytes);
    const device = await blockDeviceOf(image);
    await run('losetup', ['--set-capacity', device]);
    if (isBlock) return;
    await run('resize2fs', [device], { timeoutMs: 0 });
    await rm(this.growing(name));
  }

  /** Removes a volume with its data, also one whose creation failed. Idempotent. An interrupted removal is completed by `open`. */
  public async remove(name: string): Promise<void> {
    const [folder, partial] = [join(this.folder, name), join(this.folder, `${PARTIAL}${name}`)];
    await this.discard(partial);
    if (!existsSync(folder)) return;
    await unmountBelow(folder);
    await detachLoops(folder);
    await rename(folder, partial);
    await this.discard(partial);
  }

  private image(name: string): string {
    return join(this.folder, name, IMAGE);
  }

  private mountPoint(name: string): string {
    return join(this.folder, name, MOUNT);
  }

  private growing(name: string): string {
    return join(this.folder, name, GROWING);
  }

  /** Completes the expansion of a file system that is not mounted: Pods that outlived an engine may have it mounted. */
  private async grow(name: string): Promise<void> {
    if (!existsSync(this.growing(name)) || (await loopDeviceOf(this.image(name)))) return;
    await this.resizeImage(this.image(name));
    await rm(this.growing(name));
  }

  /** Gives the file system in an image, which is not mounted, the size of the image. */
  private async resizeImage(image: string): Promise<void> {
    // code 1: its journal was replayed
    await run('e2fsck', ['-f', '-p', image], { timeoutMs: 0, allow: [0, 1] });
    await run('resize2fs', [image], { timeoutMs: 0 });
  }

  /** Gives an image its size, and an empty one its file system. */
  private async fill(name: string, { bytes, isBlock, copyOf }: NewVolume): Promise<void> {
    const image = await open(this.image(name), 'a', 0o600);
    const isLarger = (await image.stat()).size < bytes;
    if (isLarger) await image.truncate(bytes);
    await image.sync();
    await image.close();
    if (isBlock) return;
    const path = this.image(name);
    // the disks of guests are few and large files
    if (copyOf === undefined)
      await run('mkfs.ext4', ['-q', '-F', '-m', '0', '-i', '65536', '-E', 'lazy_itable_init=1', path]);
    else if (isLarger) await this.resizeImage(path);
    await mkdir(this.mountPoint(name), { mode: 0o700 });
    if (copyOf !== undefined) return;
    await this.mount(name);
    // any user of a Pod may write, as in the kubelet for volumes without fsGroup
    await chmod(this.mountPoint(name), 0o777);
    await rmdir(join(this.mountPoint(name), 'lost+found'));
    await run('umount', [this.mountPoint(name)]);
  }

  private async mount(name: string): Promise<void> {
    const target = this.mountPoint(name);
    if (mountsUnder(target).length > 0) return;
    // blocks that a guest trims become free on this machine
    const mount = (device: string): string[] => ['-t', 'ext4', '-o', 'discard,nodev', device, target];
    await mountLoop(this.image(name), async (device) => void (await run('mount', mount(device))));
  }

  /** Fills a folder, which gets its name only when it is complete. */
  private async build(name: string, fill: (partial: string) => Promise<void>): Promise<void> {
    const partial = `${PARTIAL}${name}`;
    const folder = join(this.folder, partial);
    await this.discard(folder);
    await mkdir(folder, { mode: 0o711 });
    try {
      await fill(partial);
      await rename(folder, join(this.folder, name));
    } catch (error) {
      // a machine that became full would stay full; what remains is discarded by the next try or the next start
      await this.discard(folder).catch(() => undefined);
      throw error;
    }
  }

  /** Copies an image at one point in time. */
  private async copy(from: string, target: string): Promise<void> {
    if (!this.hasReflinks) await this.assertSpace(from);
    const isMounted = mountsUnder(this.mountPoint(from)).length > 0;
    await (isMounted ? this.copyFrozen(from, target) : this.copyImage(from, target));
  }

  /** Copies the image of a mounted file system: writes of its users wait until it is copied. */
  private async copyFrozen(from: string, target: string): Promise<void> {
    await run('fsfreeze', ['--freeze', this.mountPoint(from)]);
    try {
      await this.cloneFile(this.image(from), target);
    } finally {
      await run('fsfreeze', ['--unfreeze', this.mountPoint(from)]);
    }
  }

  private async copyImage(from: string, target: string): Promise<void> {
    const image = this.image(from);
    const device = await loopDeviceOf(image);
    // what programs wrote to the device is in its cache until they flush it
    if (device !== undefined) await run('blockdev', ['--flushbufs', device], { timeoutMs: 0 });
    const before = await stat(image, { bigint: true });
    await this.cloneFile(image, target);
    // a user may have started since it was checked that there is none
    if (!this.hasReflinks && (await stat(image, { bigint: true })).mtimeNs !== before.mtimeNs) {
      throw new Error(
        `the data of volume "${from}" changed while they were copied; stop the VM or the Pod that uses it`,
      );
    }
  }

  /** The kernel blocks writes to the original while it makes a reflink. A copy without one may mix data of different times. */
  private async cloneFile(from: string, target: string): Promise<void> {
    const how = this.hasReflinks ? ['--reflink=always'] : ['--reflink=auto', '--sparse=always'];
    await run('cp', [...how, from, target], { timeoutMs: 0 });
  }

  /** Checks the free space before a copy, because the file system of a guest is frozen while it is made. */
  private async assertSpace(from: string): Promise<void> {
    const [{ blocks }, { bavail, bsize }] = await Promise.all([stat(this.image(from)), statfs(this.folder)]);
    const [needed, free] = [blocks * 512, bavail * bsize];
    if (needed <= free) return;
    const [all, missing] = [gib(needed), gib(needed - free)];
    throw new Error(`No space left on device: a copy of volume "${from}" needs ${all}, ${missing} more than is free`);
  }

  private async probeReflinks(): Promise<boolean> {
    const folder = join(this.folder, PROBE);
    const [from, target] = [join(folder, 'from'), join(folder, 'target')];
    try {
      await mkdir(folder, { mode: 0o700 });
      await writeFile(from, 'data');
      return (await attempt('cp', ['--reflink=always', from, target])).code === 0;
    } catch {
      // without space for the probe, it is the safe answer
      return false;
    } finally {
      await removeTree(folder);
    }
  }

  private async discard(folder: string): Promise<void> {
    await unmountBelow(folder);
    await detachLoops(folder);
    await removeTree(folder);
  }
}

/** A size for users. It is rounded, so that an error about missing space is the same at each try. */
const gib = (bytes: number): string => `${Math.ceil((bytes / 2 ** 30) * 10) / 10} GiB`;
