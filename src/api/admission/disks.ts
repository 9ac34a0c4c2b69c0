import { type Finding, named, type Path, text } from '../findings';
import { acceptedBuses, deviceOf, DISK_BUSES, factsOfBus } from '../disk-buses';
import type { Disk, Volume } from '../generated/kubevirt-v1';
import { isDnsLabel } from '../names';
import { hasCharacters } from '../schema';
import { duplicates, gateOff, InstanceRule, mistake, nearest } from './rule';
import { mistakesOf } from '../mistakes';

const disksAt = (at: Path): Path => at.at('domain', 'devices', 'disks');

/** Each disk must have a volume of its name, and each boot order must be unique. */
export const disksHaveVolumes: InstanceRule = (spec, at, config) => {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const orders = new Map<number, Path>();
  const errors: Finding[] = [];
  (spec.domain.devices.disks ?? []).forEach((disk, i) => {
    const path = disksAt(at).at(i);
    const volume = volumes.get(disk.name);
    if (volume) errors.push(...volumeFits(disk, volume, path));
    else if (!disk.cdrom) {
      const message = text`${named(path.at('name'), `${path.at('Name')}`)} '${disk.name}' not found.`;
      const remedy = 'add a volume of this name or rename the disk';
      const extra = { value: disk.name, allowed: [...volumes.keys()] };
      errors.push(...mistake('disk-has-volume', path.at('name'), message, remedy, extra));
    } else if (!config.hasGate('DeclarativeHotplugVolumes')) {
      const gate = 'DeclarativeHotplugVolumes';
      const message = `${gate} feature gate not enabled, cannot define an empty CD-ROM disk`;
      errors.push(...gateOff('gate-empty-cdrom', path.at('name'), message, gate));
    }
    errors.push(...bootOrderTaken(disk.bootOrder, path, orders));
  });
  (spec.domain.devices.interfaces ?? []).forEach(({ bootOrder }, i) => {
    const path = at.at('domain', 'devices', 'interfaces', i);
    if (bootOrder !== undefined && bootOrder < 1) {
      const message = `${at.at(i)} must have a boot order > 0, if supplied`;
      const extra = { value: bootOrder, field: `${at.at(i, 'bootOrder')}` };
      errors.push(...mistake('boot-order-positive', path.at('bootOrder'), message, 'use 1 or more', extra));
    } else {
      errors.push(...bootOrderTaken(bootOrder, path, orders));
    }
  });
  return errors;
};

function bootOrderTaken(got: number | undefined, at: Path, orders: Map<number, Path>): Finding[] {
  if (got === undefined) return [];
  const first = orders.get(got);
  if (!first) {
    orders.set(got, at);
    return [];
  }
  const path = at.at('bootOrder');
  const message = text`Boot order for ${path} already set for a different device.`;
  return mistake('boot-order-unique', path, message, text`${first} has this boot order; give each device its own`, {
    value: got,
  });
}

function volumeFits(disk: Disk, volume: Volume, path: Path): Finding[] {
  const errors: Finding[] = [];
  if (disk.lun && !volume.persistentVolumeClaim && !volume.dataVolume) {
    const lun = path.at('lun');
    const message = `${lun} can only be mapped to a DataVolume or PersistentVolumeClaim volume.`;
    errors.push(...mistake('lun-has-claim', lun, message, 'use disk: {} for this volume'));
  }
  return volume.downwardMetrics ? [...errors, ...metricsFit(disk, path)] : errors;
}

/** Downward metrics require a plain disk. */
function metricsFit(disk: Disk, path: Path): Finding[] {
  if (!disk.disk) {
    const own = path.at('disk');
    const message = text`DownwardMetrics volume must be mapped to a disk, but disk is not set on ${own}.`;
    return mistake('downward-metrics-disk', own, message, 'write disk: {bus: virtio}', { type: 'FieldValueRequired' });
  }
  const { bus } = disk.disk;
  if (!bus || bus === 'virtio') return [];
  const own = path.at('disk', 'bus');
  const message = text`DownwardMetrics volume must be mapped to virtio bus, but ${own} is set to ${bus}`;
  return mistake('downward-metrics-disk', own, message, 'write bus: virtio', { value: bus });
}

function nameTaken({ name: got }: Disk, path: Path, i: number, first: number): Finding[] {
  const message = text`${path.at(i)} and ${path.at(first)} must not have the same Name.`;
  return mistake('disk-name-unique', path.at(i, 'name'), message, 'rename one of them', { value: got });
}

