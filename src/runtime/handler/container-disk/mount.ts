import { closeSync, constants, mkdirSync, openSync, readlinkSync } from 'node:fs';
import { kindOf } from '../../host/files';
import { mountsBelow, ownMounts } from '../../host/mounts';
import type { MountInfo } from '../../host/mounts';
import { launcherPaths } from '../paths/pod-volumes';
import type { PodVolumes } from '../paths/pod-volumes';
import { run } from '../paths/run';
import { OpenedPath, UnsafePathError } from '../paths/safe-path';
import { openDisk, openImageRoot } from './image';
import type { ContainerDisk } from './plan';
import { staging as ownStaging } from './staging';
import type { Staging } from './staging';

export interface MountPaths {
  readonly volumes: PodVolumes;
  readonly procDir: string;
  /** Default: the handler's own. */
  readonly staging?: Staging;
}

/** Bind-mounts a container disk, read-only, to the path where the launcher looks for it. Does nothing if it is mounted. */
export async function mountContainerDisk(disk: ContainerDisk, podUid: string, paths: MountPaths): Promise<void> {
  if (disk.problem !== undefined) throw new Error(disk.problem);
  using volume = paths.volumes.open(podUid, launcherPaths.containerDisks);
  const { target: name } = disk;
  using dir = disk.directory === undefined ? volume : subdirectory(volume, disk.directory);
  const before = mountOf(dir, name);
  if (before?.readOnly) return;
  if (before) await unmount(dir, [name], before);
  using image = openImageRoot(disk, paths.procDir);
  using source = openDisk(image, disk);
  using target = createTarget(dir, name);
  await (paths.staging ?? ownStaging).mountReadOnly(source, target, `${podUid}.${disk.directory ?? ''}.${name}`);
  // opened again, because the descriptor above still refers to the file below the mount
  using mounted = dir.step(name);
  if (mounted.isSameInode(source)) return;
  await unmountContainerDisks(podUid, paths.volumes); // even if the file was moved
  throw new UnsafePathError(mounted.name, 'was replaced while it was mounted');
}

/**
 * Undoes all mounts of a Pod, as listed by the kernel, because the launcher may have renamed the directories above them. The
 * kubelet cannot remove a volume that contains mounts.
 */
export async function unmountContainerDisks(podUid: string, volumes: PodVolumes): Promise<void> {
  try {
    using dir = volumes.open(podUid, launcherPaths.containerDisks);
    const path = readlinkSync(dir.path);
    for (const mount of mountsBelow(ownMounts(), path)) {
      await unmount(dir, mount.mountPoint.slice(path.length + 1).split('/'), mount);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Unmounts through a descriptor of the mounted root, so that a link at its path cannot lead to another mount. */
async function unmount(dir: OpenedPath, parts: readonly string[], mount: MountInfo): Promise<void> {
  using mounted = dir.walk(parts);
  if (mounted.mountId !== mount.id) throw new UnsafePathError(mounted.name, 'was moved while it was unmounted');
  // lazy, since our own descriptor keeps it busy
  await run('umount', ['--no-canonicalize', '--lazy', '/proc/self/fd/3'], { fds: [mounted.fd] });
}

/** The mount whose root is this entry of the directory, according to the kernel. */
function mountOf(dir: OpenedPath, name: string): MountInfo | undefined {
  try {
    using place = dir.step(name);
    const id = place.mountId;
    return id === dir.mountId ? undefined : ownMounts().find((mount) => mount.id === id);
  } catch (error) {
    // nothing can be mounted on a link; the code that needs a file at this path reports the problem
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof UnsafePathError) return undefined;
    throw error;
  }
}

/** Creates the directory if it is missing; the launcher must be able to enter it. */
function subdirectory(volume: OpenedPath, name: string): OpenedPath {
  try {
    mkdirSync(`${volume.path}/${name}`, 0o755);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return volume.step(name, true);
}

/** Creates an empty file as the mount point; an existing file is used if it is a regular one. */
function createTarget(dir: OpenedPath, name: string): OpenedPath {
  try {
    closeSync(openSync(`${dir.path}/${name}`, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const place = dir.step(name);
  const stats = place.stat();
  if (stats.isFile()) return place;
  place.close();
  throw new UnsafePathError(place.name, `is ${kindOf(stats)}, not a regular file`);
}
