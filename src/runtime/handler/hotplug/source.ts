/** The volume of an attachment Pod, as this process can mount it. */
import { chownSync, closeSync, constants, openSync, statfsSync, truncateSync } from 'node:fs';
import { kindOf } from '../../host/files';
import { ownMounts, parseMountInfo } from '../../host/mounts';
import { LAUNCHER_ID } from '../devices/plan';
import { findProcess } from '../paths/processes';
import { OpenedPath, UnsafePathError } from '../paths/safe-path';
import type { PluggedVolume } from './plan';

const MAX_MOUNTINFO_BYTES = 1 << 20;
const FILE = 'disk.img';
/** KubeVirt's defaults: space that stays free on a claim, and how much smaller than requested a disk may be, in percent. */
const RESERVED_BYTES = 128n * 1024n;
const LEAST_PERCENT = 90n;

/** Calls `use` with the place of the volume in the attachment Pod, and its process. */
export function inAttachment<T>(
  volume: PluggedVolume,
  procDir: string,
  use: (place: OpenedPath, process: OpenedPath) => T,
): T {
  const process = findProcess(procDir, volume.containerId);
  if (!process) throw new Error('its attachment Pod has no process on this node; it is created again if it has ended');
  try {
    using root = OpenedPath.trusted(`${process.place.path}/root`);
    using place = root.walk(volume.place);
    return use(place, process.place);
  } finally {
    process.place.close();
  }
}

/**
 * The file system of a claim, as a mount of our own namespace: the kernel rejects binds from another one. It is found by the
 * device and the path in it that the kernel reports for the Pod's mount.
 */
export function openFileSystem(volume: PluggedVolume, procDir: string): OpenedPath {
  return inAttachment(volume, procDir, (theirs, process) => {
    const mounts = parseMountInfo(process.readText('mountinfo', MAX_MOUNTINFO_BYTES));
    const mount = mounts.find(({ id }) => id === theirs.mountId);
    for (const ours of mount ? ownMounts().reverse() : []) {
      const below = ours.root === '/' ? mount!.root : mount!.root.slice(ours.root.length);
      if (ours.device !== mount!.device || !mount!.root.startsWith(ours.root) || (below && below[0] !== '/')) continue;
      const found = reach(ours.mountPoint, below);
      if (found?.isSameInode(theirs)) return found;
      found?.close();
    }
    throw new Error(
      'its file system is not mounted where virt-handler can see it; mount the root directory of the node into ' +
        'virt-handler with HostToContainer propagation',
    );
  });
}

function reach(mountPoint: string, below: string): OpenedPath | undefined {
  try {
    const top = OpenedPath.trusted(mountPoint);
    const parts = below.split('/').filter(Boolean);
    if (parts.length === 0) return top;
    try {
      return top.walk(parts);
    } finally {
      top.close();
    }
  } catch {
    return undefined; // another mount may lead there
  }
}

/** The disk in the file system of a claim, which the launcher's user may open. Created if the claim may be empty. */
export function openDiskFile(volume: PluggedVolume, fileSystem: OpenedPath): OpenedPath {
  const file = existing(fileSystem) ?? create(volume, fileSystem);
  try {
    const stats = file.stat();
    if (!stats.isFile()) throw new UnsafePathError(FILE, `is ${kindOf(stats)}, not a regular file`);
    if (stats.uid !== LAUNCHER_ID) chownSync(file.path, LAUNCHER_ID, LAUNCHER_ID);
    // also a file that a killed handler created
    if (stats.size === 0 && volume.newDiskBytes !== undefined) truncateSync(file.path, sizeFor(volume, fileSystem));
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

function existing(fileSystem: OpenedPath): OpenedPath | undefined {
  try {
    return fileSystem.step(FILE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function create(volume: PluggedVolume, fileSystem: OpenedPath): OpenedPath {
  // before the file exists
  sizeFor(volume, fileSystem);
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  closeSync(openSync(`${fileSystem.path}/${FILE}`, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o660));
  return fileSystem.step(FILE);
}

/** Size of a sparse raw disk; if the file system is a little smaller than the claim, so is the disk. */
function sizeFor({ newDiskBytes }: PluggedVolume, fileSystem: OpenedPath): number {
  if (newDiskBytes === undefined) {
    throw new Error(`its claim has no ${FILE}; import an image into it, or use an empty claim that may be written`);
  }
  const { bavail, bsize } = statfsSync(fileSystem.path, { bigint: true });
  const free = bavail * bsize - RESERVED_BYTES;
  if (free * 100n < newDiskBytes * LEAST_PERCENT) {
    const mebibytes = (bytes: bigint): bigint => (bytes > 0n ? bytes >> 20n : 0n);
    throw new Error(
      `its claim has ${mebibytes(free)} MiB free, its disk needs ${mebibytes(newDiskBytes)} MiB; free space there or use a larger claim`,
    );
  }
  return Number(((free < newDiskBytes ? free : newDiskBytes) / 4096n) * 4096n);
}
