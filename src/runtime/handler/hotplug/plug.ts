/**
 * Makes the volumes of attachment Pods usable in the launcher, and undoes it. The kernel's mounts and the device nodes are the
 * only record, so a handler that was killed continues.
 */
import { chownSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs';
import { deviceOf, mountsBelow, ownMounts } from '../../host/mounts';
import { LAUNCHER_ID } from '../devices/plan';
import { createTarget, mountOf, unmount, unmountAll } from '../paths/mount-points';
import { launcherPaths } from '../paths/pod-volumes';
import type { PodVolumes } from '../paths/pod-volumes';
import { run } from '../paths/run';
import { type OpenedPath, UnsafePathError } from '../paths/safe-path';
import { setDeviceAccess } from './device-access';
import type { PluggedVolume } from './plan';
import { inAttachment, openDiskFile, openFileSystem } from './source';

export interface PlugPlace {
  readonly podUid: string;
  /** Compute container of the launcher. */
  readonly containerId: string;
  readonly volumes: PodVolumes;
  readonly procDir: string;
}

/** A launcher can create files there; more of them than this are not looked at. */
const MAX_ENTRIES = 1_024;
const SUFFIX = '.img';

/** Provides a volume to the launcher. Does nothing if it is provided. */
export async function plug(volume: PluggedVolume, place: PlugPlace): Promise<void> {
  using dir = openDir(place);
  if (volume.isFileSystem) await plugFileSystem(volume, dir, place);
  else if (volume.isBlock) await plugDevice(volume, dir, place);
  else await plugFile(volume, dir, place);
}

async function plugFile(volume: PluggedVolume, dir: OpenedPath, { procDir }: PlugPlace): Promise<void> {
  using fileSystem = openFileSystem(volume, procDir);
  using source = openDiskFile(volume, fileSystem);
  await bind(source, dir, `${volume.name}${SUFFIX}`, 'file');
}

/** The launcher writes to it as its own user. */
async function plugFileSystem(volume: PluggedVolume, dir: OpenedPath, { procDir }: PlugPlace): Promise<void> {
  if (volume.isBlock) throw new Error('its claim has volumeMode Block; use a claim with volumeMode Filesystem');
  using source = openFileSystem(volume, procDir);
  if (source.stat().uid !== LAUNCHER_ID) chownSync(source.path, LAUNCHER_ID, LAUNCHER_ID);
  await bind(source, dir, volume.name, 'directory');
}

async function bind(source: OpenedPath, dir: OpenedPath, name: string, kind: 'file' | 'directory'): Promise<void> {
  const before = mountOf(dir, name);
  if (before) {
    using mounted = dir.step(name);
    if (mounted.isSameInode(source)) return;
    throw new Error('another disk of this name is still mounted; detach it first');
  }
  using target = createTarget(dir, name, kind);
  await run('mount', ['--no-canonicalize', '--bind', '/proc/self/fd/3', '/proc/self/fd/4'], {
    fds: [source.fd, target.fd],
  });
  using mounted = dir.step(name);
  if (mounted.isSameInode(source)) return;
  // even if the launcher moved the mount point
  for (const mount of mountsBelow(ownMounts(), readlinkSync(dir.path))) {
    using there = dir.walk(partsBelow(dir, mount.mountPoint));
    if (there.isSameInode(source)) await unmount(dir, partsBelow(dir, mount.mountPoint), mount);
  }
  throw new UnsafePathError(mounted.name, 'was replaced while it was mounted');
}

async function plugDevice(volume: PluggedVolume, dir: OpenedPath, place: PlugPlace): Promise<void> {
  const device = inAttachment(volume, place.procDir, (node) => {
    const stats = node.stat();
    if (!stats.isBlockDevice()) throw new UnsafePathError(node.name, 'is not a block device');
    return deviceOf(stats.rdev);
  });
  await setDeviceAccess('allow', device, place);
  const found = nodeAt(dir, volume.name);
  if (found !== undefined && found !== device)
    throw new Error('another device of this name is still there; detach it first');
  if (found === undefined) {
    const [major, minor] = device.split(':');
    await run('mknod', ['--mode=0600', `/proc/self/fd/3/${volume.name}`, 'b', major, minor], { fds: [dir.fd] });
  }
  giveNode(dir, volume.name, device);
}

/** Makes the launcher's user the owner of a node, also of one that a killed handler created. */
export function giveNode(dir: OpenedPath, name: string, device: string): void {
  using node = dir.step(name);
  const stats = node.stat();
  if (!stats.isBlockDevice() || deviceOf(stats.rdev) !== device) {
    throw new UnsafePathError(node.name, 'was replaced while it was created');
  }
  if (stats.uid !== LAUNCHER_ID) chownSync(node.path, LAUNCHER_ID, LAUNCHER_ID);
}

/** Names of the volumes that are provided now. */
export function pluggedNames(place: Pick<PlugPlace, 'podUid' | 'volumes'>): string[] {
  try {
    using dir = openDir(place);
    const mounts = mountsBelow(ownMounts(), readlinkSync(dir.path)).map(({ mountPoint }) =>
      partsBelow(dir, mountPoint),
    );
    const files = mounts.map((parts) => parts.join('/').replace(/\.img$/, ''));
    return [...new Set([...files, ...dir.list(MAX_ENTRIES).filter((name) => nodeAt(dir, name) !== undefined)])].sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Takes a volume from the launcher, which does not use it any more. */
export async function unplug(name: string, place: PlugPlace): Promise<void> {
  using dir = openDir(place);
  const device = nodeAt(dir, name);
  if (device !== undefined) {
    await setDeviceAccess('deny', device, place);
    unlinkSync(`${dir.path}/${name}`);
  }
  const path = readlinkSync(dir.path);
  for (const mount of mountsBelow(ownMounts(), path)) {
    const parts = partsBelow(dir, mount.mountPoint);
    const isFile = parts.join('/') === `${name}${SUFFIX}`;
    if (!isFile && parts.join('/') !== name) continue;
    await unmount(dir, parts, mount);
    if (isFile) unlinkSync(`${dir.path}/${name}${SUFFIX}`);
    else rmdirSync(`${dir.path}/${name}`);
  }
}

/** Undoes all mounts of a Pod that has ended. */
export const unplugAll = (podUid: string, volumes: PodVolumes): Promise<void> =>
  unmountAll(podUid, volumes, launcherPaths.hotplugDisks);

const openDir = ({ volumes, podUid }: Pick<PlugPlace, 'podUid' | 'volumes'>): OpenedPath =>
  volumes.open(podUid, launcherPaths.hotplugDisks);

const partsBelow = (dir: OpenedPath, mountPoint: string): string[] =>
  mountPoint.slice(readlinkSync(dir.path).length + 1).split('/');

/** Number of the block device at this entry of the directory; undefined if it is something else. */
function nodeAt(dir: OpenedPath, name: string): string | undefined {
  try {
    using node = dir.step(name);
    const stats = node.stat();
    return stats.isBlockDevice() ? deviceOf(stats.rdev) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof UnsafePathError) return undefined;
    throw error;
  }
}
