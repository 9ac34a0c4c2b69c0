/** Turns the volumes of a VMI into files and devices that QEMU can open. */
import { mkdir, rename, stat, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Volume, VirtualMachineInstance } from '../../../api';
import { isHotpluggable } from '../../../api/hotplug-volumes';
import { type CloudInitContext, cloudInitDisk } from '../cloud-init/disk';
import type { DiskSource } from '../domain/facts';
import { bytesOf } from '../domain/quantity';
import type { LauncherPaths } from '../paths';
import { claimDisk } from './claim';
import { configDisk } from './config-disks';
import { DiskError } from './disk-error';
import { ephemeralDisk } from './ephemeral';
import { pendingDisk } from './hotplug';
import { exists, findImageDisk, openUntrusted, writeWhole } from './files';
import { hostDisk } from './host-disk';
import { HEADER_BYTES, type ImageFacts, readImageHeader } from './image-header';
import { newQcow2 } from './qcow2';

/** Reads the header of the image at `path`, which is not trusted. */
async function inspect(path: string, volume: string): Promise<ImageFacts> {
  const handle = await openUntrusted(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new DiskError(volume, `${path} is missing`, 'see the events of virt-handler', 'DiskMissing');
    throw new DiskError(
      volume,
      `${path} cannot be opened (${error.code})`,
      'check owner and mode: uid 107 must read it',
    );
  });
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new DiskError(volume, `${path} is not a file`, 'put a raw or qcow2 image there');
    const header = Buffer.alloc(HEADER_BYTES);
    const { bytesRead } = await handle.read(header, 0, HEADER_BYTES, 0);
    return readImageHeader(header.subarray(0, bytesRead), info.size, volume);
  } finally {
    await handle.close();
  }
}

/** Our own link to a file in a mounted image. Replaced atomically, so that a running QEMU always finds it. */
async function linkTo(target: string, link: string): Promise<void> {
  await mkdir(dirname(link), { recursive: true });
  const temporary = `${link}.tmp`;
  await symlink(target, temporary).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rename(temporary, link);
}

async function containerDisk(volume: Volume, index: number, paths: LauncherPaths): Promise<DiskSource> {
  const mounted = paths.imageVolume(index);
  const link = paths.containerDisk(index);
  let file = link;
  if (await exists(mounted)) {
    file = await findImageDisk(mounted, volume.containerDisk!.path, volume.name);
    await linkTo(file, link);
  }
  const { format, virtualSize } = await inspect(file, volume.name);
  const overlay = paths.overlay(volume.name);
  const backing = { path: link, format, isLast: true };
  if (!(await exists(overlay))) await writeWhole(overlay, newQcow2({ virtualSize, backing }), volume.name);
  // disks that are deleted with the Pod need not be flushed in case the node crashes
  return {
    name: volume.name,
    type: 'file',
    path: overlay,
    format: 'qcow2',
    backing,
    readonly: false,
    cache: 'unsafe',
    discard: 'always',
    size: virtualSize,
  };
}

async function emptyDisk(volume: Volume, paths: LauncherPaths): Promise<DiskSource> {
  const file = paths.emptyDisk(volume.name);
  const virtualSize = bytesOf(volume.emptyDisk!.capacity, `spec.volumes: "${volume.name}": emptyDisk.capacity`);
  if (!(await exists(file))) await writeWhole(file, newQcow2({ virtualSize }), volume.name);
  return {
    name: volume.name,
    type: 'file',
    path: file,
    format: 'qcow2',
    readonly: false,
    cache: 'unsafe',
    discard: 'always',
    size: virtualSize,
  };
}

async function prepareVolume(volume: Volume, index: number, context: PrepareContext): Promise<DiskSource | undefined> {
  const { paths } = context;
  const { persistentVolumeClaim, dataVolume, ephemeral } = volume;
  if (isHotpluggable(volume)) return pendingDisk(volume);
  if (volume.containerDisk) return containerDisk(volume, index, paths);
  if (volume.emptyDisk) return emptyDisk(volume, paths);
  if (persistentVolumeClaim) {
    return claimDisk(volume, {
      vmi: context.vmi,
      paths,
      readonly: persistentVolumeClaim.readOnly ?? false,
      mayCreate: true,
    });
  }
  if (dataVolume) return claimDisk(volume, { vmi: context.vmi, paths, readonly: false, mayCreate: false });
  if (ephemeral?.persistentVolumeClaim) return ephemeralDisk(volume, paths);
  if (volume.hostDisk) return hostDisk(volume.name, volume.hostDisk, paths);
  if (volume.cloudInitNoCloud || volume.cloudInitConfigDrive) return cloudInitDisk(volume, context);
  return configDisk(volume, paths);
}

export interface PrepareContext extends CloudInitContext {
  vmi: VirtualMachineInstance;
  paths: LauncherPaths;
}

/** Prepares every volume that a disk attaches. Idempotent. */
export async function prepareDisks(context: PrepareContext): Promise<DiskSource[]> {
  const { volumes = [], domain } = context.vmi.spec;
  const attached = new Set((domain.devices.disks ?? []).map(({ name }) => name));
  const sources: DiskSource[] = [];
  for (const [index, volume] of volumes.entries()) {
    if (!attached.has(volume.name)) continue;
    const source = await prepareVolume(volume, index, context);
    if (!source) {
      const kinds = Object.keys(volume).filter((key) => key !== 'name');
      throw new DiskError(
        volume.name,
        `virt-launcher cannot attach a volume of ${kinds.join(', ')}`,
        'use another source',
      );
    }
    // a raw file is as large as its disk
    const size = source.size ?? (source.isPending ? undefined : (await stat(source.path)).size);
    sources.push({ ...source, ...(size !== undefined && { size }) });
  }
  return sources;
}
