/** Files of a claim as a tar archive. Links are archived as links; devices, pipes and sockets are omitted. */
import type { Stats } from 'node:fs';
import { lstat, opendir, readlink, type FileHandle } from 'node:fs/promises';
import { openFile, openFolder, openRoot, pathOf } from './safe-open';
import { padding, TAR_END, tarHeader, type TarEntry } from './tar';

/** Folders of a file system that are not part of its content. */
export const NOT_CONTENT = ['lost+found'];
const CHUNK_BYTES = 1 << 20;
/** Deepest folder. Each level keeps a folder open. */
const DEEPEST = 128;

/** Yields the archive of a claim's file system. @throws Error if the content cannot be archived */
export async function* tarOf(path: string): AsyncGenerator<Buffer> {
  const root = await openRoot(path);
  try {
    yield tarHeader(entryOf('./', 'folder', await root.stat()));
    yield* folder(root, './', 0);
  } finally {
    await root.close();
  }
  yield TAR_END;
}

async function* folder(handle: FileHandle, path: string, depth: number): AsyncGenerator<Buffer> {
  if (depth > DEEPEST) throw new Error(`the folder is more than ${DEEPEST} levels deep`);
  for await (const { name } of await opendir(pathOf(handle))) {
    if (depth === 0 && NOT_CONTENT.includes(name)) continue;
    yield* entry(handle, name, path, depth);
  }
}

async function* entry(parent: FileHandle, name: string, path: string, depth: number): AsyncGenerator<Buffer> {
  const place = `${pathOf(parent)}/${name}`;
  const stats = await lstat(place);
  if (stats.isSymbolicLink()) {
    const target = await readlink(place);
    yield tarHeader({ ...entryOf(`${path}${name}`, 'link', stats), target });
  } else if (stats.isDirectory()) {
    const handle = await openFolder(parent, name);
    try {
      yield tarHeader(entryOf(`${path}${name}/`, 'folder', await handle.stat()));
      yield* folder(handle, `${path}${name}/`, depth + 1);
    } finally {
      await handle.close();
    }
  } else if (stats.isFile()) {
    const file = await openFile(parent, name);
    if (!file) return;
    try {
      yield* content(file, `${path}${name}`);
    } finally {
      await file.close();
    }
  }
}

async function* content(file: FileHandle, path: string): AsyncGenerator<Buffer> {
  const stats = await file.stat();
  yield tarHeader(entryOf(path, 'file', stats));
  for (let at = 0; at < stats.size;) {
    const wanted = Math.min(CHUNK_BYTES, stats.size - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new Error('a file became smaller while it was read');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
  yield padding(stats.size);
}

const entryOf = (path: string, type: TarEntry['type'], { size, mode, uid, gid, mtimeMs }: Stats): TarEntry => ({
  path,
  type,
  size: type === 'file' ? size : 0,
  mode,
  uid,
  gid,
  mtime: mtimeMs / 1000,
});
