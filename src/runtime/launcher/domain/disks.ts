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

/** One `<disk>` per disk of the VMI, in its order; hotplugged disks that are not available yet are left out. */
export function disks(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const sources = new Map(facts.disks.map((source) => [source.name, source]));
  const volumes = new Set((vmi.spec.volumes ?? []).map(({ name }) => name));
  const targets = targetsOf(vmi);
  const threads = diskThreads(vmi);
  return (vmi.spec.domain.devices.disks ?? []).flatMap((disk, i) => {
    const at = `spec.domain.devices.disks[${i}]`;
    const source = sources.get(disk.name);
    if (!source && (volumes.has(disk.name) || deviceOf(disk) !== 'cdrom')) {
      throw new DomainError(
        at,
        `disk "${disk.name}" has no volume that could be attached`,
        'add a volume of this name',
      );
    }
    const driver = driverOf(vmi, disk, source, threads.get(disk.name));
    const element = diskElement(vmi, facts, { disk, source, target: targets[i]!, driver, at });
    return source?.isPending ? [] : [element];
  });
}
