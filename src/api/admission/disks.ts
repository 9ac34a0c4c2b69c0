import type { FieldError, Path } from '../field-error';
import type { Disk } from '../generated/kubevirt-v1';
import { isDnsLabel } from '../names';
import { duplicates, InstanceRule, mistake, notOneOf } from './rule';

/** Longest serial that QEMU takes; KubeVirt accepts more and then retries without end. */
const LONGEST_SERIAL = 36;
const buses = ['virtio', 'scsi', 'sata', 'usb'];
const cdromBuses = ['scsi', 'sata', 'usb'];

const disksAt = (at: Path): Path => at.at('domain', 'devices', 'disks');

export const diskNames: InstanceRule = (spec, at) => {
  const disks = spec.domain.devices.disks ?? [];
  const path = disksAt(at);
  return [
    ...duplicates(disks, ({ name }) => name).flatMap(({ key, index, first }) =>
      mistake(
        'disk-name-unique',
        path.at(index, 'name'),
        `${path.at(first)} and ${path.at(index)} must not have the same Name.`,
        'rename one of them',
        { got: key, type: 'FieldValueInvalid' },
      ),
    ),
    ...disks.flatMap(({ name }, i) =>
      isDnsLabel(name)
        ? []
        : mistake(
            'disk-name',
            path.at(i, 'name'),
            `"${name}" is not a DNS label (RFC 1123)`,
            'use up to 63 lower case letters, digits and dashes',
            { got: name },
          ),
    ),
  ];
};

/** A disk attaches the volume of its name. A CD drive may be empty. */
export const disksHaveVolumes: InstanceRule = (spec, at, config) => {
  const volumes = spec.volumes ?? [];
  const allowed = volumes.map(({ name }) => name);
  return (spec.domain.devices.disks ?? []).flatMap((disk, i) => {
    const path = disksAt(at).at(i);
    const volume = volumes.find(({ name }) => name === disk.name);
    if (!volume) {
      if (disk.cdrom && config.hasGate('DeclarativeHotplugVolumes')) return [];
      return mistake(
        'disk-has-volume',
        path.at('name'),
        `${path.at('name')} '${disk.name}' not found.`,
        'add a volume of this name or rename the disk',
        { got: disk.name, allowed },
      );
    }
    if (disk.lun && !volume.persistentVolumeClaim && !volume.dataVolume) {
      return mistake(
        'lun-has-claim',
        path.at('lun'),
        `${path.at('lun')} can only be mapped to a DataVolume or PersistentVolumeClaim volume.`,
        'use disk instead of lun, or a claim',
      );
    }
    return [];
  });
};

/** Which kind of device a disk is, and on which bus. */
export const diskTargets: InstanceRule = (spec, at) =>
  (spec.domain.devices.disks ?? []).flatMap((disk, i) => {
    const path = disksAt(at).at(i);
    const targets = (['disk', 'lun', 'cdrom'] as const).filter((kind) => disk[kind]);
    const errors: FieldError[] = [];
    if (targets.length > 1) {
      errors.push(
        ...mistake(
          'disk-one-target',
          path,
          `${path} can only have a single target type defined`,
          `keep one of ${targets.join(', ')}`,
        ),
      );
    }
    for (const kind of targets) errors.push(...busIsKnown(disk, kind, path));
    const pciAddress = disk.disk?.pciAddress;
    if (pciAddress !== undefined)
      errors.push(...pciAddressIsUsable(disk.disk?.bus, pciAddress, path.at('disk', 'pciAddress'), disk.name));
    if (disk.lun?.reservation && disk.lun.bus && disk.lun.bus !== 'scsi') {
      errors.push(
        ...mistake(
          'lun-reservation-bus',
          path.at('lun', 'bus'),
          'Persistent reservation requires the scsi bus',
          'use bus: scsi',
          {
            got: disk.lun.bus,
          },
        ),
      );
    }
    errors.push(
      ...notOneOf(
        'cdrom-tray',
        path.at('cdrom', 'tray'),
        disk.cdrom?.tray,
        ['open', 'closed'],
        `${path.at('cdrom', 'tray')} has invalid value ${disk.cdrom?.tray}`,
      ),
    );
    return errors;
  });

function busIsKnown(disk: Disk, kind: 'disk' | 'lun' | 'cdrom', path: Path): FieldError[] {
  const bus: string | undefined = disk[kind]?.bus;
  const at = path.at(kind, 'bus');
  if (bus === 'ide') {
    return mistake(
      'disk-bus',
      at,
      'IDE bus is not supported',
      'use sata, which every guest with IDE drivers for AHCI has',
      {
        got: bus,
        allowed: kind === 'cdrom' ? cdromBuses : buses,
      },
    );
  }
  if (kind === 'cdrom' && bus === 'virtio') {
    return mistake('cdrom-bus', at, `Bus type ${bus} is invalid for CD-ROM device`, 'use sata or scsi', {
      got: bus,
      allowed: cdromBuses,
    });
  }
  return notOneOf(
    'disk-bus',
    at,
    bus,
    kind === 'cdrom' ? cdromBuses : buses,
    `${path} is set with an unrecognized bus ${bus}, must be one of: [${buses.join(' ')}]`,
    { type: 'FieldValueInvalid' },
  );
}

