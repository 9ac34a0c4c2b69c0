/** The disks of a running guest: their sizes, and the errors that QEMU reports about them. */
import { lstat, statfs } from 'node:fs/promises';
import type { VirtualMachineInstance } from '../../../api';
import type { DomainState } from '../../protocol';
import { deviceSize, roomFor } from '../disks/claim-size';
import type { DiskSource } from '../domain/facts';
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import { log } from '../log';
import type { LiveDisk } from './live-disks';
import { Refusal } from './refusal';

/** A disk of the guest, with its size when it was started or last enlarged. */
export type GuestDisk = Pick<DiskSource, 'name' | 'type' | 'path' | 'size' | 'readonly'>;

export const guestDisks = (sources: readonly DiskSource[]): GuestDisk[] =>
  sources
    .filter(({ isPending }) => !isPending)
    .map(({ name, type, path, size, readonly }) => ({ name, type, path, size, readonly }));

/** The disks from the start of the guest, and those that are attached in the directory of hotplugged ones. Pure. */
export function currentDisks(
  known: readonly GuestDisk[],
  attached: readonly GuestDisk[],
  directory: string,
): GuestDisk[] {
  const fromStart = known.filter(({ path }) => !path.startsWith(`${directory}/`));
  return [...fromStart, ...attached.map((disk) => known.find(({ path }) => path === disk.path) ?? disk)];
}

type Failed = NonNullable<DomainState['failedDisks']>;

/** The disks with an error, of QEMU's answer to `query-block`. Pure. */
export function failedOf(answer: unknown): Failed {
  const blocks = (answer as { return?: { qdev?: string; 'io-status'?: string }[] } | undefined)?.return ?? [];
  return blocks.flatMap(({ qdev = '', 'io-status': status = 'ok' }) => {
    const [, name] = /(?:^|\/)ua-([^/]+)/.exec(qdev) ?? [];
    return name && status !== 'ok' ? [{ name, isFull: status === 'nospace' }] : [];
  });
}

/** The disks for which QEMU has paused the guest. */
export async function failedDisks(client: LibvirtClient, dom: DomainRef): Promise<Failed> {
  try {
    return failedOf(await client.qmp(dom, { execute: 'query-block' }));
  } catch (error) {
    log('warn', 'the disks with errors are unknown', { error: String(error) });
    return [];
  }
}

/** Size that the disk of a claim may have now; undefined if it is no such disk. */
async function sizeNow({ name, type, path, readonly }: GuestDisk, vmi: VirtualMachineInstance) {
  const volume = vmi.spec.volumes?.find((each) => each.name === name);
  if (readonly || !(volume?.persistentVolumeClaim || volume?.dataVolume)) return undefined;
  return type === 'block' ? deviceSize(path) : roomFor(path, vmi, name);
}

/**
 * Enlarges the disks of claims that have grown, in the running guest as well. Returns the disks with their sizes.
 * A disk is never made smaller: the guest would lose data.
 */
export async function enlargeDisks(
  { client, dom }: { client: LibvirtClient; dom: DomainRef },
  vmi: VirtualMachineInstance,
  disks: readonly GuestDisk[],
  live: readonly LiveDisk[],
): Promise<GuestDisk[]> {
  const enlarged: GuestDisk[] = [];
  for (const disk of disks) {
    const wanted = await sizeNow(disk, vmi);
    const target = live.find(({ name }) => name === disk.name)?.target;
    if (wanted === undefined || target === undefined || wanted <= (await sizeOf(disk))) {
      enlarged.push(disk);
      continue;
    }
    await client.resizeDisk(dom, target, wanted).catch((error: unknown) => {
      const cause = error instanceof Error ? error.message : String(error);
      const message = `disk "${disk.name}" could not be enlarged to ${wanted} bytes: ${cause}; restart the VM`;
      throw new Refusal('DiskResizeFailed', message);
    });
    log('info', 'disk enlarged', { disk: disk.name, bytes: wanted });
    enlarged.push({ ...disk, size: wanted });
  }
  return enlarged;
}

/** A file is as large as its disk; the size of a device is only known from the last resize. */
async function sizeOf({ type, path, size = 0 }: GuestDisk): Promise<number> {
  return type === 'file' ? (await lstat(path)).size : size;
}

/** Interval at which full storage is looked at. */
const LOOK_AGAIN_MS = 2_000;
/** Additional space after which it makes sense to repeat the write. */
const ENOUGH_BYTES = 1 << 20;

/**
 * Resumes a guest that QEMU has paused because storage was full, as soon as there is space. QEMU then repeats the write.
 * Only storage in files can be observed.
 */
export class SpaceWatch {
  private timer: NodeJS.Timeout | undefined;
  private resumed = false;

  constructor(private readonly resume: () => Promise<void>) {}

  /** Observes the storage if it is the only reason why the guest is paused. */
  observe(failed: Failed, disks: readonly GuestDisk[] = []): void {
    const full = new Set(failed.flatMap(({ name, isFull }) => (isFull ? [name] : [])));
    if (full.size === 0 || full.size < failed.length) this.stop();
    else this.watch(disks.filter(({ name }) => full.has(name)));
  }

  private watch(disks: readonly GuestDisk[]): void {
    if (this.timer || disks.length === 0 || disks.some(({ type }) => type !== 'file')) return;
    // if the last resume was too early, the same space is not enough
    const first = this.resumed ? freeOf(disks) : Promise.resolve(0);
    this.timer = setInterval(() => void this.look(disks, first), LOOK_AGAIN_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async look(disks: readonly GuestDisk[], first: Promise<number>): Promise<void> {
    const { timer } = this;
    try {
      const enough = (await freeOf(disks)) >= (await first) + ENOUGH_BYTES;
      if (!enough || !timer || timer !== this.timer) return;
      this.stop();
      this.resumed = true;
      log('info', 'storage has space again; the guest is resumed', { disks: disks.map(({ name }) => name).join() });
      await this.resume();
    } catch (error) {
      log('warn', 'the guest was not resumed', { error: String(error) });
    }
  }
}

/** Free space of the file system that has the least. */
async function freeOf(disks: readonly GuestDisk[]): Promise<number> {
  const free = disks.map(async ({ path }) => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  });
  return Math.min(...(await Promise.all(free)));
}
