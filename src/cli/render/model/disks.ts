/** Paths of a VMI's volumes in a Pod like upstream's. Pure: reads no files. */
import type { VirtualMachineInstance, Volume, VolumeStatus } from '../../../api';
import { quantityValue } from '../../../api/quantity';
import type { DiskLocation, DiskSource } from '../../../runtime/launcher/domain/facts';
import { DomainError } from '../../../runtime/launcher/domain/error';

const PRIVATE = '/var/run/kubevirt-private';
const EPHEMERAL = '/var/run/kubevirt-ephemeral-disks';
const HOTPLUG = '/var/run/kubevirt/hotplug-disks';

/** Volumes whose files are attached as a CD: directory below `PRIVATE`. */
const CDS = {
  sysprep: 'sysprep-disks',
  configMap: 'config-map-disks',
  secret: 'secret-disks',
  downwardAPI: 'downwardapi-disks',
} as const;

/** Claims by name, with the field that is read; other claims count as Filesystem. */
export type ModelClaims = ReadonlyMap<string, { readonly volumeMode?: 'Filesystem' | 'Block' }>;

interface Context {
  vmi: VirtualMachineInstance;
  claims: ModelClaims | undefined;
}

/** Last part of a path; empty for an empty path. */
const lastOf = (path: string | undefined): string[] => (path ?? '').split('/').filter(Boolean).slice(-1);

/** Name of a volume's claim, which for a DataVolume is its own name. */
function claimOf({ persistentVolumeClaim, dataVolume, ephemeral }: Volume): string | undefined {
  return (persistentVolumeClaim ?? ephemeral?.persistentVolumeClaim)?.claimName ?? dataVolume?.name;
}

function isBlockDevice(volume: Volume, status: VolumeStatus | undefined, { claims }: Context): boolean {
  const mode = claims?.get(claimOf(volume) ?? '')?.volumeMode;
  return (mode ?? status?.persistentVolumeClaimInfo?.volumeMode) === 'Block';
}

/** Largest size of the disk on a claim: no larger than requested. */
function sizeOf(status: VolumeStatus | undefined): Pick<DiskSource, 'capacity' | 'filesystemOverhead'> {
  const { capacity, requests, filesystemOverhead } = status?.persistentVolumeClaimInfo ?? {};
  if (capacity?.storage === undefined || requests?.storage === undefined) return { filesystemOverhead };
  const [has, asked] = [capacity.storage, requests.storage].map((size) => Number(quantityValue(size)));
  return { filesystemOverhead, capacity: Math.min(has!, asked!) };
}

/** A file or a device with this name; hotplugged ones are in another directory. */
function locate(name: string, isBlock: boolean, isHotplugged: boolean): DiskLocation {
  if (isBlock) return { type: 'block', path: isHotplugged ? `${HOTPLUG}/${name}` : `/dev/${name}` };
  return { type: 'file', path: isHotplugged ? `${HOTPLUG}/${name}.img` : `${PRIVATE}/vmi-disks/${name}/disk.img` };
}

/** Whether a qcow2 in front of the volume records changed blocks, for incremental backups. */
function isTracked({ status }: VirtualMachineInstance): boolean {
  return ['Initializing', 'Enabled'].includes(status?.changedBlockTracking?.state ?? '');
}

type LocatedSource = Omit<DiskSource, 'name' | 'readonly'>;

function withTracking(
  name: string,
  vmi: VirtualMachineInstance,
  at: DiskLocation,
  source: Omit<LocatedSource, 'type' | 'path'>,
): LocatedSource {
  if (!isTracked(vmi)) return { ...at, ...source };
  return { ...source, type: 'file', path: `${PRIVATE}/libvirt/qemu/cbt/${name}.qcow2`, format: 'qcow2', dataStore: at };
}

function onClaim(volume: Volume, status: VolumeStatus | undefined, context: Context): LocatedSource {
  const { name } = volume;
  const info = status?.persistentVolumeClaimInfo;
  const isBlock = isBlockDevice(volume, status, context);
  const isHotplugged = status?.hotplugVolume !== undefined;
  const source = {
    format: 'raw',
    label: isBlock && !isHotplugged ? name : undefined,
    // discarding blocks would undo the preallocation of the claim
    discard: info?.preallocated ? 'never' : 'always',
  } as const;
  return withTracking(name, context.vmi, locate(name, isBlock, isHotplugged), source);
}

