import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Replaces a file as a whole: whoever reads it, also after a kill of the engine, sees the old or the new content. It is
 * not synced: after a power cut the containers that such files tell of are gone anyway.
 */
export async function writeFileAtomic(path: string, content: string | Buffer, mode = 0o600): Promise<void> {
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
export function mountsUnder(root: string, table = readFileSync('/proc/self/mountinfo', 'utf8')): string[] {
  const points = table
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter(Boolean)
    .map(unescapeMount);
  return points
    .filter((point) => point === root || point.startsWith(`${root}/`))
    .reverse()
    .sort((a, b) => b.length - a.length);
}

/** mountinfo writes space, tab, newline and backslash as octal. */
export const unescapeMount = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));

const MAX_LINKS = 40;
const O_PATH = 0o10000000;

/**
 * Where `path` leads when `root` is its `/`: links are followed, but never out of `root`. Parts that do not exist are
 * taken as they are.
 */
export function resolveInRoot(root: string, path: string): string {
  const pending = path.split('/').filter(Boolean);
  const done: string[] = [];
  let links = 0;
  while (pending.length) {
    const part = pending.shift() as string;
    if (part === '.') continue;
    if (part === '..') {
      done.pop();
      continue;
    }
    const target = readLink(join(root, ...done, part));
    if (target === undefined) {
      done.push(part);
      continue;
    }
    if (++links > MAX_LINKS) throw new Error(`${path}: more than ${MAX_LINKS} symbolic links`);
    if (target.startsWith('/')) done.length = 0;
    pending.unshift(...target.split('/').filter(Boolean));
  }
  return join(root, ...done);
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Opens `path` (below `root`, free of links) step by step, so that a process that can write there cannot swap a part for
 * a link between the check and the use. The caller closes the descriptor, which serves as `/proc/<pid>/fd/<n>`.
 */
export function openBeneath(root: string, path: string): number {
  const parts = path.split('/').filter(Boolean);
  if (parts.includes('..')) throw new Error(`${path}: ".." is not allowed in a sub path`);
  let fd = openSync(root, O_PATH | constants.O_DIRECTORY);
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    const flags = O_PATH | constants.O_NOFOLLOW | (last ? 0 : constants.O_DIRECTORY);
    let next: number;
    try {
      next = openSync(`/proc/self/fd/${fd}/${part}`, flags);
    } finally {
      closeSync(fd);
    }
    fd = next;
  }
  if (fstatSync(fd).isSymbolicLink()) {
    closeSync(fd);
    throw new Error(`${path}: is a symbolic link that changed while it was opened`);
  }
  return fd;
}
