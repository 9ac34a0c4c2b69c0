/** Properties of a VMI that several concerns read. */
import type { DomainSpec, VirtualMachineInstance } from '../../../api';
import { quantityValue } from '../../../api/quantity';

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

export const hasDedicatedCpus = ({ spec }: VirtualMachineInstance): boolean =>
  spec.domain.cpu?.dedicatedCpuPlacement === true;

export const isRealtime = ({ spec }: VirtualMachineInstance): boolean => Boolean(spec.domain.cpu?.realtime);

/** Whether the guest gets the node's NUMA layout. */
export const hasNumaPassthrough = ({ spec }: VirtualMachineInstance): boolean =>
  Boolean(spec.domain.cpu?.numa?.guestMappingPassthrough);

export const hasHugepages = ({ spec }: VirtualMachineInstance): boolean => Boolean(spec.domain.memory?.hugepages);

/** Whether another process reads the guest's memory: virtiofsd, or passt by vhost-user. */
export function sharesMemory({ spec }: VirtualMachineInstance): boolean {
  const { filesystems = [], interfaces = [] } = spec.domain.devices;
  return filesystems.some(({ virtiofs }) => virtiofs) || interfaces.some(({ passtBinding }) => passtBinding);
}

/** Whether the guest boots by UEFI. */
export const isUefi = ({ spec }: VirtualMachineInstance): boolean => Boolean(spec.domain.firmware?.bootloader?.efi);
