/** Volumes that may be attached to a running guest and detached from it. */
import { factsOfBus } from './disk-buses';
import type { Disk, VirtualMachineInstanceSpec, Volume } from './generated/kubevirt-v1';

/** Whether the volume is attached after the guest has started. */
export const isHotpluggable = ({ persistentVolumeClaim, dataVolume }: Volume): boolean =>
  (persistentVolumeClaim ?? dataVolume)?.hotpluggable === true;

/** Whether only the launcher uses the volume, as a file system: the guest gets no disk of it. */
export const isForLauncher = ({ memoryDump }: Volume): boolean => memoryDump !== undefined;

/**
 * Volumes that are attached after the guest has started: its hotpluggable ones, and those that only its launcher uses. A utility
 * volume has the form of a memory dump.
 */
export const attachedVolumes = ({
  volumes = [],
  utilityVolumes = [],
}: Pick<VirtualMachineInstanceSpec, 'volumes' | 'utilityVolumes'>): Volume[] => [
  ...volumes.filter((volume) => isHotpluggable(volume) || isForLauncher(volume)),
  ...utilityVolumes.map(({ name, claimName }): Volume => ({ name, memoryDump: { claimName } })),
];

/** Claim of a volume that may be attached while the guest runs. */
export const hotplugClaim = ({ persistentVolumeClaim, dataVolume, memoryDump }: Volume): string | undefined =>
  persistentVolumeClaim?.claimName ?? dataVolume?.name ?? memoryDump?.claimName;

/** Whether a running guest can get or lose the disk. A drive for CDs stays; only its medium changes. */
export function isPluggableDisk({ disk, lun }: Disk): boolean {
  const device = disk ? 'disk' : lun ? 'lun' : undefined;
  if (!device) return false;
  return factsOfBus((disk ?? lun)?.bus)?.pluggable.includes(device) ?? false;
}

type Storage = Pick<VirtualMachineInstanceSpec, 'volumes' | 'domain'>;

/**
 * Returns the spec without the volumes that a running guest or its launcher can get or lose, and without their disks. Drives
 * for CDs are kept: only their media change.
 */
export function withoutHotplugged<T extends Storage>(spec: T): T {
  const { volumes = [], domain } = spec;
  // a spec that was not validated
  if (!Array.isArray(volumes)) return spec;
  const disks = new Map((domain?.devices?.disks ?? []).map((disk) => [disk.name, disk]));
  const live = volumes.filter((volume) => {
    if (isForLauncher(volume)) return true;
    const disk = disks.get(volume.name);
    return isHotpluggable(volume) && disk !== undefined && (disk.cdrom !== undefined || isPluggableDisk(disk));
  });
  if (live.length === 0) return spec;
  const names = new Set(live.map(({ name }) => name));
  return {
    ...spec,
    volumes: volumes.filter(({ name }) => !names.has(name)),
    domain: {
      ...domain,
      devices: {
        ...domain.devices,
        disks: domain.devices.disks?.filter(({ name, cdrom }) => cdrom !== undefined || !names.has(name)),
      },
    },
  };
}
