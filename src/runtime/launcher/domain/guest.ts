/** Properties of a VMI that several concerns read. */
import type { VirtualMachineInstance } from '../../../api';

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
