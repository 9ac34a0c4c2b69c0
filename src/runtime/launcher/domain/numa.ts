/** The node's NUMA layout in the guest: the cells that its vCPUs are pinned to, with equal shares of memory. */
import type { VirtualMachineInstance } from '../../../api';
import { DomainError } from './error';
import type { DomainFacts, NodeCell } from './facts';
import { hasNumaPassthrough } from './guest';
import { guestBytes, hugepageBytes } from './memory';
import type { Pins } from './pinning';
import { type Element, el } from './xml';

/** A cell of the guest. */
export interface GuestCell {
  id: number;
  /** The node's cell that it corresponds to. */
  node: NodeCell;
  vcpus: readonly number[];
  bytes: number;
}

/** Whole huge pages per cell; the first cells get the remainder. */
function shares(vmi: VirtualMachineInstance, cells: number): number[] {
  const { domain } = vmi.spec;
  const page = hugepageBytes(domain);
  const at = 'spec.domain.memory';
  if (page === undefined) {
    throw new DomainError('spec.domain.cpu.numa', 'a NUMA layout needs huge pages', 'set memory.hugepages.pageSize');
  }
  const bytes = guestBytes(domain);
  if (bytes < cells * page) {
    const remedy = `use at least ${cells * page} bytes`;
    throw new DomainError(at, `${bytes} bytes are less than one huge page for each of ${cells} NUMA cells`, remedy);
  }
  if (bytes % page !== 0) {
    throw new DomainError(at, `${bytes} bytes are not a multiple of the page size`, `use a multiple of ${page}`);
  }
  const pages = bytes / page;
  return Array.from({ length: cells }, (_, i) => (Math.floor(pages / cells) + (i < pages % cells ? 1 : 0)) * page);
}

/** The guest's cells, in the node's order; empty if the guest has no layout or the node's is unknown. */
export function guestCells(vmi: VirtualMachineInstance, facts: DomainFacts, pins: Pins | undefined): GuestCell[] {
  const cells = facts.topology?.cells ?? [];
  if (!pins || !hasNumaPassthrough(vmi) || cells.length === 0) return [];
  const vcpusOn = ({ cpus }: NodeCell): number[] =>
    pins.vcpus.flatMap((cpu, vcpu) => (cpus.some(({ id }) => id === cpu) ? [vcpu] : []));
  const used = cells.map((node) => ({ node, vcpus: vcpusOn(node) })).filter(({ vcpus }) => vcpus.length > 0);
  const bytes = shares(vmi, used.length);
  return used.map((cell, id) => ({ ...cell, id, bytes: bytes[id]! }));
}

/** `<cell>` elements of `<cpu><numa>`. */
export function numaCells(cells: readonly GuestCell[]): Element[] {
  const siblings = ({ distances = [] }: NodeCell): Element[] =>
    distances.flatMap(({ id, value }) => {
      const sibling = cells.find(({ node }) => node.id === id);
      return sibling ? [el('sibling', { id: sibling.id, value })] : [];
    });
  return cells.map(({ id, node, vcpus, bytes }) => {
    const near = siblings(node);
    const distances = near.length > 0 && el('distances', {}, ...near);
    return el('cell', { id, cpus: vcpus.join(','), memory: bytes, unit: 'b' }, distances);
  });
}

/** `<numatune>`: each cell's memory comes from the corresponding cell of the node. */
export function numatune(cells: readonly GuestCell[]): Element[] {
  if (cells.length === 0) return [];
  const mode = 'strict';
  return [
    el(
      'numatune',
      {},
      el('memory', { mode, nodeset: cells.map(({ node }) => node.id).join(',') }),
      ...cells.map(({ id, node }) => el('memnode', { cellid: id, mode, nodeset: node.id })),
    ),
  ];
}
