/** Driver options of a disk: cache, I/O and queues. */
import type { Disk, VirtualMachineInstance } from '../../../../api';
import { vcpus } from '../../../../api/cpu-topology';
import type { DiskSource } from '../facts';
import type { DiskThreads } from '../iothreads';
import { iommuOf } from '../launch-security';
import { type Attributes, type Element, el } from '../xml';
import { busOf, deviceOf } from './names';

/** Cache mode, if one is chosen. With a cache, the guests of a shared disk would see different content. */
export function cacheOf({ disk, cache, shareable }: Disk, source: DiskSource | undefined): string | undefined {
  if (cache) return cache;
  return disk && shareable ? 'none' : source?.cache;
}

function discardOf(disk: Disk, source: DiskSource | undefined): 'unmap' | undefined {
  if (!source || source.discard === 'always') return 'unmap';
  return source.discard === 'unless-cdrom' && deviceOf(disk) !== 'cdrom' ? 'unmap' : undefined;
}

function attributesOf(vmi: VirtualMachineInstance, disk: Disk, source: DiskSource | undefined): Attributes {
  const isVirtio = busOf(disk) === 'virtio';
  return {
    cache: cacheOf(disk, source),
    error_policy: disk.errorPolicy || 'stop',
    io: disk.io || source?.io,
    name: 'qemu',
    type: source?.format ?? 'raw',
    queues: isVirtio && vmi.spec.domain.devices.blockMultiQueue ? Math.max(1, vcpus(vmi.spec.domain)) : undefined,
    discard: discardOf(disk, source),
    iommu: isVirtio ? iommuOf(vmi) : undefined,
  };
}

/** `<driver>` of a disk. */
export function driverOf(
  vmi: VirtualMachineInstance,
  disk: Disk,
  source: DiskSource | undefined,
  threads: DiskThreads | undefined,
): Element {
  const attributes = source?.isMetrics
    ? { error_policy: disk.errorPolicy || 'stop', name: 'qemu', type: source.format }
    : attributesOf(vmi, disk, source);
  if (!threads) return el('driver', attributes);
  if ('iothread' in threads) return el('driver', { ...attributes, iothread: threads.iothread });
  return el('driver', attributes, el('iothreads', {}, ...threads.iothreads.map((id) => el('iothread', { id }))));
}
