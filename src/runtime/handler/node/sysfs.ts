import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { HostDevices, MediatedDevice, PciDevice, UsbDevice } from './host-devices';

/** Reads the devices of a node. A device that disappears meanwhile is left out. */
export function readHostDevices(sys = '/sys'): HostDevices {
  const list = (path: string): string[] => names(join(sys, path)).map((name) => join(sys, path, name));
  return {
    pci: list('bus/pci/devices').flatMap(pciDevice),
    mediated: list('bus/mdev/devices').flatMap(mediatedDevice),
    usb: list('bus/usb/devices').flatMap(usbDevice),
  };
}

function pciDevice(path: string): PciDevice[] {
  const id = /^PCI_ID=([0-9A-F]{4}:[0-9A-F]{4})$/im.exec(text(join(path, 'uevent')) ?? '')?.[1];
  if (!id) return [];
  return [{ address: basename(path), id: id.toLowerCase(), driver: link(path, 'driver'), ...placeOf(path) }];
}

function mediatedDevice(path: string): MediatedDevice[] {
  const type = text(join(path, 'mdev_type/name')) ?? link(path, 'mdev_type');
  return type ? [{ uuid: basename(path), type: type.replaceAll(' ', '_'), ...placeOf(path) }] : [];
}

function usbDevice(path: string): UsbDevice[] {
  const [vendor, product] = ['idVendor', 'idProduct'].map((name) => text(join(path, name)));
  const [bus, device] = ['busnum', 'devnum'].map((name) => Number(text(join(path, name))));
  return vendor && product && bus > 0 && device > 0 ? [{ vendor, product, bus, device }] : [];
}

function placeOf(path: string): { iommuGroup?: string; numaNode?: number } {
  const iommuGroup = link(path, 'iommu_group');
  const numa = Number(text(join(path, 'numa_node')) ?? -1);
  return { ...(iommuGroup && { iommuGroup }), ...(numa >= 0 && { numaNode: numa }) };
}

/** Name of the directory that a link leads to. */
function link(path: string, name: string): string | undefined {
  try {
    return basename(readlinkSync(join(path, name)));
  } catch {
    return undefined;
  }
}

/** Content of a file of sysfs. */
export function text(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function names(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}
