import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { readCgroup } from '../runtime/cgroups';

/** Consumption up to one moment. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Cumulative CPU time in nanoseconds. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
  /** Memory without files that the kernel can drop at once. */
  readonly workingSet: number;
}

/** Consumption of a cgroup, or undefined if it does not exist. */
export function sampleCgroup(path: string, time: number): Sample | undefined {
  const cpu = cpuOf(readCgroup('cpuacct', path, 'cpuacct.usage'), readCgroup('', path, 'cpu.stat'));
  const memory = readCgroup('memory', path, 'memory.usage_in_bytes') ?? readCgroup('', path, 'memory.current');
  if (cpu === undefined || memory === undefined) return undefined;
  const stat = readCgroup('memory', path, 'memory.stat') ?? readCgroup('', path, 'memory.stat') ?? '';
  const inactive = Number(/^(?:total_inactive_file|inactive_file) (\d+)$/m.exec(preferTotal(stat))?.[1] ?? 0);
  return { time, cpu, memory: Number(memory), workingSet: Math.max(0, Number(memory) - inactive) };
}

/** Version 1 lists the values of a cgroup without and with its children; version 2 only with them. */
const preferTotal = (stat: string): string =>
  /^total_inactive_file /m.test(stat) ? stat.replace(/^inactive_file .*$/m, '') : stat;

function cpuOf(nanoseconds: string | undefined, stat: string | undefined): number | undefined {
  if (nanoseconds !== undefined) return Number(nanoseconds);
  const micro = /^usage_usec (\d+)$/m.exec(stat ?? '')?.[1];
  return micro === undefined ? undefined : Number(micro) * 1000;
}

/** Nanoseconds of a tick of /proc/stat. */
const TICK = 10_000_000;

/** Consumption of the whole machine. */
export function sampleMachine(time: number): Sample {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    ?.split(/\s+/)
    .map(Number) as number[];
  const meminfo = readFileSync('/proc/meminfo', 'utf8');
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(meminfo)?.[1] ?? 0) * 1024;
  const total = bytes('MemTotal');
  return {
    time,
    cpu: (user + nice + system + irq + softirq + steal) * TICK,
    memory: total - bytes('MemFree'),
    workingSet: total - bytes('MemAvailable'),
  };
}

/** Average CPU use between two samples in nanoseconds per second; limited to the machine's cores. */
export function cpuRate(from: Sample, to: Sample, cores = availableParallelism()): number {
  const elapsed = to.time - from.time;
  if (elapsed <= 0) return 0;
  return Math.round(Math.min(Math.max(0, (to.cpu - from.cpu) / elapsed) * 1000, cores * 1e9));
}
