import { existsSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { importerPaths, type ImportRequest } from '../../api/cdi/import-request';
import { importRaw, type ImportContext } from './import-image';
import { ImportError } from './import-error';
import { DiskSource } from './source/disk-source';
import type { Target } from './target/target';

/** Folders of a file system that are not part of its content. */
export const NOT_CONTENT = ['lost+found'];

/** Whether the source is a file system with any files, and not one with a disk. */
export const copiesFiles = ({ contentType }: ImportRequest, disk: string): boolean =>
  !existsSync(importerPaths.sourceDevice) &&
  (contentType === 'archive' || !existsSync(join(importerPaths.source, disk)));

/** Copies the disk of another claim. What a larger device has after it is cleared. */
export async function copyDisk(
  disk: string,
  target: Target,
  context: ImportContext,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const device = importerPaths.sourceDevice;
  const path = existsSync(device) ? device : join(importerPaths.source, disk);
  const source = await DiskSource.open(path, onBytes);
  try {
    // the disk of a guest is raw, even if the guest wrote the first bytes of another format
    await importRaw(source, target, context);
    await clearAfter(target, source.size);
  } finally {
    source.close();
  }
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
