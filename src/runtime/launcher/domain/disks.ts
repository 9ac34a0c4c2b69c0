/** Disks, CD-ROMs and LUNs. */
import type { Disk, DomainSpec } from '../../../api';
import { vcpus } from './cpu';
import type { DiskSource, DomainFacts } from './facts';
import { iothreadOf } from './iothreads';
import { pciAddress } from './pci';
import { DomainError, only } from './unsupported';
import { virtioModel } from './virtio';
import { type Child, type Element, el } from './xml';

const FIELDS = [
  ...['name', 'disk', 'cdrom', 'lun', 'bootOrder', 'serial', 'dedicatedIOThread', 'cache', 'io', 'tag'],
  ...['blockSize', 'shareable', 'errorPolicy'],
];
/** SCSI and USB disks share sd*, as they do in a guest. */
const PREFIX: Record<string, string> = { virtio: 'vd', sata: 'sd', scsi: 'sd', usb: 'sd' };
/** The CD-ROM of upstream's default. */
const DEFAULT_BUS = { disk: 'sata', cdrom: 'sata', lun: 'sata' };

type Device = 'disk' | 'cdrom' | 'lun';

/** The bus that a disk is on. */
export function busOf(disk: Disk): string {
  return (disk.disk?.bus ?? disk.cdrom?.bus ?? disk.lun?.bus) || DEFAULT_BUS[deviceOf(disk)];
}

function deviceOf(disk: Disk): Device {
  if (disk.cdrom) return 'cdrom';
  return disk.lun ? 'lun' : 'disk';
}

/** vda … vdz, vdaa … */
function deviceName(prefix: string, index: number): string {
  const letters = (n: number): string =>
    n < 0 ? '' : letters(Math.floor(n / 26) - 1) + String.fromCharCode(97 + (n % 26));
  return prefix + letters(index);
}

function blockIo(disk: Disk, source: DiskSource, at: string): Child {
  const { blockSize } = disk;
  if (!blockSize) return undefined;
  only(blockSize, `${at}.blockSize`, ['custom', 'matchVolume']);
  const { custom } = blockSize;
  if (custom) {
    const { logical, physical, discardGranularity } = custom;
    return el('blockio', {
      logical_block_size: logical,
      physical_block_size: physical,
      discard_granularity: discardGranularity,
    });
  }
  if (!blockSize.matchVolume || blockSize.matchVolume.enabled === false || !source.blockSize) return undefined;
  const { logical, physical } = source.blockSize;
  return el('blockio', { logical_block_size: logical, physical_block_size: physical });
}

function backingStore({ backing }: DiskSource): Child {
  if (!backing) return undefined;
  const { path, format } = backing;
  // The empty inner element ends the chain: QEMU must not look into an image that somebody else made.
  return el(
    'backingStore',
    { type: 'file' },
    el('format', { type: format }),
    el('source', { file: path }),
    el('backingStore'),
  );
}

function diskElement(disk: Disk, dev: string, domain: DomainSpec, facts: DomainFacts, at: string): Element {
  const device = deviceOf(disk);
  const bus = busOf(disk);
  const source = facts.disks.find(({ name }) => name === disk.name);
  if (!source && device !== 'cdrom') {
    throw new DomainError(at, `disk "${disk.name}" has no volume that could be attached`, 'add a volume of this name');
  }
  const readonly = device === 'cdrom' || Boolean(disk.disk?.readonly || disk.lun?.readonly || source?.readonly);
  const queues = bus === 'virtio' && domain.devices.blockMultiQueue ? vcpus(domain) : undefined;
  const cache = disk.cache ?? source?.cache;
  const io = disk.io === 'default' ? undefined : disk.io;
  if (io === 'native' && cache !== 'none') {
    throw new DomainError(`${at}.io`, 'io native needs a cache mode of none', 'set cache to none, or io to threads');
  }
  return el(
    'disk',
    { type: source?.type ?? 'file', device, model: bus === 'virtio' ? virtioModel(domain) : undefined },
    el('driver', {
      name: 'qemu',
      type: source?.format ?? 'raw',
      cache,
      io,
      error_policy: disk.errorPolicy ?? 'stop',
      discard: source?.discard && !readonly ? 'unmap' : undefined,
      queues,
      iothread: bus === 'virtio' ? iothreadOf(domain, disk) : undefined,
    }),
    source && el('source', source.type === 'block' ? { dev: source.path } : { file: source.path }),
    source && backingStore(source),
    el('target', { dev, bus, tray: disk.cdrom?.tray }),
    source && blockIo(disk, source, at),
    readonly && el('readonly'),
    disk.shareable && el('shareable'),
    disk.serial && el('serial', {}, disk.serial),
    disk.bootOrder !== undefined && el('boot', { order: disk.bootOrder }),
    el('alias', { name: `ua-${disk.name}` }),
    pciAddress(disk.disk?.pciAddress, `${at}.disk.pciAddress`),
  );
}

/** One `<disk>` per disk of the VMI, in its order. */
export function disks(domain: DomainSpec, facts: DomainFacts): Element[] {
  const used: Record<string, number> = {};
  return (domain.devices.disks ?? []).map((disk, i) => {
    const at = `spec.domain.devices.disks[${i}]`;
    only(disk, at, FIELDS);
    only(disk.disk, `${at}.disk`, ['bus', 'readonly', 'pciAddress']);
    only(disk.cdrom, `${at}.cdrom`, ['bus', 'readonly', 'tray']);
    only(disk.lun, `${at}.lun`, ['bus', 'readonly']);
    const bus = busOf(disk);
    const prefix = PREFIX[bus];
    if (!prefix) throw new DomainError(at, `bus "${bus}" is unknown`, `use one of ${Object.keys(PREFIX).join(', ')}`);
    const index = used[prefix] ?? 0;
    used[prefix] = index + 1;
    return diskElement(disk, deviceName(prefix, index), domain, facts, at);
  });
}

/** Volume name -> target device, for the VMI's status. */
export function targets(domain: DomainSpec): Record<string, string> {
  const used: Record<string, number> = {};
  return Object.fromEntries(
    (domain.devices.disks ?? []).map((disk) => {
      const prefix = PREFIX[busOf(disk)] ?? 'vd';
      used[prefix] = (used[prefix] ?? -1) + 1;
      return [disk.name, deviceName(prefix, used[prefix])];
    }),
  );
}
