import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeContext } from '../pods/context';
import type { PodManager } from '../pods/manager';
import { cpuRate, sampleCgroup, sampleMachine } from './usage';
import type { Sample } from './usage';

interface Cpu {
  readonly time: string;
  readonly usageNanoCores: number;
  readonly usageCoreNanoSeconds: number;
}
interface Memory {
  readonly time: string;
  readonly usageBytes: number;
  readonly workingSetBytes: number;
  readonly availableBytes?: number;
}
interface ContainerStats {
  readonly name: string;
  readonly startTime: string;
  readonly cpu: Cpu;
  readonly memory: Memory;
}
interface PodStats {
  readonly podRef: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly startTime: string;
  readonly containers: readonly ContainerStats[];
  readonly cpu: Cpu;
  readonly memory: Memory;
}

/** Answer to `/stats/summary`, as in the kubelet. */
export interface Summary {
  readonly node: { readonly nodeName: string; readonly startTime: string; readonly cpu: Cpu; readonly memory: Memory };
  readonly pods: readonly PodStats[];
}

/** Time between the samples of an average, at least and at most. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 60_000;
/** Age at which a sample replaces the start of the next average. */
const WINDOW_MS = 15_000;
const MACHINE = '';

/**
 * Measures the containers of the node, only when asked: an idle node measures nothing. An average starts at an earlier
 * question, or the question waits for a second.
 */
export class Stats {
  private starts = new Map<string, Sample>();
  private measuring?: Promise<Summary>;
  private readonly startTime = new Date().toISOString();

  public constructor(
    private readonly context: NodeContext,
    private readonly manager: Pick<PodManager, 'pods'>,
  ) {}

  /** Concurrent questions share one measurement. */
  public summary(): Promise<Summary> {
    this.measuring ??= this.measure().finally(() => (this.measuring = undefined));
    return this.measuring;
  }

  private async measure(): Promise<Summary> {
    const now = Date.now();
    const first = this.samples(now);
    for (const [key, start] of this.starts)
      if (now - start.time > LONGEST_MS || !first.has(key)) this.starts.delete(key);
    const fresh = [...first].filter(([key]) => !this.starts.has(key));
    for (const [key, sample] of fresh) this.starts.set(key, sample);
    const youngest = Math.max(...[...this.starts.values()].map(({ time }) => time));
    const wait = youngest + SHORTEST_MS - now;
    if (wait > 0) await sleep(wait);
    const last = wait > 0 ? this.samples(Date.now()) : first;
    const summary = this.render(last);
    for (const [key, sample] of last) {
      if (sample.time - (this.starts.get(key)?.time ?? 0) > WINDOW_MS) this.starts.set(key, sample);
    }
    return summary;
  }

  /** Samples of the machine and of all running containers, by container id. */
  private samples(now: number): Map<string, Sample> {
    const { records, cgroupParent } = this.context;
    const found = new Map<string, Sample>([[MACHINE, sampleMachine(now)]]);
    for (const { id, podUid, startedAt, exit } of records.all()) {
      const sample = startedAt && !exit ? sampleCgroup(`${cgroupParent}/pod${podUid}/${id}`, now) : undefined;
      if (sample) found.set(id, sample);
    }
    return found;
  }

  private render(samples: ReadonlyMap<string, Sample>): Summary {
    const { records, nodeName, memoryCapacity } = this.context;
    const machine = samples.get(MACHINE) as Sample;
    const availableBytes = Math.max(0, memoryCapacity() - machine.workingSet);
    const pods = this.manager.pods().flatMap(({ metadata, status }): PodStats[] => {
      const uid = metadata.uid ?? '';
      const containers = records.ofPod(uid).flatMap(({ id, name, startedAt = '' }): ContainerStats[] => {
        const sample = samples.get(id);
        return sample ? [{ name, startTime: startedAt, ...this.usage(id, sample) }] : [];
      });
      const podRef = { name: metadata.name ?? '', namespace: metadata.namespace ?? '', uid };
      return containers.length
        ? [{ podRef, startTime: status?.startTime ?? '', containers, ...total(containers) }]
        : [];
    });
    const { cpu, memory } = this.usage(MACHINE, machine);
    return { node: { nodeName, startTime: this.startTime, cpu, memory: { ...memory, availableBytes } }, pods };
  }

