/** CPUs that a guest sees. Pure. */
import type { DomainSpec } from './index';
import { quantityValue } from './quantity';

export interface Topology {
  sockets: number;
  cores: number;
  threads: number;
  /** Maximum number of sockets; those that are not present at boot are hotplugged. */
  maxSockets: number;
}

/** CPUs in the resources, which become sockets if the VMI sets no topology. */
function socketsOfResources({ resources }: DomainSpec): number {
  const cpus = resources?.limits?.cpu ?? resources?.requests?.cpu;
  return cpus === undefined ? 1 : Number(quantityValue(cpus));
}

/** Topology that the guest sees; unset fields are 1. */
export function topologyOf(domain: DomainSpec): Topology {
  const { cores, sockets, threads, maxSockets } = domain.cpu ?? {};
  const isNamed = Boolean(cores || sockets || threads);
  const atBoot = isNamed ? sockets || 1 : socketsOfResources(domain);
  return { cores: cores || 1, sockets: atBoot, threads: threads || 1, maxSockets: maxSockets || atBoot };
}

/** vCPUs at boot. */
export function vcpus(domain: DomainSpec): number {
  const { sockets, cores, threads } = topologyOf(domain);
  return sockets * cores * threads;
}
