/** Guest memory: how much at boot, how much at most, on which pages. */
import type { DomainSpec } from '../../../api';
import type { DomainFacts } from './facts';
import { bytesOf } from './quantity';
import { DomainError, only } from './unsupported';
import { type Element, el } from './xml';

/** Below this a guest kernel can die of the tables that hotpluggable memory costs; upstream's limit too. */
const HOTPLUG_MINIMUM = 2 ** 30;

/** Bytes that the guest boots with: `memory.guest`, else the request, else the limit. */
export function guestBytes(domain: DomainSpec): number {
  const { memory, resources } = domain;
  const quantity = memory?.guest ?? resources?.requests?.memory ?? resources?.limits?.memory;
  if (quantity === undefined) {
    throw new DomainError('spec.domain.memory.guest', 'the VM has no memory size', 'set it, for example to 512Mi');
  }
  const bytes = bytesOf(quantity, 'spec.domain.memory.guest');
  if (bytes < 2 ** 20)
    throw new DomainError('spec.domain.memory.guest', `${quantity} is too small`, 'use 16Mi or more');
  return bytes;
}

/** Bytes up to which memory can be plugged in, if it can. */
function maximumBytes(domain: DomainSpec, guest: number): number | undefined {
  const quantity = domain.memory?.maxGuest;
  if (quantity === undefined || guest < HOTPLUG_MINIMUM) return undefined;
  const maximum = bytesOf(quantity, 'spec.domain.memory.maxGuest');
  return maximum > guest ? maximum : undefined;
}

/** `<memory>`, `<maxMemory>`, `<memoryBacking>`. */
export function memory(domain: DomainSpec, _facts: DomainFacts): Element[] {
  only(domain.memory, 'spec.domain.memory', ['guest', 'maxGuest', 'hugepages', 'reservedOverhead']);
  const guest = guestBytes(domain);
  const maximum = maximumBytes(domain, guest);
  const pageSize = domain.memory?.hugepages?.pageSize;
  const page = pageSize === undefined ? undefined : bytesOf(pageSize, 'spec.domain.memory.hugepages.pageSize');
  if (page !== undefined && guest % page !== 0) {
    throw new DomainError(
      'spec.domain.memory.hugepages.pageSize',
      `${guest} bytes are not a multiple of ${pageSize}`,
      'make memory.guest a multiple of the page size',
    );
  }
  return [
    el('memory', { unit: 'b' }, String(guest)),
    ...(maximum === undefined ? [] : [el('maxMemory', { unit: 'b', slots: 0 }, String(maximum))]),
    ...(page === undefined
      ? []
      : [el('memoryBacking', {}, el('hugepages', {}, el('page', { size: page, unit: 'b', nodeset: '0' })))]),
  ];
}

/** Whether the guest needs a NUMA cell: libvirt wants one for hugepages by node and for pluggable memory. */
export function needsNumaCell(domain: DomainSpec): boolean {
  return domain.memory?.hugepages !== undefined || maximumBytes(domain, guestBytes(domain)) !== undefined;
}
