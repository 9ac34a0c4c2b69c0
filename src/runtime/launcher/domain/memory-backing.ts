/** Where guest memory comes from, and who may see it. */
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
      // whose size is that of the Pod's mount, unless the guest's cells are named
      hasHugepages(vmi) && el('hugepages', {}, ...cells.map(page)),
      usesMemfd(vmi, facts) && el('source', { type: 'memfd' }),
      isShared && el('access', { mode: 'shared' }),
      cells.length > 0 && el('allocation', { mode: 'immediate' }),
      // pages that are merged or moved cost a realtime guest its deadlines
      cells.length > 0 && isRealtime(vmi) && el('nosharepages'),
    ),
  ];
}
