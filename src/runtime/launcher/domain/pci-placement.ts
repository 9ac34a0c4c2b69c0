/** Explicit places on the guest's PCI bus, where libvirt's choice does not fit. */
import { keys } from '../../../api/keys';
import type { VirtualMachineInstance } from '../../../api';
import { DomainError } from './error';
import type { DomainFacts } from './facts';
import { hasDedicatedCpus, hasNumaPassthrough } from './guest';
import { guestBytes, usesMemfd } from './memory';
import type { GuestCell } from './numa';
import { childOf, pciDevices, withChild } from './pci-devices';
import type { Pins } from './pinning';
import { type Element, el } from './xml';

const hex = (value: number): string => `0x${value.toString(16).padStart(2, '0')}`;

const address = (bus: string, slot: number): Element =>
  el('address', { type: 'pci', domain: '0x0000', bus, slot: hex(slot), function: '0x0' });

/** The root complex's own devices: host bridge and display, sound, SATA and its companions. */
const RESERVED_SLOTS = [0x00, 0x01, 0x1b, 0x1f];
const SLOTS = 0x20;

/** Puts every device directly on the root complex: guests that number their NICs by slot rely on it. */
function onRootComplex(devices: readonly Element[]): Element[] {
  const free = Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => !RESERVED_SLOTS.includes(slot));
  const placed = [...devices];
  for (const i of pciDevices(devices)) {
    if (childOf(placed[i]!, 'address')?.attributes.domain) continue;
    const slot = free.shift();
    if (slot === undefined) {
      throw new DomainError(
        `metadata.annotations["${keys.placePciDevicesOnRootComplex}"]`,
        'the root complex has no slot left',
        'use fewer devices, or remove the annotation',
      );
    }
    placed[i] = withChild(placed[i]!, address('0x00', slot));
  }
  return placed;
}

/** Bus numbers of expander buses are assigned downwards from here. */
const LAST_BUS = 255;

const indexOf = ({ attributes }: Element): number => Number(attributes.index);

/** Maps the node's cell of a device to the guest's cell with memory and vCPUs on it. */
function guestCellOf(cell: number, cells: readonly GuestCell[], pins: Pins, facts: DomainFacts): number | undefined {
  if (cells.length > 0) return cells.find(({ node }) => node.id === cell)?.id;
  const node = facts.topology?.cells.find(({ id }) => id === cell);
  return node?.cpus.some(({ id }) => pins.vcpus.includes(id)) ? 0 : undefined;
}

interface Aligned {
  /** Index in `devices`. */
  index: number;
  /** Its address on the node. */
  source: string;
  cell: number;
}

/** Host devices whose cell is known, or why one of them cannot be placed. */
function alignable(
  devices: readonly Element[],
  cells: readonly GuestCell[],
  pins: Pins,
  facts: DomainFacts,
): Aligned[] | DomainError {
  const aligned: Aligned[] = [];
  for (const [index, device] of devices.entries()) {
    if (device.name !== 'hostdev' || device.attributes.type !== 'pci') continue;
    const { attributes } = childOf(childOf(device, 'source') ?? device, 'address') ?? el('address');
    const hexOf = (name: string): string => String(attributes[name] ?? '').replace('0x', '');
    const source = `${hexOf('domain')}:${hexOf('bus')}:${hexOf('slot')}.${hexOf('function')}`;
    const hostCell = facts.hostDevices.find((each) => each.kind === 'pci' && each.address === source)?.numaCell;
    const cell = hostCell === undefined ? undefined : guestCellOf(hostCell, cells, pins, facts);
    if (cell === undefined || childOf(device, 'address')) {
      return new DomainError(
        'spec.domain.cpu.numa.guestMappingPassthrough',
        `host device ${source} cannot be placed beside the vCPUs of its NUMA cell`,
        'remove its own PCI address, or use CPUs of its cell',
      );
    }
    aligned.push({ index, source, cell });
  }
  return aligned;
}