/** Validates the fields of each disk. */
export const diskFields: InstanceRule = (spec, at) => {
  const disks = spec.domain.devices.disks ?? [];
  const path = disksAt(at);
  const again = new Map(duplicates(disks, ({ name }) => name).map((each) => [each.index, each]));
  return mistakesOf(disks, (disk, i) => {
    const first = again.get(i)?.first;
    return [
      ...(first === undefined ? [] : nameTaken(disk, path, i, first)),
      ...targets(disk, path, i),
      ...bootOrders(disk, path, i),
      ...buses(disk, path, i),
      ...serials(disk, path, i),
      ...options(disk, path, i),
      ...names(disk, path, i),
      ...blockSizes(disk, path.at(i, 'blockSize')),
    ];
  });
};

type DiskRule = (disk: Disk, disks: Path, i: number) => Finding[];

/** A disk's name becomes a container's name. Clients know this mistake under a path that repeats itself. */
const names: DiskRule = ({ name }, disks, i) => {
  if (isDnsLabel(name)) return [];
  const field = `${disks.at('domain', 'devices', 'disks', i, 'name')}`;
  const message = `"${name}" is not an RFC 1123 label`;
  const remedy = 'use up to 63 lower case letters, digits and dashes';
  return mistake('disk-name', disks.at(i, 'name'), message, remedy, { value: name, field });
};

const serials: DiskRule = ({ serial }, disks, i) => {
  if (!serial) return [];
  const errors: Finding[] = [];
  const path = disks.at(i, 'serial');
  if (!/^[A-Za-z0-9_.+-]+$/.test(serial)) {
    const message = `${disks.at(i)} must be made up of the following characters [A-Za-z0-9_.+-], if specified`;
    errors.push(...mistake('disk-serial', path, message, 'remove all other characters', { value: serial }));
  }
  if (hasCharacters(serial, 257)) {
    const message = `${disks.at(i)} must be less than or equal to 256 in length, if specified`;
    errors.push(...mistake('disk-serial', path, message, 'shorten the serial number', { value: serial }));
  }
  return errors;
};

/** A disk must have one device type, and a valid PCI address. */
const targets: DiskRule = ({ disk, lun, cdrom }, disks, i) => {
  const errors: Finding[] = [];
  const path = disks.at(i);
  if ([disk, lun, cdrom].filter(Boolean).length > 1) {
    const message = `${path} can only have a single target type defined`;
    errors.push(...mistake('disk-one-target', path, message, 'keep one of disk, lun, cdrom'));
  }
  const address = disk?.pciAddress;
  if (!address) return errors;
  // clients know these under a path that repeats itself
  const reportedAt = disks.at('domain', 'devices', 'disks', 'disk', i);
  const extra = { value: address, field: `${reportedAt.at('pciAddress')}` };
  const own = path.at('disk', 'pciAddress');
  const name = named(path.at('name'), `${reportedAt.at('name')}`);
  if (disk.bus !== 'virtio') {
    const message = text`disk ${name} - setting a PCI address is only possible with bus type virtio.`;
    errors.push(...mistake('disk-pci', own, message, 'write bus: virtio', extra));
  }
  if (!isPciAddress(address)) {
    const message = text`disk ${name} has malformed PCI address (${address}).`;
    errors.push(...mistake('disk-pci', own, message, 'write it like 0000:81:01.0', extra));
  }
  return errors;
};

const bootOrders: DiskRule = ({ bootOrder }, disks, i) => {
  if (bootOrder === undefined || bootOrder >= 1) return [];
  const path = disks.at(i);
  const message = `${path} must have a boot order > 0, if supplied`;
  return mistake('boot-order-positive', path.at('bootOrder'), message, 'use 1 or more', { value: bootOrder });
};

/** Domain, bus, slot, function: `0000:81:01.0`. */
export function isPciAddress(text: string): boolean {
  return /^[\da-fA-F]{4}:[\da-fA-F]{2}:[\da-fA-F]{2}\.[0-7]$/.test(text);
}

