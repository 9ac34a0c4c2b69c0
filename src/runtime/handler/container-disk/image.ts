import { kindOf } from '../../host/files';
import { deviceOf, ownMounts } from '../../host/mounts';
import { findProcess } from '../paths/processes';
import { OpenedPath } from '../paths/safe-path';
import { holderOf } from './plan';
import type { ContainerDisk } from './plan';

/**
 * The root file system of the container that holds the image, as a mount of our own namespace: the kernel rejects binds from
 * another one. It is the overlay that the runtime mounted before it started the container, so it is found by its device.
 */
export function openImageRoot(disk: ContainerDisk, procDir: string): OpenedPath {
  const holder = holderOf(disk.volume);
  if (!disk.containerId) throw new Error(`container "${holder}" is not running yet`);
  const process = findProcess(procDir, disk.containerId);
  if (!process) throw new Error(`container "${holder}" has no process; it has exited or runs on another node`);
  try {
    using theirs = OpenedPath.trusted(`${process.place.path}/root`);
    const device = deviceOf(theirs.stat().dev);
    for (const { mountPoint } of ownMounts()
      .filter((mount) => mount.device === device && mount.root === '/')
      .reverse()) {
      const ours = OpenedPath.trusted(mountPoint);
      if (ours.isSameInode(theirs)) return ours;
      ours.close();
    }
    throw new Error(
      `the file system of container "${holder}" (device ${device}) is not mounted where virt-handler can see it; ` +
        "mount the container runtime's directory into virt-handler with HostToContainer propagation",
    );
  } finally {
    process.place.close();
  }
}

/** Opens the disk file in the image; anything except a single regular file is rejected. Its content is not read here. */
export function openDisk(image: OpenedPath, disk: Pick<ContainerDisk, 'volume' | 'path'>): OpenedPath {
  const named = (remedy: string): Error => new Error(`container disk "${disk.volume}": ${remedy}`);
  const parts = disk.path ?? ['disk', onlyFile(image, named)];
  let file: OpenedPath;
  try {
    file = image.walk(parts);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw named(`its image has no /${parts.join('/')}; correct "path" or build the image with the disk there`);
  }
  const stats = file.stat();
  if (stats.isFile()) return file;
  file.close();
  throw named(`/${parts.join('/')} is ${kindOf(stats)} (allowed: a regular file); rebuild the image`);
}

function onlyFile(image: OpenedPath, named: (remedy: string) => Error): string {
  let names: string[];
  try {
    using dir = image.step('disk', true);
    names = dir.list(2);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw named('its image has no directory /disk; put the disk into /disk of the image or set "path"');
  }
  if (names.length === 1) return names[0];
  const found = names.length === 0 ? 'no file' : 'several files';
  throw named(`/disk of its image holds ${found} (allowed: one); set "path" to the one to use or rebuild the image`);
}
