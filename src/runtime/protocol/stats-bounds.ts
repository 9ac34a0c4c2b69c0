import { bounded, boundFilesystems, LIMITS } from './bounds';
import type { DomainStats, FilesystemStats, VcpuState } from './domain-stats';
import { plainText } from '../../api/plain-text';

/**
 * Limits the statistics of guests and launchers as `bounds.ts` limits their states: in the launcher, so that they fit into a
 * message, and again in the handler.
 */

export const STATS_LIMITS = {
  vcpus: 512,
  disks: LIMITS.volumes,
  nics: LIMITS.interfaces,
  filesystems: LIMITS.filesystems,
} as const;

/** Longest statistics that are parsed. The largest ones that this file permits have less. */
export const MAX_STATS_CHARACTERS = 192 << 10;

const CPU = ['time', 'user', 'system'] as const;
const MEMORY = [
  ...(['total', 'balloon', 'rss', 'available', 'unused', 'usable', 'cached'] as const),
  ...(['swapIn', 'swapOut', 'majorFaults', 'minorFaults'] as const),
];
const VCPU = ['time', 'wait', 'delay'] as const;
const NIC = [
  ...(['rxBytes', 'rxPackets', 'rxErrors', 'rxDropped'] as const),
  ...(['txBytes', 'txPackets', 'txErrors', 'txDropped'] as const),
];
const DISK = [
  ...(['reads', 'readBytes', 'readTime', 'writes', 'writtenBytes', 'writeTime'] as const),
  ...(['flushes', 'flushTime'] as const),
];
const VCPU_STATES: readonly VcpuState[] = ['offline', 'running', 'blocked'];

type Json = Record<string, unknown>;

/** Statistics with known fields of the right types only. Never throws. */
export function boundStats(value: unknown): DomainStats {
  const raw = objectOf(value) ?? {};
  const { cpu, memory } = { cpu: objectOf(raw.cpu), memory: objectOf(raw.memory) };
  const named = <K extends string>(list: unknown, max: number, keys: readonly K[]) =>
    bounded(list, max, (entry) => {
      const name = typeof entry.name === 'string' ? plainText(entry.name, LIMITS.word) : '';
      return name ? { name, ...amounts(entry, keys) } : undefined;
    }).items;
  return {
    ...(cpu && { cpu: amounts(cpu, CPU) }),
    ...(memory && { memory: amounts(memory, MEMORY) }),
    vcpus: bounded(raw.vcpus, STATS_LIMITS.vcpus, (vcpu) => {
      const id = amount(vcpu.id);
      const state = VCPU_STATES.find((known) => known === vcpu.state);
      return id === undefined ? undefined : { id, ...(state && { state }), ...amounts(vcpu, VCPU) };
    }).items,
    nics: named(raw.nics, STATS_LIMITS.nics, NIC),
    disks: named(raw.disks, STATS_LIMITS.disks, DISK),
    filesystems: filesystemsOf(raw.filesystems),
    ...loadOf(raw.load),
  };
}

/** Their disks are not part of any metric. */
function filesystemsOf(value: unknown): FilesystemStats[] {
  const { items } = boundFilesystems(value) as { items: (FilesystemStats & { disk?: unknown })[] };
  return items.map(({ disk: _, ...filesystem }) => ({
    ...filesystem,
    usedBytes: Math.max(0, filesystem.usedBytes),
    totalBytes: Math.max(0, filesystem.totalBytes),
  }));
}

function loadOf(value: unknown): { load?: [number, number, number] } {
  if (!Array.isArray(value)) return {};
  const numbers = value.slice(0, 3).filter((each) => typeof each === 'number' && Number.isFinite(each) && each >= 0);
  return numbers.length === 3 ? { load: numbers as [number, number, number] } : {};
}

function amounts<K extends string>(from: Json, keys: readonly K[]): { [key in K]?: number } {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = amount(from[key]);
      return value === undefined ? [] : [[key, value]];
    }),
  ) as { [key in K]?: number };
}

/** A counter of libvirt may exceed the integers that a number represents exactly; its last digits do not matter. */
const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
