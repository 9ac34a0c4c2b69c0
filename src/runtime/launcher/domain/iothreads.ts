/** Threads that do disk I/O outside the emulator's main loop. */
import type { Disk, VirtualMachineInstance } from '../../../api';
import { vcpus } from '../../../api/cpu-topology';
import { quantityValue } from '../../../api/quantity';
import { busOf } from './disks/names';
import { hasDedicatedCpus } from './guest';
import { type Element, el } from './xml';

/** Threads of one VMI. */
export interface IoThreads {
  /** Numbers of all threads. */
  count: number;
  /** Threads 1 to `shared` serve the disks without a dedicated thread; the others follow. 0 with a pool. */
  shared: number;
  /** Whether every disk uses all threads. */
  isPool: boolean;
}

const ownsThread = (disk: Disk): boolean => disk.dedicatedIOThread === true;

/** Maximum number of threads that a policy allows, without dedicated ones. */
function limit(vmi: VirtualMachineInstance): number {
  const { ioThreadsPolicy, cpu, resources } = vmi.spec.domain;
  if (!ioThreadsPolicy || ioThreadsPolicy === 'shared') return 1;
  if (ioThreadsPolicy !== 'auto') return 0;
  // the emulator's own CPU also runs the one thread
  if (hasDedicatedCpus(vmi) && cpu?.isolateEmulatorThread) return 1;
  const cpus = resources?.requests?.cpu ?? resources?.limits?.cpu;
  return 2 * (cpus === undefined ? 1 : Number(quantityValue(cpus)));
}

/** Number of threads of a `supplementalPool`; 0 with any other policy. */
function poolSize({ spec: { domain } }: VirtualMachineInstance): number {
  return domain.ioThreadsPolicy === 'supplementalPool' ? (domain.ioThreads?.supplementalPoolThreadCount ?? 0) : 0;
}

/** Threads of a VMI; undefined if it uses none. */
export function iothreadsOf(vmi: VirtualMachineInstance): IoThreads | undefined {
  const { domain } = vmi.spec;
  const disks = domain.devices.disks ?? [];
  const dedicated = disks.filter(ownsThread).length;
  if (!domain.ioThreadsPolicy && dedicated === 0) return undefined;
  const pool = poolSize(vmi);
  if (pool > 0) return { count: pool, shared: 0, isPool: true };
  const others = disks.length - dedicated;
  const most = limit(vmi);
  const shared = disks.length > most ? Math.max(1, most - dedicated) : others;
  return { count: shared + dedicated, shared, isPool: false };
}

/** `<iothreads>`. */
export function iothreads(vmi: VirtualMachineInstance): Element[] {
  const count = iothreadsOf(vmi)?.count ?? 0;
  return count === 0 ? [] : [el('iothreads', {}, String(count))];
}

/** Threads of a virtio disk: one, or all threads of the pool. */
export type DiskThreads = { iothread: number } | { iothreads: readonly number[] };

/** Disk name -> its threads. Only virtio disks have any. */
export function diskThreads(vmi: VirtualMachineInstance): ReadonlyMap<string, DiskThreads> {
  const plan = iothreadsOf(vmi);
  const byDisk = new Map<string, DiskThreads>();
  if (!plan) return byDisk;
  const pool = Array.from({ length: plan.count }, (_, i) => i + 1);
  let next = 1;
  let own = plan.shared + 1;
  for (const disk of vmi.spec.domain.devices.disks ?? []) {
    if (busOf(disk) !== 'virtio') continue;
    if (plan.isPool) byDisk.set(disk.name, { iothreads: pool });
    else if (ownsThread(disk)) byDisk.set(disk.name, { iothread: own++ });
    else {
      byDisk.set(disk.name, { iothread: next });
      next = (next % plan.shared) + 1;
    }
  }
  return byDisk;
}

/** Thread and queues of the SCSI controller, if one of its disks requests a thread. */
export function scsiThread(vmi: VirtualMachineInstance): { iothread: number; queues: number } | undefined {
  const shared = iothreadsOf(vmi)?.shared ?? 0;
  const disks = vmi.spec.domain.devices.disks ?? [];
  if (shared === 0 || !disks.some((disk) => busOf(disk) === 'scsi' && ownsThread(disk))) return undefined;
  const before = disks.filter((disk) => busOf(disk) === 'virtio' && !ownsThread(disk)).length;
  return { iothread: (before % shared) + 1, queues: vcpus(vmi.spec.domain) || 1 };
}
