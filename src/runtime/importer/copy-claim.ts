import { existsSync } from 'node:fs';
import { cp, readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { importerPaths, type ImportRequest } from '../../api/cdi/import-request';
import { importDirect, importRaw, type ImportContext } from './import-image';
import { ImportError } from './import-error';
import { DiskSource } from './source/disk-source';
import type { Target } from './target/target';

/** Folders of a file system that are not part of its content. */
export const NOT_CONTENT = ['lost+found'];

/** Whether the source is a file system with any files, and not one with a disk. */
export const copiesFiles = ({ contentType }: ImportRequest, disk: string): boolean =>
  !existsSync(importerPaths.sourceDevice) &&
  (contentType === 'archive' || !existsSync(join(importerPaths.source, disk)));

/** Place of the size in the head of a qcow2 image. */
const QCOW2_SIZE = 24;

/** Bytes of the disk of another claim, or of an image in it. An image may state any size. */
export async function copiedBytes(disk: string, image: string | undefined): Promise<number> {
  const source = await DiskSource.open(await sourcePath(disk, image), () => undefined);
  try {
    if (image === undefined) return source.size;
    return Number((await source.read(QCOW2_SIZE, 8)).readBigUInt64BE());
  } finally {
    source.close();
  }
}

async function sourcePath(disk: string, image: string | undefined): Promise<string> {
  if (image !== undefined) return insideFolder(importerPaths.source, image);
  const device = importerPaths.sourceDevice;
  return existsSync(device) ? device : join(importerPaths.source, disk);
}

/** Copies the disk of another claim. What a larger device has after it is cleared. */
export async function copyDisk(
  disk: string,
  target: Target,
  context: ImportContext,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const source = await DiskSource.open(await sourcePath(disk, undefined), onBytes);
  try {
    // the disk of a guest is raw, even if the guest wrote the first bytes of another format
    await importRaw(source, target, context);
    await clearAfter(target, source.size);
  } finally {
    source.close();
  }
}

/** Copies the disk of a qcow2 image in the file system of another claim. */
export async function copyImage(
  image: string,
  target: Target,
  context: ImportContext,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const source = await DiskSource.open(await sourcePath('', image), onBytes);
  try {
    await importDirect(source, 'qcow2', target, context);
  } finally {
    source.close();
  }
}

/**
 * Path of an image in a folder. Other Pods write the claim: no link may lead out of it.
 *
 * @throws ImportError if the image does not exist, or is not in the folder itself
 */
export async function insideFolder(folder: string, image: string): Promise<string> {
  const path = join(folder, image);
  const real = await realpath(path).catch(() => undefined);
  if (real === path && path.startsWith(`${folder}/`)) return path;
  const problem = real === undefined ? 'does not exist in the claim' : 'contains a link, or leaves the claim';
  throw new ImportError('RequestInvalid', `${image} ${problem}`, 'name an image in the file system of the claim');
}

/** Makes what a larger device has after `position` zeros. */
export async function clearAfter(target: Target, position: number): Promise<void> {
  if (target.isDevice && target.capacity > position) await target.zero(position, target.capacity);
}

/** Copies all files of another claim. Links are copied as links. */
export async function copyFiles(isDevice: boolean): Promise<void> {
  if (isDevice) {
    const remedy = 'use volumeMode: Filesystem';
    throw new ImportError('FormatUnsupported', 'the source contains files and not a disk', remedy);
  }
  for (const name of await readdir(importerPaths.source)) {
    if (NOT_CONTENT.includes(name)) continue;
    await cp(join(importerPaths.source, name), join(importerPaths.data, basename(name)), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      force: true,
    });
  }
}
