/**
 * Keeps results of scripts in the user's cache, under the hash of everything that they are made from: a clone in another
 * folder, or a checkout that returns to an earlier commit, gets them without making them again.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { cacheDir } from '../src/local/engine/cache';
import { checkout } from './generated-files';

export interface Work {
  readonly name: string;
  /** Files and folders of the checkout that the result depends on; the version of Node.js is added. */
  readonly inputs: readonly string[];
  /** Files and folders of the checkout that `make` writes. A file that does not belong to the result is removed. */
  readonly outputs: readonly string[];
  readonly make: () => Promise<void> | void;
  /** Whether `make` continues from the newest result in the cache, if the checkout has none. */
  readonly continues?: boolean;
}

/** Origin of a result: the checkout had it already, the cache, or the work. */
export type Origin = 'checkout' | 'cache' | 'work';

interface Place {
  readonly root: string;
  readonly cache: string;
}

/** A file of a result: path, mode, content. */
type Entry = readonly [path: string, mode: number, content: Uint8Array];

/** Results that are kept of each work: several clones at different commits share the cache. */
const KEPT = 8;

/** Files below a path, sorted; a missing path has none. */
function filesOf({ root }: Pick<Place, 'root'>, path: string): string[] {
  const info = statSync(join(root, path), { throwIfNoEntry: false });
  if (!info?.isDirectory()) return info ? [path] : [];
  const below = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
  return below
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** Hash of files with their paths and modes, and of other values. */
export function hashOf(paths: readonly string[], values: readonly string[] = [], root = checkout): string {
  const hash = createHash('sha256');
  for (const file of new Set(paths.flatMap((path) => filesOf({ root }, path)))) {
    const content = readFileSync(join(root, file));
    const isProgram = (statSync(join(root, file)).mode & 0o100) !== 0;
    hash.update(`${file}\0${isProgram}\0${content.length}\0`).update(content);
  }
  return hash.update(JSON.stringify([process.version, ...values])).digest('hex');
}

/** Rejects files that a work has read although they are not inputs: a change of them would not change the hash. */
export function requireDeclared(inputs: readonly string[], read: readonly string[]): void {
  const isDeclared = (file: string): boolean =>
    /(^|\/)node_modules\//.test(file) || inputs.some((input) => file === input || file.startsWith(`${input}/`));
  const others = read.filter((file) => !isDeclared(file));
  if (others.length > 0) throw new Error(`${others.join(', ')}: add to the inputs of the script that reads them`);
}

/** Makes sure that the checkout has the result of a work: from the checkout itself, the cache, or by doing it. */
export function ensure(work: Work, place: Place = { root: checkout, cache: cacheDir() }): Promise<Origin> {
  // two programs that write the same outputs take turns
  return whileAlone(`${place.root}:${work.name}`, async () => {
    const key = hashOf(work.inputs, [work.name], place.root);
    const stamp = join(place.root, 'build/results', `${work.name}.json`);
    // the size and date of each output show whether anything else has written it since
    const state = (): string =>
      JSON.stringify([key, work.outputs.flatMap((path) => filesOf(place, path)).map((file) => stateOf(place, file))]);
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state()) return 'checkout';
    const folder = join(place.cache, 'results', work.name);
    const origin = restore(join(folder, key), work, place) ? 'cache' : 'work';
    if (origin === 'work') {
      rmSync(stamp, { force: true });
      if (work.continues && work.outputs.every((path) => filesOf(place, path).length === 0)) {
        const [newest] = newestFirst(folder);
        if (newest) restore(newest, work, place);
      }
      await work.make();
      // who edits sources while they are compiled gets no wrong result later
      if (hashOf(work.inputs, [work.name], place.root) !== key) return origin;
      store(join(folder, key), work, place);
    }
    write(stamp, Buffer.from(state()));
    return origin;
  });
}

const stateOf = ({ root }: Place, file: string): unknown[] => {
  const { size, mtimeMs } = statSync(join(root, file));
  return [file, size, mtimeMs];
};

/** Writes outputs from an entry. Returns whether the entry exists and is complete; a damaged one is removed. */
function restore(entry: string, work: Work, place: Place): boolean {
  if (!existsSync(entry)) return false;
  let files: readonly Entry[];
  try {
    files = deserialize(gunzipSync(readFileSync(entry))) as readonly Entry[];
  } catch {
    rmSync(entry, { force: true });
    return false;
  }
  const kept = new Set(files.map(([path]) => path));
  for (const file of work.outputs.flatMap((path) => filesOf(place, path))) {
    if (!kept.has(file)) rmSync(join(place.root, file));
  }
  for (const [path, mode, content] of files) replace(join(place.root, path), content, mode);
  utimesSync(entry, new Date(), new Date());
  return true;
}

function store(entry: string, work: Work, place: Place): void {
  const files = work.outputs
    .flatMap((path) => filesOf(place, path))
    .map((path): Entry => {
      const file = join(place.root, path);
      return [path, statSync(file).mode & 0o777, readFileSync(file)];
    });
  write(entry, gzipSync(serialize(files), { level: 4 }));
  newestFirst(dirname(entry))
    .slice(KEPT)
    .forEach((old) => rmSync(old, { force: true }));
}

function newestFirst(folder: string): string[] {
  const dated = (existsSync(folder) ? readdirSync(folder) : []).map((name) => {
    const path = join(folder, name);
    return { path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  return dated.sort((a, b) => b.at - a.at).map(({ path }) => path);
}

/** Replaces a file that differs, as a whole: programs of this checkout may be running from it. */
export function replace(path: string, content: Uint8Array, mode = 0o644): void {
  if (existsSync(path) && readFileSync(path).equals(content) && (statSync(path).mode & 0o777) === mode) return;
  write(path, content, mode);
}

/** Writes a file that is complete at every moment. */
function write(path: string, content: Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}.new`;
  writeFileSync(partial, content, { mode });
  renameSync(partial, path);
}

/** Runs `work` while no other process does under this name; the kernel ends the turn of a process that ends. */
async function whileAlone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const path = `\0virt8s-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  for (;;) {
    const server = createServer();
    const isOurs = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(path, () => resolve(true));
    });
    if (!isOurs) {
      await sleep(50);
      continue;
    }
    try {
      return await work();
    } finally {
      server.close();
    }
  }
}
