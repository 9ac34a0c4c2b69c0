import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lockFile } from '../host/file-lock';
import { readJson, writeJsonDurably } from '../host/files';
import { archiveLayout } from './blobs';
import { readImage } from './manifest';

/** Image of the cache folder. */
export interface IndexEntry {
  /** Path of its OCI archive, relative to the folder. */
  readonly archive: string;
  /** Digest of its manifest. */
  readonly digest?: string;
}

/** Content of `index.json` in the cache folder: images by their references. */
export type Index = Record<string, IndexEntry>;

export const indexFile = (folder: string): string => join(folder, 'index.json');

/** Milliseconds between two attempts to lock the index. Others hold the lock for milliseconds. */
const LOCK_INTERVAL = 20;

/**
 * Gives an archive a reference, by which all engines of this machine find it. Removes references to deleted archives.
 * Simultaneous builds keep each other's references.
 */
export async function addToIndex(folder: string, ref: string, archive: string): Promise<void> {
  const { digest } = await readImage(await archiveLayout(archive));
  await mkdir(folder, { recursive: true });
  let release: (() => void) | undefined;
  while (!(release = lockFile(join(folder, 'index.lock')))) await setTimeout(LOCK_INTERVAL);
  try {
    const index = (await readJson<Index>(indexFile(folder))) ?? {};
    const others = Object.entries(index).filter(
      ([name, entry]) => name !== ref && existsSync(join(folder, entry.archive)),
    );
    const entry: IndexEntry = { archive: relative(folder, archive), digest };
    await writeJsonDurably(indexFile(folder), Object.fromEntries([...others, [ref, entry]]));
  } finally {
    release();
  }
}

/** Whether a reference leads to an archive. */
export async function isNamed(folder: string, archive: string): Promise<boolean> {
  const index = (await readJson<Index>(indexFile(folder))) ?? {};
  return Object.values(index).some((entry) => join(folder, entry.archive) === archive);
}
