/** What several concerns ask of a VMI. */
import type { DomainSpec, VirtualMachineInstance } from '../../../api';
import { quantityValue } from '../../../api/quantity';

export interface Topology {
  sockets: number;
  cores: number;
  threads: number;
  /** Sockets that can exist; the rest are plugged in later. */
  maxSockets: number;
}

/** CPUs of the resources, which become sockets where the VMI names no topology. */
function socketsOfResources({ resources }: DomainSpec): number {
  const cpus = resources?.limits?.cpu ?? resources?.requests?.cpu;
  return cpus === undefined ? 1 : Number(quantityValue(cpus));
}

/** The topology that the guest sees, 1 where the VMI says nothing. */
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

/** The guest gets the node's NUMA layout. */
export const hasNumaPassthrough = ({ spec }: VirtualMachineInstance): boolean =>
  Boolean(spec.domain.cpu?.numa?.guestMappingPassthrough);

export const hasHugepages = ({ spec }: VirtualMachineInstance): boolean => Boolean(spec.domain.memory?.hugepages);

/** Another process reads the guest's memory: virtiofsd, or passt by vhost-user. */
export function sharesMemory({ spec }: VirtualMachineInstance): boolean {
  const { filesystems = [], interfaces = [] } = spec.domain.devices;
  return filesystems.some(({ virtiofs }) => virtiofs) || interfaces.some(({ passtBinding }) => passtBinding);
}

/** Is the guest booted by UEFI? */
export const isUefi = ({ spec }: VirtualMachineInstance): boolean => Boolean(spec.domain.firmware?.bootloader?.efi);
