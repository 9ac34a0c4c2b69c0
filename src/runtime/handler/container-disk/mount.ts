import { mkdirSync } from 'node:fs';
import { createTarget, mountOf, unmount, unmountAll } from '../paths/mount-points';
import { launcherPaths } from '../paths/pod-volumes';
import type { PodVolumes } from '../paths/pod-volumes';
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

/** Undoes all mounts of a Pod. */
export const unmountContainerDisks = (podUid: string, volumes: PodVolumes): Promise<void> =>
  unmountAll(podUid, volumes, launcherPaths.containerDisks);

/** Creates the directory if it is missing; the launcher must be able to enter it. */
function subdirectory(volume: OpenedPath, name: string): OpenedPath {
  try {
    mkdirSync(`${volume.path}/${name}`, 0o755);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return volume.step(name, true);
}