/** `0000:81:01.0`, also without domain. */
export function isPciAddress(text: string): boolean {
  return /^([\da-fA-F]{4}:)?[\da-fA-F]{2}:[01][\da-fA-F]\.[0-7]$/.test(text);
}

function pciAddressIsUsable(bus: string | undefined, pciAddress: string, at: Path, name: string): FieldError[] {
  if (bus !== undefined && bus !== 'virtio') {
    return mistake(
      'disk-pci-bus',
      at,
      `disk ${name} - setting a PCI address is only possible with bus type virtio.`,
      'use bus: virtio or remove pciAddress',
      { got: pciAddress },
    );
  }
  if (isPciAddress(pciAddress)) return [];
  return mistake(
    'disk-pci-address',
    at,
    `disk ${name} has malformed PCI address (${pciAddress}).`,
    'write it like 0000:81:01.0',
    {
      got: pciAddress,
    },
  );
}

/** The small fields of a disk. */
export const diskOptions: InstanceRule = (spec, at) =>
  (spec.domain.devices.disks ?? []).flatMap((disk, i) => {
    const path = disksAt(at).at(i);
    const errors: FieldError[] = [];
    const option = (field: 'cache' | 'io' | 'errorPolicy', allowed: string[]): void => {
      const got = disk[field];
      errors.push(
        ...notOneOf(
          `disk-${field.toLowerCase()}`,
          path.at(field),
          got,
          allowed,
          `${path.at(field)} has invalid value ${got}`,
        ),
      );
    };
    option('cache', ['none', 'writethrough', 'writeback']);
    option('io', ['native', 'threads', 'default']);
    option('errorPolicy', ['stop', 'ignore', 'report', 'enospace']);
    if (disk.serial !== undefined) errors.push(...serialFits(disk.serial, path.at('serial')));
    errors.push(...blockSizeFits(disk, path.at('blockSize')));
    const bus = disk.disk?.bus ?? disk.lun?.bus ?? disk.cdrom?.bus;
    if (disk.dedicatedIOThread && bus && bus !== 'virtio' && bus !== 'scsi') {
      errors.push(
        ...mistake(
          'disk-io-thread',
          path.at('dedicatedIOThread'),
          `IOThreads are not supported on bus ${bus}`,
          'use bus: virtio or remove dedicatedIOThread',
        ),
      );
    }
    return errors;
  });

function serialFits(serial: string, at: Path): FieldError[] {
  if (!/^[A-Za-z0-9_.+-]*$/.test(serial)) {
    return mistake(
      'disk-serial',
      at,
      `${at} must be made up of the following characters [A-Za-z0-9_.+-], if specified`,
      'remove the other characters',
      { got: serial },
    );
  }
  if (serial.length <= LONGEST_SERIAL) return [];
  return mistake(
    'disk-serial-length',
    at,
    `${at} must be less than or equal to ${LONGEST_SERIAL} in length, if specified`,
    'shorten it',
    {
      got: serial,
    },
  );
}

function blockSizeFits({ blockSize }: Disk, at: Path): FieldError[] {
  const { custom, matchVolume } = blockSize ?? {};
  if (!custom) return [];
  if (matchVolume && matchVolume.enabled !== false) {
    return mistake(
      'block-size-one',
      at,
      "Block size matching can't be enabled together with a custom value",
      'keep one of them',
    );
  }
  const { logical = 0, physical = 0 } = custom;
  const wrong = (['logical', 'physical'] as const).filter((field) => {
    const size = custom[field] ?? 0;
    return size < 512 || size > 2097152 || (size & (size - 1)) !== 0;
  });
  if (wrong.length > 0) {
    return wrong.flatMap((field) =>
      mistake(
        'block-size',
        at.at('custom', field),
        `Provided size of ${custom[field]} must be a power of 2 between 512 and 2097152`,
        'use 512 or 4096',
        {
          got: custom[field],
        },
      ),
    );
  }
  if (logical <= physical) return [];
  return mistake(
    'block-size-order',
    at.at('custom', 'logical'),
    `Logical size ${logical} must be the same or less than the physical size of ${physical}`,
    'swap them',
    {
      got: logical,
    },
  );
}

/** Boot order counts from one, over disks and interfaces together. */
export const bootOrders: InstanceRule = (spec, at) => {
  const { disks = [], interfaces = [] } = spec.domain.devices;
  const devices = [
    ...disks.map(({ bootOrder }, i) => ({ bootOrder, path: disksAt(at).at(i) })),
    ...interfaces.map(({ bootOrder }, i) => ({ bootOrder, path: at.at('domain', 'devices', 'interfaces', i) })),
  ];
  return [
    ...devices.flatMap(({ bootOrder, path }) =>
      bootOrder === undefined || bootOrder > 0
        ? []
        : mistake(
            'boot-order-positive',
            path.at('bootOrder'),
            `${path} must have a boot order > 0, if supplied`,
            'count from 1',
            {
              got: bootOrder,
            },
          ),
    ),
    ...duplicates(devices, ({ bootOrder }) => bootOrder).flatMap(({ key, index, first }) =>
      mistake(
        'boot-order-unique',
        devices[index].path.at('bootOrder'),
        `Boot order for ${devices[index].path.at('bootOrder')} already set for a different device.`,
        `${devices[first].path} has it; give each device its own`,
        { got: key },
      ),
    ),
  ];
};
