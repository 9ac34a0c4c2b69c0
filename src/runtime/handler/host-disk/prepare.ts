import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  statfsSync,
  unlinkSync,
} from 'node:fs';
import { kindOf } from '../../host/files';
import { parseMountInfo } from '../../host/mounts';
import { LAUNCHER_ID } from '../devices/plan';
import { findProcess } from '../paths/processes';
import { OpenedPath, UnsafePathError } from '../paths/safe-path';
import { type PlannedHostDisk, problemOf, sizeFor } from './plan';

/** A container may mount file systems in its own namespaces. */
const MAX_MOUNTINFO_BYTES = 1 << 20;
/** The kubelet's mounts of directories of the node, in the launcher's container. */
const PARENT = ['run', 'kubevirt-private', 'vmi-disks'] as const;

/**
 * Creates the images that do not exist, and checks the others. Idempotent. The launcher is the owner of the directories above
 * the mount and may rename them, so only the mount that the runtime made for this volume is used.
 *
 * @throws for an image that the guest cannot use; the message has cause and remedy
 */
export function prepareHostDisks(disks: readonly PlannedHostDisk[], containerId: string, procDir: string): void {
  if (disks.length === 0) return;
  const process = findProcess(procDir, containerId);
  if (!process) throw new Error(`container ${containerId} has no process; it has exited or runs on another node`);
  try {
    using root = OpenedPath.trusted(`${process.place.path}/root`);
    for (const disk of disks) {
      using directory = root.walk([...PARENT, disk.volume]);
      const mounts = parseMountInfo(process.place.readText('mountinfo', MAX_MOUNTINFO_BYTES));
      const mount = mounts.find(({ id }) => id === directory.mountId);
      if (mount?.mountPoint.replace(/^\/var\//, '/') !== `/${[...PARENT, disk.volume].join('/')}`) {
        throw new UnsafePathError(directory.name, 'is not the mount of its volume');
      }
      prepareHostDisk(directory, disk);
    }
  } finally {
    process.place.close();
  }
}

/** Creates or checks one image in its directory. */
export function prepareHostDisk(directory: OpenedPath, disk: PlannedHostDisk): void {
  if (isUsable(directory, disk)) return;
  if (disk.createBytes === undefined) {
    throw new Error(`${disk.path} does not exist on the node; put a raw image there, or use type DiskOrCreate`);
  }
  create(directory, disk);
}

/** Whether the image exists. @throws if it cannot be used */
function isUsable(directory: OpenedPath, disk: PlannedHostDisk): boolean {
  try {
    using opened = directory.step(disk.file);
    const stats = opened.stat();
    const { uid, gid, mode } = stats;
    const problem = problemOf(disk, { isFile: stats.isFile(), what: kindOf(stats), uid, gid, mode });
    if (problem) throw new Error(problem);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** The image has its name only when it is complete; an image that appeared in the meantime is kept. */
function create(directory: OpenedPath, disk: PlannedHostDisk): void {
  const { bavail, bsize } = statfsSync(directory.path);
  const size = sizeFor(disk, bavail * bsize);
  const at = (name: string): string => `${directory.path}/${name}`;
  const partial = `.${disk.file}.partial`;
  remove(at(partial));
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const fd = openSync(at(partial), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    ftruncateSync(fd, size);
    fchownSync(fd, LAUNCHER_ID, LAUNCHER_ID);
    fchmodSync(fd, 0o660);
    fsyncSync(fd);
    linkSync(at(partial), at(disk.file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(fd);
    remove(at(partial));
  }
  isUsable(directory, disk);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
