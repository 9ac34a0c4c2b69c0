import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { listDirectory } from '../../host/files';
import type { PayloadFile } from './payload';

const DATA = '..data';

/**
 * Writes a set of files atomically: readers see either all old or all new files. The files are in a separate directory,
 * `..data` links to it and is replaced by a rename, and each visible name is a link through `..data`.
 */
export async function writePayload(directory: string, files: readonly PayloadFile[], fsGroup?: number): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  for (const { path } of files) checkPath(path);
  const current = await readlink(join(directory, DATA)).catch(() => undefined);
  if (current && (await isCurrent(join(directory, current), files))) return;

  const name = `..${new Date().toISOString().replace(/[-:T]/g, '_').replace('Z', '')}.${randomBytes(4).toString('hex')}`;
  await mkdir(join(directory, name), { mode: 0o755 });
  for (const { path, content, mode } of files) {
    const target = join(directory, name, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    await writeFile(target, content);
    // the group of the volume can read it as well
    if (fsGroup !== undefined) await chown(target, 0, fsGroup);
    await chmod(target, fsGroup !== undefined ? mode | 0o440 : mode);
  }
  await symlink(name, join(directory, `${DATA}_tmp`));
  await rename(join(directory, `${DATA}_tmp`), join(directory, DATA));

  const visible = new Set(files.map(({ path }) => normalize(path).split('/')[0] as string));
  for (const entry of visible) {
    await symlink(join(DATA, entry), join(directory, entry)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  for (const entry of await listDirectory(directory)) {
    if (entry === DATA || entry === name || visible.has(entry)) continue;
    const path = join(directory, entry);
    if ((await lstat(path)).isSymbolicLink()) await unlink(path);
    else if (entry.startsWith('..')) await rm(path, { recursive: true, force: true });
  }
}

async function isCurrent(directory: string, files: readonly PayloadFile[]): Promise<boolean> {
  const wanted = new Map(files.map((file) => [normalize(file.path), file.content]));
  for (const [path, content] of wanted) {
    const found = await readFile(join(directory, path)).catch(() => undefined);
    if (!found?.equals(content)) return false;
  }
  return (await countFiles(directory)) === wanted.size;
}

async function countFiles(directory: string): Promise<number> {
  let count = 0;
  for (const entry of await listDirectory(directory)) {
    const path = join(directory, entry);
    count += (await lstat(path)).isDirectory() ? await countFiles(path) : 1;
  }
  return count;
}

function checkPath(path: string): void {
  const parts = path.split('/');
  if (!path || path.startsWith('/') || parts.some((part) => part === '..') || parts[0]?.startsWith('..')) {
    throw new Error(`volume path "${path}" must be relative and free of ".."`);
  }
}
