/** Guest memory: size at boot, maximum size, page size. */
import { keys } from '../../../api/keys';
import type { DomainSpec, VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { hasHugepages, sharesMemory } from './guest';
import { wholeBytesOf } from './quantity';
import { type Element, el } from './xml';

/** Bytes at boot: `memory.guest`, else the request, else the limit; 0 if the VMI sets none. */
export function guestBytes({ memory, resources }: DomainSpec): number {
  const quantity = memory?.guest ?? resources?.requests?.memory ?? resources?.limits?.memory;
  return quantity === undefined ? 0 : wholeBytesOf(quantity, 'spec.domain.memory.guest');
}

/** Bytes up to which memory can be hotplugged, if it can. */
function maximumBytes(domain: DomainSpec): number | undefined {
  const { guest, maxGuest } = domain.memory ?? {};
  if (maxGuest === undefined) return undefined;
  const maximum = wholeBytesOf(maxGuest, 'spec.domain.memory.maxGuest');
  return guest !== undefined && wholeBytesOf(guest, 'spec.domain.memory.guest') === maximum ? undefined : maximum;
}

/** Bytes of one huge page, if huge pages are used. */
export function hugepageBytes({ memory }: DomainSpec): number | undefined {
  const pageSize = memory?.hugepages?.pageSize;
  return pageSize === undefined ? undefined : wholeBytesOf(pageSize, 'spec.domain.memory.hugepages.pageSize');
}

/** Whether memory comes from a memfd. It requires a NUMA cell, which s390x does not have. */
export function usesMemfd(vmi: VirtualMachineInstance, { architecture }: DomainFacts): boolean {
  if (architecture === 's390x') return false;
  const hugepages = hasHugepages(vmi) && vmi.metadata.annotations?.[keys.memfd] !== 'false';
  return hugepages || sharesMemory(vmi);
}

/** `<memory>`, `<maxMemory>`. libvirt adds the NUMA cell that hotpluggable memory needs. */
export function memory({ spec }: VirtualMachineInstance): Element[] {
  const maximum = maximumBytes(spec.domain);
  return [
    el('memory', { unit: 'b' }, String(guestBytes(spec.domain))),
    ...(maximum === undefined ? [] : [el('maxMemory', { unit: 'b', slots: 0 }, String(maximum))]),
  ];
}
