import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ownMounts } from '../../runtime/host/mounts';

/**
 * Replaces a file atomically: readers see the old or the new content, also after a kill of the engine. The file is
 * not synced: a power cut also ends the containers that such files describe.
 */
async function writeFileAtomic(path: string, content: string | Buffer, mode = 0o600): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  const file = await open(temporary, 'w', mode);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, `${JSON.stringify(value)}\n`);
}

/** Like `writeJson`, but atomic after a power cut as well. */
export async function writeJsonDurably(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  await writeFile(temporary, `${JSON.stringify(value)}\n`, { mode: 0o600, flush: true });
  await rename(temporary, path);
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Reads a JSON file. Returns undefined if it is missing or incomplete: callers rebuild it from the observed state. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Lists the names in a directory; empty if it does not exist. */
export async function listDirectory(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export const removeTree = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** Mount points at or below `root` in the mount namespace of this process, deepest first. */
export function mountsUnder(root: string): string[] {
  return ownMounts()
    .map(({ mountPoint }) => mountPoint)
    .filter((point) => point === root || point.startsWith(`${root}/`))
    .reverse()
    .sort((a, b) => b.length - a.length);
}
