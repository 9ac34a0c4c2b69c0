/** Disks, CD-ROMs and LUNs. */
import type { Disk, VirtualMachineInstance } from '../../../api';
import { attachedBuses, factsOfBus } from '../../../api/disk-buses';
import { driverOf } from './disks/driver';
import { type Target, busOf, deviceOf, targetsOf } from './disks/names';
import { sourceElement } from './disks/source';
import type { BackingSource, DiskSource, DomainFacts } from './facts';
import { DomainError } from './error';
import { diskThreads } from './iothreads';
import { pciAddress } from './pci';
import { virtioModel } from './virtio';
import { type Child, type Element, el } from './xml';

/** Largest block size of s390x. */
const LARGEST_BLOCK_S390X = 4096;

function blockIo({ blockSize }: Disk, source: DiskSource | undefined, facts: DomainFacts, at: string): Child {
  const { custom, matchVolume } = blockSize ?? {};
  if (custom) {
    const { logical, physical, discardGranularity } = custom;
    if (facts.architecture === 's390x' && Math.max(logical ?? 0, physical ?? 0) > LARGEST_BLOCK_S390X) {
      throw new DomainError(
        `${at}.blockSize.custom`,
        `${Math.max(logical ?? 0, physical ?? 0)} is too large for s390x`,
        `use at most ${LARGEST_BLOCK_S390X}`,
      );
    }
    return el('blockio', {
      logical_block_size: logical || undefined,
      physical_block_size: physical || undefined,
      discard_granularity: discardGranularity,
    });
  }
  if (!matchVolume || matchVolume.enabled === false || !source?.blockSize) return undefined;
  const { logical, physical, discardGranularity } = source.blockSize;
  return el('blockio', {
    logical_block_size: logical,
    physical_block_size: physical,
    discard_granularity: discardGranularity,
  });
}

/** SCSI disks have an explicit unit on the controller, so that a hotplugged disk gets the same one. */
function addressOf(disk: Disk, target: Target, at: string): Child {
  const { pciAddress: pci } = disk.disk ?? {};
  if (pci && busOf(disk) !== 'virtio') {
    throw new DomainError(`${at}.disk.pciAddress`, 'only virtio disks have PCI addresses', 'set bus to virtio');
  }
  if (pci) return pciAddress(pci, `${at}.disk.pciAddress`);
  if (busOf(disk) !== 'scsi' || deviceOf(disk) === 'cdrom') return undefined;
  return el('address', { type: 'drive', controller: 0, bus: 0, unit: target.index });
}

function isReadonly({ disk, lun, cdrom }: Disk, source: DiskSource | undefined): boolean {
  if (source?.readonly || source?.isMetrics) return true;
  if (disk) return disk.readonly === true;
  return lun ? lun.readonly === true : (cdrom?.readonly ?? true);
}

function isShared({ disk, cache, shareable }: Disk, at: string): boolean {
  if (!disk || !shareable) return false;
  if (cache && cache !== 'none') {
    throw new DomainError(`${at}.cache`, `a shareable disk cannot be cached, got "${cache}"`, 'set it to none');
  }
  return true;
}