  private usage(key: string, sample: Sample): { cpu: Cpu; memory: Memory } {
    const time = new Date(sample.time).toISOString();
    const usageNanoCores = cpuRate(this.starts.get(key) ?? sample, sample);
    return {
      cpu: { time, usageNanoCores, usageCoreNanoSeconds: sample.cpu },
      memory: { time, usageBytes: sample.memory, workingSetBytes: sample.workingSet },
    };
  }
}

/** Consumption of a Pod: the sum of its containers. */
function total(containers: readonly ContainerStats[]): { cpu: Cpu; memory: Memory } {
  const sum = (value: (stats: ContainerStats) => number): number =>
    containers.reduce((all, one) => all + value(one), 0);
  const time = containers[0]?.cpu.time ?? '';
  return {
    cpu: {
      time,
      usageNanoCores: sum(({ cpu }) => cpu.usageNanoCores),
      usageCoreNanoSeconds: sum(({ cpu }) => cpu.usageCoreNanoSeconds),
    },
    memory: {
      time,
      usageBytes: sum(({ memory }) => memory.usageBytes),
      workingSetBytes: sum(({ memory }) => memory.workingSetBytes),
    },
  };
}

/** The summary in the text format of Prometheus (`/metrics/resource`). */
export function resourceMetrics({ node, pods }: Summary): string {
  const lines: string[] = [];
  const metric = (name: string, type: string, help: string, rows: readonly (readonly [string, number])[]): void => {
    lines.push(`# HELP ${name} [STABLE] ${help}`, `# TYPE ${name} ${type}`);
    for (const [labels, value] of rows) lines.push(`${name}${labels} ${value}`);
  };
  const containers = pods.flatMap(({ podRef, containers: own }) =>
    own.map((container) => {
      const labels = `{container="${container.name}",namespace="${podRef.namespace}",pod="${podRef.name}"}`;
      return { labels, ...container };
    }),
  );
  const named = pods.map(({ podRef: { namespace, name }, ...pod }) => ({
    labels: `{namespace="${namespace}",pod="${name}"}`,
    ...pod,
  }));
  type Row = { labels: string; cpu: Cpu; memory: Memory };
  const cpu = (rows: readonly Row[]) => rows.map((row) => [row.labels, row.cpu.usageCoreNanoSeconds / 1e9] as const);
  const memory = (rows: readonly Row[]) => rows.map((row) => [row.labels, row.memory.workingSetBytes] as const);
  const whole = [{ labels: '', ...node }];
  const seconds = 'Cumulative cpu time consumed by the';
  const bytes = 'Current working set of the';
  metric('container_cpu_usage_seconds_total', 'counter', `${seconds} container in core-seconds`, cpu(containers));
  metric('container_memory_working_set_bytes', 'gauge', `${bytes} container in bytes`, memory(containers));
  metric(
    'container_start_time_seconds',
    'gauge',
    'Start time of the container since unix epoch in seconds',
    containers.map(({ labels, startTime }) => [labels, Date.parse(startTime) / 1000]),
  );
  metric('node_cpu_usage_seconds_total', 'counter', `${seconds} node in core-seconds`, cpu(whole));
  metric('node_memory_working_set_bytes', 'gauge', `${bytes} node in bytes`, memory(whole));
  metric('pod_cpu_usage_seconds_total', 'counter', `${seconds} pod in core-seconds`, cpu(named));
  metric('pod_memory_working_set_bytes', 'gauge', `${bytes} pod in bytes`, memory(named));
  metric('resource_scrape_error', 'gauge', '1 if there was an error while getting container metrics, 0 otherwise', [
    ['', 0],
  ]);
  return `${lines.join('\n')}\n`;
}
