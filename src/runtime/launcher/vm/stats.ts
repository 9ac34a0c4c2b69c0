/** Statistics of the running guest: libvirt's, and those of the guest agent if it answers soon. */
import type {
  BlockStats,
  DomainState,
  DomainStats,
  MemoryStats,
  NetStats,
  PodInterface,
  VcpuState,
  VcpuStats,
} from '../../protocol';
import { boundStats } from '../../protocol/stats-bounds';
import { type AgentReport, readFilesystems } from '../guest-agent/agent';
import type { DomainRef, LibvirtClient, Stats } from '../libvirt/client';
import { StatsType } from '../libvirt/generated/enums';

/** Time that the agent gets: without it, the other statistics are sent alone. */
const AGENT_MS = 2_000;
const GROUPS = StatsType.CPU_TOTAL | StatsType.BALLOON | StatsType.VCPU | StatsType.INTERFACE | StatsType.BLOCK;

/** Names of the VMI for those of libvirt. */
export interface StatsNames {
  readonly nics: readonly Pick<PodInterface, 'network' | 'tap'>[];
  readonly disks: NonNullable<DomainState['volumes']>;
}

export interface StatsSource extends StatsNames {
  readonly client: LibvirtClient;
  readonly dom: DomainRef;
  readonly agent: AgentReport | undefined;
}

export async function readStats({ client, dom, agent, ...names }: StatsSource): Promise<DomainStats> {
  const ask = (command: string): Promise<unknown> =>
    agent?.supportedCommands.includes(command)
      ? within(client.agent(dom, command, undefined, AGENT_MS / 1000), AGENT_MS)
      : Promise.resolve(undefined);
  const [stats, filesystems, load] = await Promise.all([
    client.stats(dom, GROUPS),
    ask('guest-get-fsinfo'),
    ask('guest-get-load'),
  ]);
  return statsOf(stats, names, { filesystems, load });
}

/** Returns the statistics from the answers of libvirt and of the agent. Pure. */
export function statsOf(
  stats: Stats,
  { nics, disks }: StatsNames,
  { filesystems, load }: { readonly filesystems?: unknown; readonly load?: unknown } = {},
): DomainStats {
  const { load1m, load5m, load15m } = (load ?? {}) as Record<string, unknown>;
  return boundStats({
    cpu: {
      time: numberOf(stats['cpu.time']),
      user: numberOf(stats['cpu.user']),
      system: numberOf(stats['cpu.system']),
    },
    memory: memoryOf(stats),
    vcpus: vcpusOf(stats),
    nics: nicsOf(stats, nics),
    disks: disksOf(stats, disks),
    filesystems: readFilesystems(filesystems).items,
    load: [load1m, load5m, load15m],
  });
}

function memoryOf(stats: Stats): MemoryStats {
  const of = (name: string): number | undefined => numberOf(stats[`balloon.${name}`]);
  return {
    total: of('current'),
    balloon: of('current'),
    rss: of('rss'),
    available: of('available'),
    unused: of('unused'),
    usable: of('usable'),
    cached: of('disk_caches'),
    swapIn: of('swap_in'),
    swapOut: of('swap_out'),
    majorFaults: of('major_fault'),
    minorFaults: of('minor_fault'),
  };
}

const VCPU_STATES: readonly VcpuState[] = ['offline', 'running', 'blocked'];

/** vCPUs that can be added later have no time. */
function vcpusOf(stats: Stats): VcpuStats[] {
  return indices(numberOf(stats['vcpu.maximum'])).flatMap((id) => {
    const of = (name: string): number | undefined => numberOf(stats[`vcpu.${id}.${name}`]);
    const time = of('time');
    if (time === undefined) return [];
    return [{ id, state: VCPU_STATES[of('state') ?? NaN], time, wait: of('wait'), delay: of('delay') }];
  });
}

function nicsOf(stats: Stats, nics: StatsNames['nics']): NetStats[] {
  return indices(numberOf(stats['net.count'])).flatMap((index) => {
    const of = (name: string): number | undefined => numberOf(stats[`net.${index}.${name}`]);
    const name = nics.find(({ tap }) => tap && tap === stats[`net.${index}.name`])?.network;
    if (!name) return [];
    return [
      {
        name,
        rxBytes: of('rx.bytes'),
        rxPackets: of('rx.pkts'),
        rxErrors: of('rx.errs'),
        rxDropped: of('rx.drop'),
        txBytes: of('tx.bytes'),
        txPackets: of('tx.pkts'),
        txErrors: of('tx.errs'),
        txDropped: of('tx.drop'),
      },
    ];
  });
}

function disksOf(stats: Stats, disks: StatsNames['disks']): BlockStats[] {
  return indices(numberOf(stats['block.count'])).flatMap((index) => {
    const of = (name: string): number | undefined => numberOf(stats[`block.${index}.${name}`]);
    const name = disks.find(({ target }) => target === stats[`block.${index}.name`])?.name;
    if (!name) return [];
    return [
      {
        name,
        reads: of('rd.reqs'),
        readBytes: of('rd.bytes'),
        readTime: of('rd.times'),
        writes: of('wr.reqs'),
        writtenBytes: of('wr.bytes'),
        writeTime: of('wr.times'),
        flushes: of('fl.reqs'),
        flushTime: of('fl.times'),
      },
    ];
  });
}

const indices = (count = 0): number[] => Array.from({ length: count }, (_, i) => i);

const numberOf = (value: Stats[string] | undefined): number | undefined =>
  value === undefined || typeof value === 'string' ? undefined : Number(value);

/** The result, or undefined if it fails or takes longer. */
async function within(answer: Promise<unknown>, ms: number): Promise<unknown> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([answer.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
