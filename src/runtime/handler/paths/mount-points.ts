import { closeSync, constants, mkdirSync, openSync, readlinkSync } from 'node:fs';
import { kindOf } from '../../host/files';
import { mountsBelow, ownMounts } from '../../host/mounts';
import type { MountInfo } from '../../host/mounts';
import type { PodVolumes } from './pod-volumes';
import { run } from './run';
import { type OpenedPath, UnsafePathError } from './safe-path';

/**
 * Undoes all mounts in a volume of a Pod, as listed by the kernel, because the launcher may have renamed the directories above
 * them. The kubelet cannot remove a volume that contains mounts.
 */
export async function unmountAll(podUid: string, volumes: PodVolumes, volume: string): Promise<void> {
  try {
    using dir = volumes.open(podUid, volume);
    const path = readlinkSync(dir.path);
    for (const mount of mountsBelow(ownMounts(), path)) {
      await unmount(dir, mount.mountPoint.slice(path.length + 1).split('/'), mount);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Unmounts through a descriptor of the mounted root, so that a link at its path cannot lead to another mount. */
export async function unmount(dir: OpenedPath, parts: readonly string[], mount: MountInfo): Promise<void> {
  using mounted = dir.walk(parts);
  if (mounted.mountId !== mount.id) throw new UnsafePathError(mounted.name, 'was moved while it was unmounted');
  // lazy, since our own descriptor keeps it busy
  await run('umount', ['--no-canonicalize', '--lazy', '/proc/self/fd/3'], { fds: [mounted.fd] });
}

/** The mount whose root is this entry of the directory, according to the kernel. */
export function mountOf(dir: OpenedPath, name: string): MountInfo | undefined {
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

/** Creates an empty file or directory as the mount point; an existing one is used. */
export function createTarget(dir: OpenedPath, name: string, kind: 'file' | 'directory' = 'file'): OpenedPath {
  const path = `${dir.path}/${name}`;
  try {
    if (kind === 'directory') mkdirSync(path, { mode: 0o700 });
    else closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const place = dir.step(name);
  const stats = place.stat();
  if (kind === 'directory' ? stats.isDirectory() : stats.isFile()) return place;
  place.close();
  throw new UnsafePathError(place.name, `is ${kindOf(stats)}, not a ${kind === 'file' ? 'regular file' : kind}`);
}
