import { statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, run } from '../../runtime/host/command';

/** Block device of a volume: the path itself, or the loop device of the file, which is reused. */
export async function blockDeviceOf(path: string): Promise<string> {
  if (statSync(path).isBlockDevice()) return path;
  const { stdout } = await run('losetup', ['--noheadings', '--output', 'NAME', '--associated', path]);
  const known = stdout.trim().split('\n')[0]?.trim();
  if (known) return known;
  // O_DIRECT avoids caching the data twice; not all file systems support it
  const direct = await attempt('losetup', ['--find', '--show', '--direct-io=on', path]);
  if (direct.code === 0) return direct.stdout.trim();
  return (await run('losetup', ['--find', '--show', path])).stdout.trim();
}

/** Detaches the loop devices over files below a directory. */
export async function detachLoops(directory: string): Promise<void> {
  const { stdout } = await attempt('losetup', ['--noheadings', '--raw', '--output', 'NAME,BACK-INO,BACK-FILE']);
  for (const line of stdout.split('\n')) {
    const [name = '', inode = '', ...file] = line.split(' ');
    const backing = file.join(' ').replace(/ \(deleted\)$/, '');
    if (name && (backing.startsWith(`${directory}/`) || isFile(join(directory, backing), inode))) {
      await attempt('losetup', ['--detach', name]);
    }
  }
}

/** Whether the path is the backing file. Once its mount namespace has ended, the kernel reports a path relative to the mount. */
function isFile(path: string, inode: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === Number(inode);
}
