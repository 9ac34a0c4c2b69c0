/** Disks on claims: a block device under /dev, or disk.img in the claim's file system. */
import { constants } from 'node:fs';
import { lstat, open, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Volume, VirtualMachineInstance } from '../../../api';
import type { DiskSource } from '../domain/facts';
import { bytesOf } from '../domain/quantity';
import type { LauncherPaths } from '../paths';
import { deviceSize, roomFor, RESERVED_BYTES } from './claim-size';
import { DiskError } from './disk-error';
import { cacheFor } from './files';

/** KubeVirt's default: how much smaller than requested a disk may be. */
const LEAST_SHARE = 0.9;

export interface ClaimOptions {
  readonly vmi: VirtualMachineInstance;
  readonly paths: LauncherPaths;
  readonly readonly: boolean;
  /** An empty claim gets an empty disk; the claim of a DataVolume must contain one already. */
  readonly mayCreate: boolean;
}

export async function claimDisk(
  volume: Volume,
  { vmi, paths, readonly, mayCreate }: ClaimOptions,
): Promise<DiskSource> {
  const { name } = volume;
  const device = paths.blockDevice(name);
  const bytes = await deviceSize(device);
  if (bytes !== undefined) {
    return {
      name,
      type: 'block',
      path: device,
      format: 'raw',
      readonly,
      cache: 'none',
      discard: 'always',
      size: bytes,
    };
  }
  const path = paths.claim(name);
  const found = await lstat(path).catch(() => undefined);
  if (!found && (readonly || !mayCreate)) {
    throw new DiskError(
      name,
      'its claim has no disk.img',
      'import an image into it, or use a DataVolume',
      'DiskMissing',
    );
  }
  // a link could refer to any file of this Pod
  if (found && !found.isFile())
    throw new DiskError(name, 'disk.img of its claim is not a file', 'put a raw image there');
  if (!found) await createEmpty(path, name, sizeOf(vmi, name));
  else if (!readonly) await enlarge(path, found.size, await roomFor(path, vmi, name));
  // claims contain raw images by definition; data that a guest wrote to its disk must not be parsed as a header
  return { name, type: 'file', path, format: 'raw', readonly, cache: await cacheFor(path), discard: 'always' };
}

/** The claim may have grown while no guest used it. */
async function enlarge(path: string, size: number, room: number | undefined): Promise<void> {
  if (room === undefined || room <= size) return;
  const handle = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    await handle.truncate(room);
  } finally {
    await handle.close();
  }
}

function sizeOf({ status }: VirtualMachineInstance, name: string): number {
  const claim = status?.volumeStatus?.find((volume) => volume.name === name)?.persistentVolumeClaimInfo;
  const size = claim?.capacity?.storage ?? claim?.requests?.storage;
  if (size === undefined)
    throw new DiskError(name, 'its claim has no disk.img, and its size is not known', 'wait until it is bound');
  return bytesOf(size as string, `status.volumeStatus: "${name}"`);
}

/** A sparse raw disk; if the file system is a little smaller than the claim, so is the disk. */
async function createEmpty(path: string, name: string, wanted: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize - RESERVED_BYTES;
  if (free < wanted * LEAST_SHARE) {
    const mebibytes = (bytes: number): number => Math.max(0, Math.floor(bytes / 2 ** 20));
    throw new DiskError(
      name,
      `its claim has ${mebibytes(free)} MiB free, its disk needs ${mebibytes(wanted)} MiB`,
      'free space there or use a larger claim',
      'DiskFull',
    );
  }
  const size = Math.floor(Math.min(free, wanted) / 4096) * 4096;
  const handle = await open(
    path,
    constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW,
    0o660,
  );
  try {
    await handle.truncate(size);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
