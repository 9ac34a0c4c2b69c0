import { readdir } from 'node:fs/promises';
import { importerPaths } from '../../../api/cdi/import-request';
import { openFile, openFolder, openRoot, pathOf } from '../../exporter/safe-open';
import { ImportError } from '../import-error';
import { DiskSource } from './disk-source';

const FOLDER = 'disk';

/** Opens the disk in an image that the node has pulled: the first file in `/disk`. The files of the image are hostile. */
export async function openPulled(onBytes: (bytes: number) => void): Promise<DiskSource> {
  await using root = await openRoot(importerPaths.image);
  await using folder = await openFolder(root, FOLDER).catch(() => undefined);
  const names = folder ? (await readdir(pathOf(folder))).sort() : [];
  for (const name of folder ? names : []) {
    const file = await openFile(folder!, name).catch((error: unknown) => {
      throw invalid(`/disk/${name} of the image cannot be opened: ${(error as NodeJS.ErrnoException).code}`);
    });
    if (file) return DiskSource.of(file, `/disk/${name}`, onBytes);
  }
  throw invalid('the image has no file in /disk');
}

const invalid = (message: string): ImportError =>
  new ImportError('ImageInvalid', message, 'use an image of a container disk, whose files the user 107 may read');
