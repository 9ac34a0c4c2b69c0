import type { KubeVirtConfiguration } from '../../../api';
import type { Offer, OfferedDevice } from './offers';

type Permitted = NonNullable<KubeVirtConfiguration['permittedHostDevices']>;

/** Devices of a node, from its sysfs. */
export interface HostDevices {
  readonly pci: readonly PciDevice[];
  readonly mediated: readonly MediatedDevice[];
  readonly usb: readonly UsbDevice[];
}

export interface PciDevice {
  /** `0000:81:01.0` */
  readonly address: string;
  /** `10de:1eb8` */
  readonly id: string;
  readonly driver?: string;
  readonly iommuGroup?: string;
  readonly numaNode?: number;
}

export interface MediatedDevice {
  readonly uuid: string;
  /** Name of its type, with `_` for spaces. */
  readonly type: string;
  readonly iommuGroup?: string;
  readonly numaNode?: number;
}

export interface UsbDevice {
  readonly vendor: string;
  readonly product: string;
  readonly bus: number;
  readonly device: number;
}

const variableOf = (kind: string, resource: string): string =>
  `${kind}_${resource.toUpperCase().replaceAll(/[/.]/g, '_')}`;

/** Resources that the configuration permits, with the devices of this node. Pure. */
export function hostDeviceOffers(permitted: Permitted | undefined, seen: HostDevices): Offer[] {
  const { pciHostDevices = [], mediatedDevices = [], usb = [] } = permitted ?? {};
  return [
    // the last selector of a device applies
    ...bySelector(pciHostDevices, 'PCI_RESOURCE', ({ pciVendorSelector: selector }) =>
      seen.pci.filter(({ id, driver }) => id === selector.toLowerCase() && driver === 'vfio-pci').flatMap(pciDevice),
    ),
    ...bySelector(mediatedDevices, 'MDEV_PCI_RESOURCE', ({ mdevNameSelector: selector }) =>
      seen.mediated.filter(({ type }) => type === selector.replaceAll(' ', '_')).flatMap(mediatedDevice),
    ),
    ...usbOffers(usb, seen.usb),
  ];
}

interface Selected {
  readonly resourceName: string;
  readonly externalResourceProvider?: boolean;
}

/** Offers each device under one resource: that of the last entry which selects it. */
function bySelector<T extends Selected>(
  entries: readonly T[],
  kind: string,
  devicesOf: (entry: T) => readonly OfferedDevice[],
): Offer[] {
  const resourceOf = new Map<string, { entry: T; device: OfferedDevice }>();
  for (const entry of entries) for (const device of devicesOf(entry)) resourceOf.set(device.id, { entry, device });
  const names = [...new Set(entries.filter((entry) => !entry.externalResourceProvider).map((e) => e.resourceName))];
  return names.map((resource) => ({
    resource,
    variable: variableOf(kind, resource),
    devices: [...resourceOf.values()]
      .filter(({ entry }) => entry.resourceName === resource && !entry.externalResourceProvider)
      .map(({ device }) => device),
  }));
}

/** QEMU needs the group of the device, and VFIO itself. A device without a group cannot be assigned. */
const vfioNodes = (group: string): string[] => ['/dev/vfio/vfio', `/dev/vfio/${group}`];

const pciDevice = ({ address, iommuGroup, numaNode }: PciDevice): OfferedDevice[] =>
  iommuGroup === undefined
    ? []
    : [{ id: address, address, nodes: vfioNodes(iommuGroup), ...(numaNode !== undefined && { numaNode }) }];

const mediatedDevice = ({ uuid, iommuGroup, numaNode }: MediatedDevice): OfferedDevice[] =>
  iommuGroup === undefined
    ? []
    : [{ id: uuid, address: uuid, nodes: vfioNodes(iommuGroup), ...(numaNode !== undefined && { numaNode }) }];

/** A resource consists of one device for each of its selectors. A device is part of one resource. */
function usbOffers(entries: NonNullable<Permitted['usb']>, seen: readonly UsbDevice[]): Offer[] {
  const free = [...seen];
  return entries.flatMap(({ resourceName: resource, externalResourceProvider, selectors = [] }) => {
    if (externalResourceProvider || selectors.length === 0) return [];
    const devices: OfferedDevice[] = [];
    for (;;) {
      const group = selectors.map(({ vendor, product }) => {
        const index = free.findIndex((usb) => isSame(usb.vendor, vendor) && isSame(usb.product, product));
        return index < 0 ? undefined : free.splice(index, 1)[0];
      });
      const found = group.filter((usb) => usb !== undefined);
      if (found.length < selectors.length) {
        free.push(...found);
        break;
      }
      const address = found.map(({ bus, device }) => `${bus}:${device}`).join(',');
      devices.push({ id: address.replaceAll(/[:,]/g, '-'), address, nodes: found.map(usbNode) });
    }
    return [{ resource, variable: variableOf('USB_RESOURCE', resource), devices }];
  });
}

const isSame = (id: string, selector: string): boolean =>
  id.toLowerCase() === selector.toLowerCase().replace(/^0x/, '').padStart(4, '0');

const usbNode = ({ bus, device }: UsbDevice): string =>
  `/dev/bus/usb/${String(bus).padStart(3, '0')}/${String(device).padStart(3, '0')}`;
