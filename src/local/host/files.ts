import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ownMounts } from '../../runtime/host/mounts';

/**
 * Replaces a file as a whole: whoever reads it, also after a kill of the engine, sees the old or the new content. It is
 * not synced: after a power cut the containers that such files describe are gone anyway.
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

/** Like `writeJson`, and after a power cut it is the old or the new content, too. */
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

/** `undefined` when the file does not exist or is torn: callers rebuild it from what they observe. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Names in a directory; none when it does not exist. */
export async function listDirectory(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export const removeTree = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** Mount points at or below `root`, deepest first, as this process' mount namespace has them. */
export function mountsUnder(root: string): string[] {
  return ownMounts()
    .map(({ mountPoint }) => mountPoint)
    .filter((point) => point === root || point.startsWith(`${root}/`))
    .reverse()
    .sort((a, b) => b.length - a.length);
}
