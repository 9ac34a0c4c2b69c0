/** A file or a listing of a claim's file system, by its path in a URL. */
import { opendir, type FileHandle } from 'node:fs/promises';
import { isName, openFile, openFolder, openRoot, pathOf } from './safe-open';

/** Entries of a listing; a larger folder is cut. */
const MOST_ENTRIES = 10_000;

export type Found = { readonly file: FileHandle; readonly size: number } | { readonly listing: string };

/** Opens a file, or lists a folder. Undefined if there is none at this path, or if the path contains a link. */
export async function find(root: string, path: string): Promise<Found | undefined> {
  const names = path.split('/').filter(Boolean);
  if (!names.every(isName)) return undefined;
  const isFolder = names.length === 0 || path.endsWith('/');
  let handle = await openRoot(root);
  try {
    for (const name of isFolder ? names : names.slice(0, -1)) {
      const next = await openFolder(handle, name);
      await handle.close();
      handle = next;
    }
    if (isFolder) return { listing: await listing(handle) };
    const file = await openFile(handle, names.at(-1)!);
    return file && { file, size: (await file.stat()).size };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG', 'ENXIO'].includes(code)) return undefined;
    throw error;
  } finally {
    await handle.close();
  }
}

/** HTML with a link for each file and folder. */
async function listing(folder: FileHandle): Promise<string> {
  const links: string[] = [];
  for await (const entry of await opendir(pathOf(folder))) {
    if (links.length === MOST_ENTRIES) break;
    if (!entry.isDirectory() && !entry.isFile()) continue;
    const name = entry.name + (entry.isDirectory() ? '/' : '');
    links.push(`<a href="${encodeURIComponent(entry.name)}${entry.isDirectory() ? '/' : ''}">${escaped(name)}</a>`);
  }
  return `<!doctype html>\n<pre>\n${links.sort().join('\n')}\n</pre>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);