/** Adds a bus for each cell with host devices, and a port on it for each device. */
function besideTheirCells(devices: readonly Element[], aligned: readonly Aligned[]): Element[] {
  const placed = [...devices];
  const added: Element[] = [];
  let index = Math.max(0, ...devices.filter(({ name }) => name === 'controller').map(indexOf));
  const byAddress = [...aligned].sort((a, b) => (a.source < b.source ? -1 : 1));
  for (const cell of [...new Set(aligned.map((each) => each.cell))].sort((a, b) => a - b)) {
    const bus = String(++index);
    const ports = byAddress
      .filter((each) => each.cell === cell)
      .map((each, slot) => {
        const port = String(++index);
        placed[each.index] = withChild(placed[each.index]!, address(port, 0));
        return el('controller', { type: 'pci', index: port, model: 'pcie-root-port' }, address(bus, slot));
      });
    const busNr = LAST_BUS - (added.length + 1 + ports.length) + 1;
    const target = el('target', { busNr }, el('node', {}, String(cell)));
    added.push(el('controller', { type: 'pci', index: bus, model: 'pcie-expander-bus' }, target), ...ports);
  }
  const last = placed.findLastIndex(({ name }) => name === 'controller');
  return placed.toSpliced(last + 1, 0, ...added);
}

function alignedWithNuma(
  vmi: VirtualMachineInstance,
  facts: DomainFacts,
  devices: Element[],
  cells: readonly GuestCell[],
  pins: Pins | undefined,
): Element[] {
  const hasCells = cells.length > 0 || usesMemfd(vmi, facts);
  if (!facts.alignPciWithNuma || !pins || !hasDedicatedCpus(vmi) || !hasCells) return devices;
  const aligned = alignable(devices, cells, pins, facts);
  if (!(aligned instanceof DomainError)) return besideTheirCells(devices, aligned);
  // a guest that requested the node's layout must get it; for others it would only improve performance
  if (hasNumaPassthrough(vmi)) throw aligned;
  return devices;
}

/** Number of root ports that stay empty, by guest memory: larger guests hotplug more devices. */
const SPARE = { threshold: 2 * 2 ** 30, small: { total: 8, least: 3 }, large: { total: 16, least: 6 } };
/** Empty root ports of an emulated guest. */
const FEW = 2;
/** Number of free slots on bus 0. */
const MOST_PORTS = 31;

/** Adds ports for the existing devices and for those that are hotplugged later. */
function withSpareRootPorts(vmi: VirtualMachineInstance, devices: readonly Element[], isFew: boolean): Element[] {
  const { total, least } = guestBytes(vmi.spec.domain) > SPARE.threshold ? SPARE.large : SPARE.small;
  const used = pciDevices(devices).length;
  const ports = Math.min(MOST_PORTS, used + (isFew ? FEW : Math.max(total - used, least)));
  const port = (_: unknown, i: number): Element =>
    el('controller', { type: 'pci', index: i + 1, model: 'pcie-root-port' });
  return [...devices, ...Array.from({ length: ports }, port)];
}

/** Whether the machine has PCI Express. */
function hasPcie({ spec }: VirtualMachineInstance, { architecture }: DomainFacts): boolean {
  const machine = spec.domain.machine?.type ?? '';
  return architecture !== 's390x' && (!machine || machine.includes('q35') || machine.startsWith('virt'));
}

/** Devices with the places required by the VMI, the node and later devices. */
export function placed(
  vmi: VirtualMachineInstance,
  facts: DomainFacts,
  devices: Element[],
  cells: readonly GuestCell[],
  pins: Pins | undefined,
): Element[] {
  if (facts.architecture === 's390x') return devices;
  const aligned = alignedWithNuma(vmi, facts, devices, cells, pins);
  if (vmi.metadata.annotations?.[keys.placePciDevicesOnRootComplex] === 'true') return onRootComplex(aligned);
  const { spareRootPorts } = facts;
  if (!spareRootPorts || !hasPcie(vmi, facts)) return aligned;
  return withSpareRootPorts(vmi, aligned, spareRootPorts === 'few');
}
