/** Disks whose changes are discarded: an overlay in the Pod over a claim that any number of VMs read. */
import { lstat } from 'node:fs/promises';
import type { Volume } from '../../../api';
import type { BackingSource, DiskSource } from '../domain/facts';
import type { LauncherPaths } from '../paths';
import { deviceSize } from './claim-size';
import { DiskError } from './disk-error';
import { exists, writeWhole } from './files';
import { newQcow2 } from './qcow2';

export async function ephemeralDisk({ name }: Volume, paths: LauncherPaths): Promise<DiskSource> {
  const { virtualSize, ...location } = await imageOf(name, paths);
  // claims contain raw images by definition, so that their content is never parsed as a header
  const backing: BackingSource = { ...location, format: 'raw', isLast: true };
  const path = paths.overlay(name);
  if (!(await exists(path))) {
    await writeWhole(path, newQcow2({ virtualSize, backing: { path: backing.path, format: 'raw' } }), name);
  }
  return {
    name,
    type: 'file',
    path,
    format: 'qcow2',
    backing,
    readonly: false,
    // the overlay is deleted with the Pod, so nothing has to be flushed in case the node crashes
    cache: 'unsafe',
    discard: 'always',
    size: virtualSize,
  };
}

async function imageOf(
  name: string,
  paths: LauncherPaths,
): Promise<{ type: 'file' | 'block'; path: string; virtualSize: number }> {
  const device = paths.blockDevice(name);
  const bytes = await deviceSize(device);
  if (bytes !== undefined) return { type: 'block', path: device, virtualSize: bytes };
  const path = paths.claim(name);
  const found = await lstat(path).catch(() => undefined);
  if (!found) throw new DiskError(name, 'its claim has no disk.img', 'import an image into it', 'DiskMissing');
  // a link could refer to any file of this Pod
  if (!found.isFile()) throw new DiskError(name, 'disk.img of its claim is not a file', 'put a raw image there');
  if (found.size === 0) throw new DiskError(name, 'disk.img of its claim is empty', 'import an image into it');
  return { type: 'file', path, virtualSize: found.size };
}
