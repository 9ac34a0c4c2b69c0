/** Buses of disks: one table for admission, defaults, constructs, importers, the domain and the schema's enums. Pure. */
import type { Disk } from './generated/kubevirt-v1';

/** Device types of a disk. Of several, the first counts. */
export const DISK_DEVICES = ['disk', 'lun', 'cdrom'] as const;
export type DiskDeviceName = (typeof DISK_DEVICES)[number];

interface BusFacts {
  /** Devices for which KubeVirt's webhook accepts the bus. */
  readonly accepted: readonly DiskDeviceName[];
  /** Devices that libvirt attaches to the bus; others keep the guest from starting. */
  readonly attached: readonly DiskDeviceName[];
  /** Devices that can be plugged in while the guest runs. */
  readonly pluggable: readonly DiskDeviceName[];
  /** Whether arm64 guests have the bus. */
  readonly arm64: boolean;
  /** Prefix of its disks' names in the domain. SCSI, SATA and USB share one, as in a guest. */
  readonly prefix: 'vd' | 'sd';
  /** Characters of a disk's serial number that the guest sees. */
  readonly serial: number;
}

const ALL = DISK_DEVICES;

/** Buses by name, in KubeVirt's order. */
const buses = {
  virtio: {
    accepted: ['disk', 'lun'],
    attached: ['disk', 'lun'],
    pluggable: ['disk'],
    arm64: true,
    prefix: 'vd',
    serial: 20,
  },
  scsi: { accepted: ALL, attached: ALL, pluggable: ['disk', 'lun'], arm64: true, prefix: 'sd', serial: 36 },
  sata: { accepted: ALL, attached: ['disk', 'cdrom'], pluggable: [], arm64: false, prefix: 'sd', serial: 36 },
  usb: { accepted: ALL, attached: ['disk', 'cdrom'], pluggable: [], arm64: false, prefix: 'sd', serial: 36 },
} as const satisfies Record<string, BusFacts>;

export type DiskBusName = keyof typeof buses;

/** Every bus of the platform. */
export const DISK_BUSES = Object.keys(buses) as readonly DiskBusName[];

/** Facts of each bus. */
export const diskBuses: Readonly<Record<DiskBusName, BusFacts>> = buses;

/** Facts of a bus; undefined for an unknown one. */
export const factsOfBus = (bus: string | undefined): BusFacts | undefined =>
  bus !== undefined && Object.hasOwn(buses, bus) ? diskBuses[bus as DiskBusName] : undefined;

const having = (has: (facts: BusFacts) => boolean): DiskBusName[] => DISK_BUSES.filter((bus) => has(diskBuses[bus]));

/** Buses that the webhook accepts for a device. */
export const acceptedBuses = (device: DiskDeviceName): DiskBusName[] =>
  having(({ accepted }) => accepted.includes(device));

/** Buses on which a guest with the device starts. */
export const attachedBuses = (device: DiskDeviceName): DiskBusName[] =>
  having(({ attached }) => attached.includes(device));

/** Buses to which the device can be plugged while the guest runs. */
export const pluggableBuses = (device: DiskDeviceName): DiskBusName[] =>
  having(({ pluggable }) => pluggable.includes(device));

/** Buses of guests of arm64. */
export const arm64Buses = (): DiskBusName[] => having(({ arm64 }) => arm64);

/** Returns the webhook's default bus, from which every guest of the architecture can boot. */
export function defaultBus(device: DiskDeviceName, architecture: string | undefined): DiskBusName {
  if (architecture !== 'arm64' && architecture !== 's390x') return 'sata';
  // KubeVirt also writes virtio for a CD-ROM, and then rejects it
  return device === 'cdrom' ? 'scsi' : 'virtio';
}

/** Returns the default bus of constructs: the fastest for the device, or one that supports hot-plug. */
export function bestBus(device: DiskDeviceName, hotpluggable: boolean): DiskBusName {
  if (device === 'cdrom') return 'sata';
  return device === 'lun' || hotpluggable ? 'scsi' : 'virtio';
}

/** Returns the device type of a disk; undefined where the webhook sets it. */
export const deviceOf = (disk: Pick<Disk, DiskDeviceName>): DiskDeviceName | undefined =>
  DISK_DEVICES.find((device) => disk[device]);
