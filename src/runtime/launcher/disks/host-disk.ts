/** A raw image in a directory of the node, which virt-handler has created or found. */
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { HostDisk } from '../../../api';
import type { DiskSource } from '../domain/facts';
import type { LauncherPaths } from '../paths';
import { DiskError } from './disk-error';
import { cacheFor } from './files';

export async function hostDisk(name: string, { path: onNode }: HostDisk, paths: LauncherPaths): Promise<DiskSource> {
  const path = paths.hostDisk(name, posix.basename(onNode));
  const found = await lstat(path).catch(() => undefined);
  if (!found) {
    throw new DiskError(
      name,
      `the node has no ${onNode}`,
      'put a raw image there, or use type DiskOrCreate',
      'DiskMissing',
    );
  }
  if (!found.isFile()) throw new DiskError(name, `${onNode} of the node is not a file`, 'put a raw image there');
  await access(path, constants.R_OK | constants.W_OK).catch(() => {
    throw new DiskError(name, `user 107 may not read and write ${onNode} of the node`, 'make that user its owner');
  });
  return {
    name,
    type: 'file',
    path,
    format: 'raw',
    readonly: false,
    cache: await cacheFor(path),
    discard: 'always',
    size: found.size,
  };
}
