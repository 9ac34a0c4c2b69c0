/** Threads that do disk I/O beside the emulator's main loop. */
import type { Disk, DomainSpec } from '../../../api';
import { vcpus } from './cpu';
import { DomainError } from './unsupported';
import { type Element, el } from './xml';

interface Plan {
  /** All threads. */
  count: number;
  /** Disk name -> thread, from 1. */
  byDisk: Record<string, number>;
}

const onVirtio = (disk: Disk): boolean => disk.disk?.bus === 'virtio';

/** Dedicated disks get a thread each; the others share one (`shared`) or are dealt out over some (`auto`). */
function plan(domain: DomainSpec): Plan {
  const policy = domain.ioThreadsPolicy;
  const disks = (domain.devices.disks ?? []).filter(onVirtio);
  const dedicated = disks.filter((disk) => disk.dedicatedIOThread);
  if (policy === 'supplementalPool') {
    throw new DomainError('spec.domain.ioThreadsPolicy', 'supplementalPool is not supported yet', 'use shared or auto');
  }
  if (!policy && dedicated.length === 0) return { count: 0, byDisk: {} };
  const others = disks.filter((disk) => !disk.dedicatedIOThread);
  // upstream's bound: two threads per vCPU in all, and at least one for the disks that share
  const pool = policy === 'auto' ? Math.min(others.length, Math.max(1, 2 * vcpus(domain) - dedicated.length)) : 1;
  const shared = others.length === 0 ? 0 : pool;
  const byDisk: Record<string, number> = {};
  others.forEach((disk, i) => (byDisk[disk.name] = (i % pool) + 1));
  dedicated.forEach((disk, i) => (byDisk[disk.name] = shared + i + 1));
  return { count: shared + dedicated.length, byDisk };
}

/** The thread that serves a disk, if any. */
export function iothreadOf(domain: DomainSpec, disk: Disk): number | undefined {
  return plan(domain).byDisk[disk.name];
}

/** `<iothreads>`. */
export function iothreads(domain: DomainSpec): Element[] {
  const { count } = plan(domain);
  return count === 0 ? [] : [el('iothreads', {}, String(count))];
}
