/** Which elements of `<devices>` are on the PCI bus, and where they are. */
import type { Child, Element } from './xml';

/** Kinds of PCI devices, in the order in which they get their places. */
const KINDS = ['interface', 'hostdev', 'controller', 'disk', 'input', 'watchdog', 'rng', 'memballoon'];
/** Where the bus begins: these have no address on it. */
const ROOTS = ['pci-root', 'pcie-root', 'pcie-expander-bus'];

const isElement = (child: Child): child is Element => typeof child === 'object' && child !== null;

/** The first child of a name. */
export function childOf(element: Element, name: string): Element | undefined {
  return element.children.filter(isElement).find((child) => child.name === name);
}

/** The element with `child` in the place of any other of its name. */
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

/** Places in `devices` of those on the PCI bus. */
export function pciDevices(devices: readonly Element[]): number[] {
  return KINDS.flatMap((kind) =>
    devices.flatMap((device, i) => {
      const type = childOf(device, 'address')?.attributes.type;
      return device.name === kind && isOnBus(device) && (!type || type === 'pci') ? [i] : [];
    }),
  );
}
