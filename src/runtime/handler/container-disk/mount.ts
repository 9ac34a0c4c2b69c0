import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { findProcess } from '../paths/processes';
import { launcherPaths } from '../paths/pod-volumes';
import type { PodVolumes } from '../paths/pod-volumes';
import { run } from '../paths/run';
import { kindOf, Place, UnsafePathError } from '../paths/safe-path';
import { deviceOf, parseMountInfo } from './mount-info';
import { holderOf } from './plan';
import type { ContainerDisk } from './plan';

/** Bind-mounts a container disk, read-only, to where the launcher looks for it. Mounted already: nothing happens. */
export async function mountContainerDisk(
  disk: ContainerDisk,
  podUid: string,
  volumes: PodVolumes,
  procDir: string,
): Promise<void> {
  using dir = volumes.open(podUid, launcherPaths.containerDisks);
  if (isMounted(dir, disk.target)) return;
  using image = openImageRoot(disk, procDir);
  using source = openDisk(image, disk);
  using target = createTarget(dir, disk.target);
  await run('mount', ['--no-canonicalize', '--bind', '/proc/self/fd/3', '/proc/self/fd/4'], {
    fds: [source.fd, target.fd],
  });
  try {
    // opened anew, because the descriptor above still means the place below the mount
    using mounted = dir.step(disk.target);
    if (!sameInode(mounted, source)) throw new UnsafePathError(mounted.name, 'was replaced while it was mounted');
    const options = ['--no-canonicalize', '-o', 'remount,bind,ro', 'none', '/proc/self/fd/3'];
    await run('mount', options, { fds: [mounted.fd] });
  } catch (error) {
    await unmount(dir, disk.target);
    throw error;
  }
}

/** Undoes all mounts of a Pod; the kubelet cannot remove a volume with mounts in it. */
export async function unmountContainerDisks(podUid: string, volumes: PodVolumes): Promise<void> {
  try {
    using dir = volumes.open(podUid, launcherPaths.containerDisks);
    for (const name of dir.list()) await unmount(dir, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** By a descriptor of the mounted root, so that a link in its place cannot lead to another mount. */
async function unmount(dir: Place, target: string): Promise<void> {
  if (!isMounted(dir, target)) return;
  using mounted = dir.step(target);
  if (mountId(mounted) === mountId(dir)) return; // swapped since
  // lazy, since our own descriptor keeps it busy
  await run('umount', ['--no-canonicalize', '--lazy', '/proc/self/fd/3'], { fds: [mounted.fd] });
}

/** The kernel's own answer: is the last part of the path the root of a mount? */
function isMounted(dir: Place, name: string): boolean {
  try {
    using place = dir.step(name);
    return mountId(place) !== mountId(dir);
  } catch (error) {
    // a link is no mount; whoever needs a file there says what is wrong
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof UnsafePathError) return false;
    throw error;
  }
}

function mountId(place: Place): string {
  const info = readFileSync(`/proc/self/fdinfo/${place.fd}`, 'utf8');
  return /^mnt_id:\s*(\d+)$/m.exec(info)?.[1] ?? '';
}

const sameInode = (a: Place, b: Place): boolean => {
  const [one, other] = [a.stat(), b.stat()];
  return one.ino === other.ino && one.dev === other.dev;
};

/**
 * The holder's root file system, as a mount of our own namespace: the kernel refuses binds from another one. It is the
 * same overlay that the runtime mounted before it started the container, so it is found by its device.
 */
function openImageRoot(disk: ContainerDisk, procDir: string): Place {
  const holder = holderOf(disk.volume);
  if (!disk.containerId) throw new Error(`container "${holder}" is not running yet`);
  const process = findProcess(procDir, disk.containerId);
  if (!process) throw new Error(`container "${holder}" has no process; it ended or runs on another node`);
  try {
    using theirs = Place.trusted(`${process.place.path}/root`);
    const device = deviceOf(theirs.stat().dev);
    const mounts = parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));
    for (const { mountPoint } of mounts.filter((mount) => mount.device === device && mount.root === '/').reverse()) {
      const ours = Place.trusted(mountPoint);
      if (sameInode(ours, theirs)) return ours;
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

/** The disk file in the image; anything but one regular file is refused. */
export function openDisk(image: Place, disk: Pick<ContainerDisk, 'volume' | 'path'>): Place {
  const named = (remedy: string): Error => new Error(`container disk "${disk.volume}": ${remedy}`);
  const parts = disk.path ?? ['disk', onlyFile(image, named)];
  let file: Place;
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

function onlyFile(image: Place, named: (remedy: string) => Error): string {
  let names: string[];
  try {
    using dir = image.step('disk', true);
    names = dir.list();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw named('its image has no directory /disk; put the disk into /disk of the image or set "path"');
  }
  if (names.length === 1) return names[0];
  const found = names.length === 0 ? 'no file' : `${names.length} files`;
  throw named(`/disk of its image holds ${found} (allowed: one); set "path" to the one to use or rebuild the image`);
}

/** An empty file to mount on; one that is there is used if it is one. */
function createTarget(dir: Place, name: string): Place {
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