function ephemeral(volume: Volume, status: VolumeStatus | undefined, context: Context): LocatedSource {
  const { name } = volume;
  const isBlock = isBlockDevice(volume, status, context);
  return {
    type: 'file',
    path: `${EPHEMERAL}/disk-data/${name}/disk.qcow2`,
    format: 'qcow2',
    backing: { ...locate(name, isBlock, false), format: 'raw', label: isBlock ? name : undefined },
    discard: 'always',
  };
}

function onCd(volume: Volume, { vmi }: Context): LocatedSource | undefined {
  const raw = { type: 'file', format: 'raw', discard: 'unless-cdrom' } as const;
  const { name } = volume;
  if (volume.cloudInitNoCloud || volume.cloudInitConfigDrive) {
    const file = volume.cloudInitNoCloud ? 'noCloud.iso' : 'configdrive.iso';
    return { ...raw, path: `${EPHEMERAL}/cloud-init-data/${vmi.metadata.namespace}/${vmi.metadata.name}/${file}` };
  }
  if (volume.serviceAccount) return { ...raw, path: `${PRIVATE}/service-account-disk/service-account.iso` };
  const kind = (Object.keys(CDS) as (keyof typeof CDS)[]).find((key) => volume[key]);
  return kind && { ...raw, path: `${PRIVATE}/${CDS[kind]}/${name}.iso` };
}

function sourceOf(
  volume: Volume,
  index: number,
  status: VolumeStatus | undefined,
  context: Context,
): LocatedSource | undefined {
  const { name, hostDisk } = volume;
  if (volume.containerDisk) {
    return {
      type: 'file',
      path: `${EPHEMERAL}/disk-data/${name}/disk.qcow2`,
      format: 'qcow2',
      backing: { path: `/var/run/kubevirt/container-disks/disk_${index}.img`, format: 'qcow2' },
      discard: 'always',
    };
  }
  // a hotplugged claim may have been converted to a hostDisk
  const isClaim = volume.persistentVolumeClaim || volume.dataVolume || (hostDisk && status?.hotplugVolume);
  if (isClaim) return onClaim(volume, status, context);
  if (hostDisk) {
    const at: DiskLocation = { type: 'file', path: [PRIVATE, 'vmi-disks', name, ...lastOf(hostDisk.path)].join('/') };
    return withTracking(name, context.vmi, at, { format: 'raw', discard: 'unless-cdrom' });
  }
  if (volume.ephemeral) return ephemeral(volume, status, context);
  if (volume.emptyDisk) {
    return { type: 'file', path: `/var/run/libvirt/empty-disks/${name}.qcow2`, format: 'qcow2', discard: 'always' };
  }
  if (volume.downwardMetrics) {
    const path = `${PRIVATE}/downwardapi-disks/vhostmd0`;
    return { type: 'file', path, format: 'raw', discard: 'never', isMetrics: true };
  }
  return onCd(volume, context);
}

/**
 * Whether a volume is not available yet. Once the status lists volumes of the Pod, others are pending; hotplugged ones are
 * pending until they are mounted.
 */
function isPending(name: string, statuses: readonly VolumeStatus[]): boolean {
  if (!statuses.some(({ hotplugVolume }) => !hotplugVolume)) return false;
  const status = statuses.find((each) => each.name === name);
  if (status?.hotplugVolume) return !['MountedToPod', 'Ready'].includes(status.phase ?? '');
  return status === undefined;
}

/** Block sizes of the model node: those of a file system, and of an old disk. */
const BLOCKS: Record<DiskLocation['type'], DiskSource['blockSize']> = {
  file: { logical: 4096, physical: 4096, discardGranularity: 4096 },
  block: { logical: 512, physical: 512, discardGranularity: 512 },
};

/** Sources of all volumes that a disk attaches. */
export function modelDisks(vmi: VirtualMachineInstance, claims?: ModelClaims): DiskSource[] {
  const statuses = vmi.status?.volumeStatus ?? [];
  const attached = new Set((vmi.spec.domain.devices.disks ?? []).map(({ name }) => name));
  return (vmi.spec.volumes ?? []).flatMap((volume, index): DiskSource[] => {
    const { name } = volume;
    if (!attached.has(name)) return [];
    const status = statuses.find((each) => each.name === name);
    const located = sourceOf(volume, index, status, { vmi, claims });
    if (!located) {
      const kind = Object.keys(volume).find((key) => key !== 'name') ?? 'no source';
      throw new DomainError(`spec.volumes[${index}]`, `a volume of ${kind} cannot be a disk`, 'use another source');
    }
    const blockSize = BLOCKS[(located.dataStore ?? located).type];
    return [{ name, readonly: false, blockSize, ...located, ...sizeOf(status), isPending: isPending(name, statuses) }];
  });
}
