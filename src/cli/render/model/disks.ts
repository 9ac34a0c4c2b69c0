/** Where the volumes of a VMI are in a Pod that is as upstream makes it. Pure: no file is looked at. */
import type { VirtualMachineInstance, Volume, VolumeStatus } from '../../../api';
import { quantityValue } from '../../../api/quantity';
import type { DiskLocation, DiskSource } from '../../../runtime/launcher/domain/facts';
import { DomainError } from '../../../runtime/launcher/domain/error';

const PRIVATE = '/var/run/kubevirt-private';
const EPHEMERAL = '/var/run/kubevirt-ephemeral-disks';
const HOTPLUG = '/var/run/kubevirt/hotplug-disks';

/** Volumes that are disks because somebody put files on a CD: directory below `PRIVATE`. */
const CDS = {
  sysprep: 'sysprep-disks',
  configMap: 'config-map-disks',
  secret: 'secret-disks',
  downwardAPI: 'downwardapi-disks',
} as const;

/** Claims by name, as little of them as is read; others are file systems. */
export type ModelClaims = ReadonlyMap<string, { readonly volumeMode?: 'Filesystem' | 'Block' }>;

interface Context {
  vmi: VirtualMachineInstance;
  claims: ModelClaims | undefined;
}

/** The name at the end of a path; none of an empty one. */
const lastOf = (path: string | undefined): string[] => (path ?? '').split('/').filter(Boolean).slice(-1);

/** The name of the claim that holds a volume; a DataVolume's has its name. */
function claimOf({ persistentVolumeClaim, dataVolume, ephemeral }: Volume): string | undefined {
  return (persistentVolumeClaim ?? ephemeral?.persistentVolumeClaim)?.claimName ?? dataVolume?.name;
}

function isBlockDevice(volume: Volume, status: VolumeStatus | undefined, { claims }: Context): boolean {
  const mode = claims?.get(claimOf(volume) ?? '')?.volumeMode;
  return (mode ?? status?.persistentVolumeClaimInfo?.volumeMode) === 'Block';
}

/** How large the disk on a claim may be: no larger than was asked for. */
function sizeOf(status: VolumeStatus | undefined): Pick<DiskSource, 'capacity' | 'filesystemOverhead'> {
  const { capacity, requests, filesystemOverhead } = status?.persistentVolumeClaimInfo ?? {};
  if (capacity?.storage === undefined || requests?.storage === undefined) return { filesystemOverhead };
  const [has, asked] = [capacity.storage, requests.storage].map((size) => Number(quantityValue(size)));
  return { filesystemOverhead, capacity: Math.min(has!, asked!) };
}

/** A file, or a device of the name; one that came later is elsewhere. */
function locate(name: string, isBlock: boolean, isHotplugged: boolean): DiskLocation {
  if (isBlock) return { type: 'block', path: isHotplugged ? `${HOTPLUG}/${name}` : `/dev/${name}` };
  return { type: 'file', path: isHotplugged ? `${HOTPLUG}/${name}.img` : `${PRIVATE}/vmi-disks/${name}/disk.img` };
}

/** A qcow2 in front of the volume notes which blocks change, for incremental backups. */
function tracked({ status }: VirtualMachineInstance): boolean {
  return ['Initializing', 'Enabled'].includes(status?.changedBlockTracking?.state ?? '');
}

type Place = Omit<DiskSource, 'name' | 'readonly'>;

function withTracking(
  name: string,
  vmi: VirtualMachineInstance,
  at: DiskLocation,
  place: Omit<Place, 'type' | 'path'>,
): Place {
  if (!tracked(vmi)) return { ...at, ...place };
  return { ...place, type: 'file', path: `${PRIVATE}/libvirt/qemu/cbt/${name}.qcow2`, format: 'qcow2', dataStore: at };
}

function onClaim(volume: Volume, status: VolumeStatus | undefined, context: Context): Place {
  const { name } = volume;
  const info = status?.persistentVolumeClaimInfo;
  const isBlock = isBlockDevice(volume, status, context);
  const isHotplugged = status?.hotplugVolume !== undefined;
  const place = {
    format: 'raw',
    label: isBlock && !isHotplugged ? name : undefined,
    // giving blocks back would undo that all were written when the claim was filled
    discard: info?.preallocated ? 'never' : 'always',
  } as const;
  return withTracking(name, context.vmi, locate(name, isBlock, isHotplugged), place);
}

function ephemeral(volume: Volume, status: VolumeStatus | undefined, context: Context): Place {
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

function onCd(volume: Volume, { vmi }: Context): Place | undefined {
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

function placeOf(volume: Volume, index: number, status: VolumeStatus | undefined, context: Context): Place | undefined {
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
  // a claim that was plugged in may have become a file of the node on its way
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

/** Once the status knows volumes of the Pod, those count that it knows; one that is plugged in, when it is mounted. */
function isPending(name: string, statuses: readonly VolumeStatus[]): boolean {
  if (!statuses.some(({ hotplugVolume }) => !hotplugVolume)) return false;
  const status = statuses.find((each) => each.name === name);
  if (status?.hotplugVolume) return !['MountedToPod', 'Ready'].includes(status.phase ?? '');
  return status === undefined;
}

/** Blocks of the model node: a file system's, and those of an old disk. */
const BLOCKS: Record<DiskLocation['type'], DiskSource['blockSize']> = {
  file: { logical: 4096, physical: 4096, discardGranularity: 4096 },
  block: { logical: 512, physical: 512, discardGranularity: 512 },
};

/** A source for each volume that a disk attaches. */
export function modelDisks(vmi: VirtualMachineInstance, claims?: ModelClaims): DiskSource[] {
  const statuses = vmi.status?.volumeStatus ?? [];
  const attached = new Set((vmi.spec.domain.devices.disks ?? []).map(({ name }) => name));
  return (vmi.spec.volumes ?? []).flatMap((volume, index): DiskSource[] => {
    const { name } = volume;
    if (!attached.has(name)) return [];
    const status = statuses.find((each) => each.name === name);
    const place = placeOf(volume, index, status, { vmi, claims });
    if (!place) {
      const kind = Object.keys(volume).find((key) => key !== 'name') ?? 'no source';
      throw new DomainError(`spec.volumes[${index}]`, `a volume of ${kind} cannot be a disk`, 'use another source');
    }
    const blockSize = BLOCKS[(place.dataStore ?? place).type];
    return [{ name, readonly: false, blockSize, ...place, ...sizeOf(status), isPending: isPending(name, statuses) }];
  });
}
