import { statSync } from 'node:fs';
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
export async function loopDeviceOf(path: string): Promise<string | undefined> {
  const { stdout } = await run('losetup', ['--noheadings', '--output', 'NAME', '--associated', path]);
  return stdout.trim().split('\n')[0]?.trim() || undefined;
}

/** Detaches the loop devices over files below a directory. */
export async function detachLoops(directory: string): Promise<void> {
  const columns = ['--output', 'NAME,BACK-INO,BACK-MAJ:MIN,BACK-FILE'];
  const { stdout } = await attempt('losetup', ['--noheadings', '--raw', ...columns]);
  for (const line of stdout.split('\n')) {
    const [name = '', inode = '', device = '', file = ''] = line.split(' ').map(unescaped);
    const backing = file.replace(/ \(deleted\)$/, '');
    const isBelow = backing.startsWith(`${directory}/`) || isFile(directory, backing, Number(inode), device);
    if (name && isBelow) await attempt('losetup', ['--detach', name]);
  }
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