function diskElement(
  vmi: VirtualMachineInstance,
  facts: DomainFacts,
  { disk, source, target, driver, at }: DiskParts,
): Element {
  const device = deviceOf(disk);
  const bus = busOf(disk);
  if (factsOfBus(bus)?.attached.includes(device) === false) {
    const allowed = attachedBuses(device).join(' or ');
    throw new DomainError(`${at}.${device}.bus`, `libvirt attaches no ${device} to ${bus}`, `set it to ${allowed}`);
  }
  const isVirtio = (device === 'disk' && bus === 'virtio') || source?.isMetrics;
  return el(
    'disk',
    { device, type: source?.type ?? 'block', model: isVirtio ? virtioModel(vmi.spec.domain, facts) : undefined },
    sourceElement(disk, source, facts),
    el('target', { bus, dev: target.dev, tray: device === 'cdrom' ? disk.cdrom?.tray || undefined : undefined }),
    device === 'disk' && disk.serial && el('serial', {}, disk.serial),
    driver,
    isReadonly(disk, source) && el('readonly'),
    el('alias', { name: `ua-${disk.name}` }),
    source?.backing && backingStore(source.backing),
    disk.bootOrder !== undefined && el('boot', { order: disk.bootOrder }),
    addressOf(disk, target, at),
    blockIo(disk, source, facts, at),
    device !== 'cdrom' && source?.filesystemOverhead && el('filesystemOverhead', {}, source.filesystemOverhead),
    device !== 'cdrom' && source?.capacity !== undefined && el('capacity', {}, String(source.capacity)),
    isShared(disk, at) && el('shareable'),
  );
}

interface DiskParts {
  disk: Disk;
  source: DiskSource | undefined;
  target: Target;
  driver: Element;
  at: string;
}

function backingStore({ type = 'file', path, format, label, isLast }: BackingSource): Element {
  const location = type === 'block' ? { dev: path, name: label } : { file: path, name: label };
  const end = isLast && el('backingStore');
  return el('backingStore', { type }, el('format', { type: format }), el('source', location), end);
}

/** Disk `index` of the VMI. A drive whose medium is not available yet is empty. */
function diskAt(vmi: VirtualMachineInstance, facts: DomainFacts, index: number): Element {
  const disk = (vmi.spec.domain.devices.disks ?? [])[index]!;
  const at = `spec.domain.devices.disks[${index}]`;
  const found = facts.disks.find(({ name }) => name === disk.name);
  const source = found?.isPending && deviceOf(disk) === 'cdrom' ? undefined : found;
  const hasVolume = (vmi.spec.volumes ?? []).some(({ name }) => name === disk.name);
  if (!found && (hasVolume || deviceOf(disk) !== 'cdrom')) {
    throw new DomainError(at, `disk "${disk.name}" has no volume that could be attached`, 'add a volume of this name');
  }
  const driver = driverOf(vmi, disk, source, diskThreads(vmi).get(disk.name));
  return diskElement(vmi, facts, { disk, source, target: targetsOf(vmi)[index]!, driver, at });
}

/** One `<disk>` per disk of the VMI, in its order; hotplugged disks that are not available yet are left out. */
export function disks(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const pending = new Set(facts.disks.filter(({ isPending }) => isPending).map(({ name }) => name));
  return (vmi.spec.domain.devices.disks ?? []).flatMap((disk, i) => {
    const element = diskAt(vmi, facts, i);
    return pending.has(disk.name) && deviceOf(disk) !== 'cdrom' ? [] : [element];
  });
}

/** `<disk>` of one disk, to attach it to a running guest. `taken`: target names of the disks that the guest has. */
export function hotpluggedDisk(
  vmi: VirtualMachineInstance,
  facts: DomainFacts,
  name: string,
  taken: ReadonlyMap<string, string>,
): Element {
  const list = vmi.spec.domain.devices.disks ?? [];
  const volumeStatus = [...taken].map(([volume, target]) => ({ name: volume, target }));
  const gone = [...taken].filter(([volume]) => !list.some((disk) => disk.name === volume));
  // a disk that the guest still releases keeps its name
  const placeholders = gone.map(([volume, target]) => ({
    name: volume,
    disk: { bus: (target.startsWith('vd') ? 'virtio' : 'scsi') as 'virtio' },
  }));
  const { devices } = vmi.spec.domain;
  const spec = {
    ...vmi.spec,
    domain: { ...vmi.spec.domain, devices: { ...devices, disks: [...list, ...placeholders] } },
  };
  const index = list.findIndex((disk) => disk.name === name);
  return diskAt({ ...vmi, spec, status: { ...vmi.status, volumeStatus } }, facts, index);
}
