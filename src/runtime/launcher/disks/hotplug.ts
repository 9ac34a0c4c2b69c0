/** Disks that are attached while the guest runs, where virt-handler provides them. */
import { lstat } from 'node:fs/promises';
import type { Volume } from '../../../api';
import type { DiskSource } from '../domain/facts';
import type { LauncherPaths } from '../paths';
import { deviceSize } from './claim-size';

const FACTS = { format: 'raw', cache: 'none', discard: 'always' } as const;

/** A disk that is attached after the start of its guest. */
export const pendingDisk = ({ name }: Volume): DiskSource => ({
  ...FACTS,
  name,
  type: 'file',
  path: '',
  readonly: false,
  isPending: true,
});

/** The disk, if virt-handler has provided it. The node or file is the handler's, so a link has no meaning here. */
export async function hotplugDisk(volume: Volume, paths: LauncherPaths): Promise<DiskSource | undefined> {
  const { name, persistentVolumeClaim } = volume;
  const disk = { ...FACTS, name, readonly: persistentVolumeClaim?.readOnly ?? false };
  const find = (path: string) => lstat(path).catch(() => undefined);
  const [device, file] = [paths.hotplugDevice(name), paths.hotplugFile(name)];
  if ((await find(device))?.isBlockDevice()) {
    return { ...disk, type: 'block', path: device, size: await deviceSize(device) };
  }
  const stats = await find(file);
  // without a mount, there is only the empty mount point
  return stats?.isFile() && stats.size > 0 ? { ...disk, type: 'file', path: file, size: stats.size } : undefined;
}
