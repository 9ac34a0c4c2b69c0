/** Backing of guest memory, and which processes may access it. */
import type { VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { hasHugepages, isRealtime, sharesMemory } from './guest';
import { hugepageBytes, usesMemfd } from './memory';
import type { GuestCell } from './numa';
import { type Element, el } from './xml';

/** `<memoryBacking>`. */
export function memoryBacking(vmi: VirtualMachineInstance, facts: DomainFacts, cells: readonly GuestCell[]): Element[] {
  const isShared = sharesMemory(vmi);
  if (!hasHugepages(vmi) && !isShared) return [];
  const page = ({ id }: GuestCell): Element =>
    el('page', { size: hugepageBytes(vmi.spec.domain), unit: 'b', nodeset: id });
  return [
    el(
      'memoryBacking',
      {},
      // the size is that of the Pod's mount unless the guest has cells
      hasHugepages(vmi) && el('hugepages', {}, ...cells.map(page)),
      usesMemfd(vmi, facts) && el('source', { type: 'memfd' }),
      isShared && el('access', { mode: 'shared' }),
      cells.length > 0 && el('allocation', { mode: 'immediate' }),
      // merging or moving pages would make a realtime guest miss its deadlines
      cells.length > 0 && isRealtime(vmi) && el('nosharepages'),
    ),
  ];
}
