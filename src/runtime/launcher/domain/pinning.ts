/** Dedicated CPUs: the CPU of the node that runs each vCPU, emulator thread and disk thread. */
import { EMULATOR_EVEN_PARITY } from '../../../api/constants';
import { guestTopology } from '../../../api/cpu-topology';
import { namedVcpus } from '../../../api/defaulting/cpu';
import type { VirtualMachineInstance } from '../../../api';
import { cpuPool, type CpuPool } from './cpu-pool';
import { DomainError } from './error';
import type { DomainFacts } from './facts';
import { hasDedicatedCpus, hasNumaPassthrough } from './guest';
import { iothreadsOf } from './iothreads';
import { type Element, el } from './xml';

/** CPUs of the node. */
export interface Pins {
  /** One entry per vCPU. */
  vcpus: readonly number[];
  emulator?: readonly number[];
  /** One entry per disk thread, beginning with thread 1. */
  iothreads: readonly (readonly number[])[];
}

function one(pool: CpuPool, what: string): number {
  const cpu = pool.take();
  if (cpu !== undefined) return cpu;
  throw new DomainError('spec.domain.cpu', `the Pod has no CPU left for ${what}`, 'wait for a Pod with more CPUs');
}

function emulatorPins(vmi: VirtualMachineInstance, pool: CpuPool, pinned: number): number[] {
  const isCompleted = vmi.metadata.annotations?.[EMULATOR_EVEN_PARITY] !== undefined && pinned % 2 === 0;
  return Array.from({ length: isCompleted ? 2 : 1 }, () => one(pool, 'the emulator'));
}

/** Distributes `count` threads over the CPUs: one CPU each while there are enough, else slices of equal size. */
function spread(count: number, cpuSet: readonly number[], vcpus: number): number[][] {
  if (count >= vcpus) return Array.from({ length: count }, (_, i) => [cpuSet[(i + 1) % vcpus]!]);
  const [least, longer] = [Math.floor(vcpus / count), vcpus % count];
  const start = (i: number): number => i * least + Math.min(i, longer);
  return Array.from({ length: count }, (_, i) => cpuSet.slice(start(i), start(i + 1)));
}

/** Pins of a VMI with dedicated CPUs; undefined for other VMIs. */
export function pinsOf(vmi: VirtualMachineInstance, facts: DomainFacts): Pins | undefined {
  if (!hasDedicatedCpus(vmi)) return undefined;
  const { domain } = vmi.spec;
  const { sockets, cores, threads } = guestTopology(domain);
  const topology = facts.topology ?? { cells: [] };
  const pool = cpuPool(facts.cpuSet, topology, { threadsPerCore: threads, mayCrossCells: !hasNumaPassthrough(vmi) });
  const vcpus = pool.takeCores(sockets * cores);
  if (!vcpus) {
    const wanted = sockets * cores * threads;
    throw new DomainError(
      'spec.domain.cpu',
      `${wanted} vCPUs do not fit on the ${facts.cpuSet.length} CPUs of the Pod`,
      hasNumaPassthrough(vmi) ? 'use fewer threads per core, or fewer vCPUs' : 'wait for a Pod with more CPUs',
    );
  }
  const plan = iothreadsOf(vmi);
  const named = namedVcpus(domain.cpu!);
  const pooled = plan?.isPool ? Array.from({ length: plan.count }, () => [one(pool, 'a disk thread')]) : [];
  const isIsolated = domain.cpu?.isolateEmulatorThread === true;
  const emulator = isIsolated ? emulatorPins(vmi, pool, named + pooled.length) : undefined;
  if (!plan || plan.isPool) return { vcpus, emulator, iothreads: pooled };
  // the emulator's CPU is idle most of the time, so it also runs the disks' thread
  return { vcpus, emulator, iothreads: emulator ? [emulator] : spread(plan.count, facts.cpuSet, named) };
}

/** `<cputune>`. */
export function cputune(pins: Pins | undefined): Element[] {
  if (!pins) return [];
  return [
    el(
      'cputune',
      {},
      ...pins.vcpus.map((cpu, vcpu) => el('vcpupin', { vcpu, cpuset: cpu })),
      ...pins.iothreads.map((cpus, i) => el('iothreadpin', { iothread: i + 1, cpuset: cpus.join(',') })),
      pins.emulator && el('emulatorpin', { cpuset: pins.emulator.join(',') }),
    ),
  ];
}