const buses: DiskRule = (disk, disks, i) => {
  const target = deviceOf(disk);
  const bus: string | undefined = target && disk[target]?.bus;
  if (!target || !bus) return [];
  const path = disks.at(i, target, 'bus');
  const allowed = DISK_BUSES;
  const facts = factsOfBus(bus);
  const errors: Finding[] = [];
  if (bus === 'ide') {
    errors.push(...mistake('disk-bus', path, 'IDE bus is not supported', 'use sata', { value: bus, allowed }));
  } else if (!facts) {
    const message = `${disks.at(i)} is set with an unrecognized bus ${bus}, must be one of: [${allowed.join(' ')}]`;
    errors.push(...mistake('disk-bus', path, message, nearest(bus, allowed), { value: bus, allowed }));
  } else if (!facts.accepted.includes(target)) {
    const message = `Bus type ${bus} is invalid for CD-ROM device`;
    errors.push(
      ...mistake('cdrom-bus', path, message, 'use sata or scsi', { value: bus, allowed: acceptedBuses(target) }),
    );
  } else if (bus === 'sata' && disk.disk?.readonly) {
    const message = 'sata hard-disks do not support read-only.';
    errors.push(...mistake('sata-readonly', path, message, 'use virtio or scsi', { value: bus }));
  }
  if (disk.dedicatedIOThread && bus !== 'virtio') {
    const message = `IOThreads are not supported for disks on a ${bus} bus`;
    const field = `${disks.at('domain', 'devices', 'disks', i)}`;
    const extra = { type: 'FieldValueNotSupported', field } as const;
    errors.push(...mistake('io-thread-bus', disks.at(i, 'dedicatedIOThread'), message, 'write bus: virtio', extra));
  }
  return errors;
};

const options: DiskRule = ({ cache, io, errorPolicy }, disks, i) => {
  const errors: Finding[] = [];
  const caches = ['none', 'writethrough', 'writeback'];
  if (cache && !caches.includes(cache)) {
    const path = disks.at(i, 'cache');
    const extra = { value: cache, allowed: caches };
    errors.push(...mistake('disk-cache', path, `${path} has invalid value ${cache}`, nearest(cache, caches), extra));
  }
  if (io && io !== 'native' && io !== 'threads') {
    const message = text`Disk IO mode for ${disks} is not supported. Supported modes are: native, threads.`;
    const field = `${disks.at('domain', 'devices', 'disks', i, 'io')}`;
    const extra = { value: io, allowed: ['native', 'threads'], type: 'FieldValueNotSupported', field } as const;
    errors.push(...mistake('disk-io', disks.at(i, 'io'), message, nearest(io, extra.allowed), extra));
  }
  const policies = ['stop', 'ignore', 'report', 'enospace'];
  if (errorPolicy !== undefined && !policies.includes(errorPolicy)) {
    const path = disks.at(i, 'errorPolicy');
    const extra = { value: errorPolicy, allowed: policies };
    const message = `${path} has invalid value "${errorPolicy}"`;
    errors.push(...mistake('disk-error-policy', path, message, nearest(errorPolicy, policies), extra));
  }
  return errors;
};

const SMALLEST_BLOCK = 512;
const LARGEST_BLOCK = 2 * 1024 * 1024;

function blockSizes(disk: Disk, at: Path): Finding[] {
  const { custom, matchVolume } = disk.blockSize ?? {};
  if (!custom) return [];
  if (matchVolume && matchVolume.enabled !== false) {
    const message = "Block size matching can't be enabled together with a custom value";
    return mistake('block-size', at, message, 'keep one');
  }
  const { logical = 0, physical = 0, discardGranularity } = custom;
  const path = at.at('custom');
  const target = deviceOf(disk);
  if (logical > physical) {
    const message = `Logical size ${logical} must be the same or less than the physical size of ${physical}`;
    return mistake('block-size', path.at('logical'), message, 'raise physical', { value: logical });
  }
  if (target && disk[target]?.bus === 'sata' && logical !== SMALLEST_BLOCK) {
    const message = `Logical size ${logical} must be ${SMALLEST_BLOCK} for SATA devices`;
    return mistake('block-size', path.at('logical'), message, 'use 512, or another bus', { value: logical });
  }
  if (discardGranularity !== undefined && logical !== 0 && discardGranularity % logical !== 0) {
    const message = `Discard granularity ${discardGranularity} must be multiples of logical size ${logical}`;
    const remedy = `use a multiple of ${logical}`;
    return mistake('block-size', path.at('discardGranularity'), message, remedy, { value: discardGranularity });
  }
  return [...blockSize(logical, path.at('logical')), ...blockSize(physical, path.at('physical'))];
}

function blockSize(size: number, at: Path): Finding[] {
  const finding = (what: string): Finding[] =>
    mistake('block-size', at, `Provided size of ${size} is ${what}`, 'use a power of 2 from 512 to 2097152', {
      value: size,
    });
  if (size < SMALLEST_BLOCK) return finding(`less than the supported minimum size of ${SMALLEST_BLOCK}`);
  if (size > LARGEST_BLOCK) return finding(`greater than the supported maximum size of ${LARGEST_BLOCK}`);
  return (size & (size - 1)) === 0 ? [] : finding('not a power of 2');
}
