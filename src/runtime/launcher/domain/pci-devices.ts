/** The elements of `<devices>` that are on the PCI bus, and their addresses. */
import type { Child, Element } from './xml';

/** Kinds of PCI devices, in the order in which they get their addresses. */
const KINDS = ['interface', 'hostdev', 'controller', 'disk', 'input', 'watchdog', 'rng', 'memballoon'];
/** Kinds that have no address on the PCI bus when they use one of these buses. */
const ROOTS = ['pci-root', 'pcie-root', 'pcie-expander-bus'];

const isElement = (child: Child): child is Element => typeof child === 'object' && child !== null;

/** First child with a name. */
export function childOf(element: Element, name: string): Element | undefined {
  return element.children.filter(isElement).find((child) => child.name === name);
}

/** The element with `child` in place of an existing child of the same name. */
export function withChild(element: Element, child: Element): Element {
  const others = element.children.filter((each) => !isElement(each) || each.name !== child.name);
  return { ...element, children: [...others, child] };
}

function isOnBus(device: Element): boolean {
  switch (device.name) {
    case 'hostdev':
      return device.attributes.type === 'pci';
    case 'controller':
      return !ROOTS.includes(String(device.attributes.model));
    case 'disk':
      return childOf(device, 'target')?.attributes.bus === 'virtio';
    case 'input':
      return device.attributes.bus === 'virtio';
    default:
      return true;
  }
}

/** Indexes in `devices` of the elements on the PCI bus. */
export function pciDevices(devices: readonly Element[]): number[] {
  return KINDS.flatMap((kind) =>
    devices.flatMap((device, i) => {
      const type = childOf(device, 'address')?.attributes.type;
      return device.name === kind && isOnBus(device) && (!type || type === 'pci') ? [i] : [];
    }),
  );
}
