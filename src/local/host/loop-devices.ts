import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, run } from '../../runtime/host/command';
import { deviceOf } from '../../runtime/host/mounts';

/** Block device of a volume: the path itself, or the loop device of the file, which is reused. */
export async function blockDeviceOf(path: string): Promise<string> {
  if (statSync(path).isBlockDevice()) return path;
  const known = await loopDeviceOf(path);
  if (known) return known;
  // O_DIRECT avoids caching the data twice; not all file systems support it
  const direct = await attempt('losetup', ['--find', '--show', '--direct-io=on', path]);
  if (direct.code === 0) return direct.stdout.trim();
  return (await run('losetup', ['--find', '--show', path])).stdout.trim();
}

/** Loop device over a file. One exists as long as the file is mounted, in whichever mount namespace. */
export const loopDeviceOf = async (path: string): Promise<string | undefined> => (await loopDevicesOf(path))[0];

async function loopDevicesOf(path: string): Promise<string[]> {
  const { stdout } = await run('losetup', ['--noheadings', '--output', 'NAME', '--associated', path]);
  return stdout.split('\n').flatMap((line) => line.trim() || []);
}

const TRIES = 5;

/** Mounts a file: calls `mount` with its loop device, which ends with its last user. */
export async function mountLoop(path: string, mount: (device: string) => Promise<void>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const device = await blockDeviceOf(path);
    const isOurs = async (): Promise<boolean> => (await loopDevicesOf(path)).includes(device);
    if (await detachAfter(device, isOurs, () => mount(device))) return;
  }
  throw new Error(`no loop device stays attached to ${path}: each one was detached again, or cannot be opened`);
}

/** Detaches the loop devices over files below a directory. */
export async function detachLoops(directory: string): Promise<void> {
  for (const name of await loopsBelow(directory)) {
    await detachAfter(name, async () => (await loopsBelow(directory)).includes(name));
  }
}

/**
 * Detaches a loop device if it is ours, after `use`. Between a look-up and the next command, the device may be detached and
 * its name given to another file, whose users would lose it. So it is held open: the kernel ends it only when it is closed.
 */
async function detachAfter(name: string, isOurs: () => Promise<boolean>, use?: () => Promise<void>): Promise<boolean> {
  const held = await open(name, 'r').catch(() => undefined);
  if (!held) return false;
  try {
    if (!(await isOurs())) return false;
    try {
      await use?.();
    } finally {
      await attempt('losetup', ['--detach', name]);
    }
    return true;
  } finally {
    await held.close();
  }
}

/** Names of the loop devices over files below a directory. */
async function loopsBelow(directory: string): Promise<string[]> {
  const columns = ['--output', 'NAME,BACK-INO,BACK-MAJ:MIN,BACK-FILE'];
  const { stdout } = await attempt('losetup', ['--noheadings', '--raw', ...columns]);
  return stdout.split('\n').flatMap((line) => {
    const [name = '', inode = '', device = '', file = ''] = line.split(' ').map(unescaped);
    const backing = file.replace(/ \(deleted\)$/, '');
    const isBelow = backing.startsWith(`${directory}/`) || isFile(directory, backing, Number(inode), device);
    return name && isBelow ? name : [];
  });
}

/** `losetup --raw` writes spaces as `\x20`. */
const unescaped = (text: string): string =>
  text.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))).trim();

/**
 * Whether the backing file is in the directory. Once the mount namespace of a device has ended, the kernel reports a path
 * relative to the mount, which may be the directory or any one above it.
 */
function isFile(directory: string, backing: string, inode: number, device: string): boolean {
  const parts = backing.split('/').filter(Boolean);
  return parts.some((_, from) => {
    const stats = statSync(join(directory, ...parts.slice(from)), { throwIfNoEntry: false });
    // some file systems report another device for their files than for themselves
    return stats?.ino === inode && (from === 0 || deviceOf(stats.dev) === device);
  });
}
