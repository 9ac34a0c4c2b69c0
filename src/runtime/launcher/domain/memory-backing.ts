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
  const size = hugepageBytes(vmi.spec.domain);
  const pages = cells.map(({ id }) => el('page', { size, unit: 'b', nodeset: id }));
  return [
    el(
      'memoryBacking',
      {},
      hasHugepages(vmi) && el('hugepages', {}, ...pages),
      usesMemfd(vmi, facts) && el('source', { type: 'memfd' }),
      isShared && el('access', { mode: 'shared' }),
      cells.length > 0 && el('allocation', { mode: 'immediate' }),
      // pages that are merged or moved cost a realtime guest its deadlines
      cells.length > 0 && isRealtime(vmi) && el('nosharepages'),
    ),
  ];
}
