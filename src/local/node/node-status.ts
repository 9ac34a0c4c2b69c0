import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { availableParallelism, hostname, release } from 'node:os';
import type { Condition } from '../../api/meta';
import type { Node, Resources } from '../core-v1';

/** Facts about a node. */

export interface NodeFacts {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly kubeletPort: number;
  readonly cpus: number;
  /** Bytes. */
  readonly memory: number;
  readonly memoryAvailable: number;
  readonly disk: number;
  readonly diskAvailable: number;
  readonly nodeInfo: Record<string, string>;
  readonly extended: { readonly capacity: Resources; readonly allocatable: Resources };
  readonly labels: Record<string, string>;
}

const MAX_PODS = 250;
/** Resources reserved for the engine and the host. */
const RESERVED_MEMORY = 256 << 20;
const RESERVED_DISK = 1 << 30;
/** The kubelet's thresholds are 100 MiB and a tenth of the disk; a tenth of a developer's disk is too much. */
const MEMORY_PRESSURE = 100 << 20;
const DISK_PRESSURE = 1 << 30;

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
export const architecture = (): string => ARCHITECTURES[process.arch] ?? process.arch;

export async function gatherFacts(
  stateDir: string,
): Promise<Pick<NodeFacts, 'cpus' | 'memory' | 'memoryAvailable' | 'disk' | 'diskAvailable' | 'nodeInfo'>> {
  const memory = readFileSync('/proc/meminfo', 'utf8');
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(memory)?.[1] ?? 0) * 1024;
  const disk = await statfs(stateDir);
  return {
    cpus: availableParallelism(),
    memory: kib('MemTotal'),
    memoryAvailable: kib('MemAvailable'),
    disk: disk.blocks * disk.bsize,
    diskAvailable: disk.bavail * disk.bsize,
    nodeInfo: nodeInfo(),
  };
}

function nodeInfo(): Record<string, string> {
  const text = (path: string): string => {
    try {
      return readFileSync(path, 'utf8').trim();
    } catch {
      return '';
    }
  };
  return {
    machineID: text('/etc/machine-id'),
    systemUUID: text('/sys/class/dmi/id/product_uuid') || text('/etc/machine-id'),
    bootID: text('/proc/sys/kernel/random/boot_id'),
    kernelVersion: release(),
    osImage: /^PRETTY_NAME="?(.*?)"?$/m.exec(text('/etc/os-release'))?.[1] ?? 'Linux',
    containerRuntimeVersion: 'crun://1',
    kubeletVersion: 'v1.36.0-virt8s',
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: architecture(),
  };
}

export const nodeLabels = (name: string): Record<string, string> => ({
  'kubernetes.io/arch': architecture(),
  'kubernetes.io/os': 'linux',
  'kubernetes.io/hostname': name,
  'beta.kubernetes.io/arch': architecture(),
  'beta.kubernetes.io/os': 'linux',
});

export const hostName = (): string => hostname().toLowerCase();

/** Computes the node's status from facts; `known` is the former status. Pure. */
export function nodeStatus(facts: NodeFacts, known: Node['status'], now: string): NonNullable<Node['status']> {
  const ki = (bytes: number): string => `${Math.floor(bytes / 1024)}Ki`;
  return {
    capacity: {
      cpu: String(facts.cpus),
      memory: ki(facts.memory),
      'ephemeral-storage': ki(facts.disk),
      pods: String(MAX_PODS),
      ...facts.extended.capacity,
    },
    allocatable: {
      cpu: String(facts.cpus),
      memory: ki(Math.max(0, facts.memory - RESERVED_MEMORY)),
      'ephemeral-storage': ki(Math.max(0, facts.disk - RESERVED_DISK)),
      pods: String(MAX_PODS),
      ...facts.extended.allocatable,
    },
    addresses: [
      ...facts.addresses.map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: facts.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: facts.kubeletPort } },
    nodeInfo: facts.nodeInfo,
    conditions: nodeConditions(facts, known?.conditions ?? [], now),
  };
}

function nodeConditions(facts: NodeFacts, known: readonly Condition[], now: string): Condition[] {
  const make = (type: string, on: boolean, reason: string, message: string): Condition => {
    const status = on ? 'True' : 'False';
    const before = known.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
    return { type, status, lastHeartbeatTime: now, lastTransitionTime, reason, message } as Condition;
  };
  const memory = facts.memoryAvailable < MEMORY_PRESSURE;
  const disk = facts.diskAvailable < Math.min(DISK_PRESSURE, facts.disk / 10);
  return [
    make(
      'MemoryPressure',
      memory,
      memory ? 'KubeletHasInsufficientMemory' : 'KubeletHasSufficientMemory',
      memory ? 'kubelet has insufficient memory available' : 'kubelet has sufficient memory available',
    ),
    make(
      'DiskPressure',
      disk,
      disk ? 'KubeletHasDiskPressure' : 'KubeletHasNoDiskPressure',
      disk ? 'kubelet has disk pressure' : 'kubelet has no disk pressure',
    ),
    make('PIDPressure', false, 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    make('Ready', true, 'KubeletReady', 'kubelet is posting ready status'),
  ];
}
