/** CPUs that a guest sees. Pure. */
import type { DomainSpec } from './index';
import { quantityValue } from './quantity';

/** Maximum number of queues of a tap. */
const MOST_QUEUES = 256;

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
export function guestTopology(domain: DomainSpec): Topology {
  const { cores, sockets, threads, maxSockets } = domain.cpu ?? {};
  const isNamed = Boolean(cores || sockets || threads);
  const atBoot = isNamed ? sockets || 1 : socketsOfResources(domain);
  return { cores: cores || 1, sockets: atBoot, threads: threads || 1, maxSockets: maxSockets || atBoot };
}

/** vCPUs at boot. */
export function vcpus(domain: DomainSpec): number {
  const { sockets, cores, threads } = guestTopology(domain);
  return sockets * cores * threads;
}

/** Queues of each NIC on a tap: of the guest's driver, and so of the tap. Undefined if the VMI does not request several. */
export const networkQueues = (domain: DomainSpec): number | undefined =>
  domain.devices.networkInterfaceMultiqueue ? Math.min(vcpus(domain), MOST_QUEUES) : undefined;
