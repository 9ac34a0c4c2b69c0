/** Target names of disks in the domain: vda, vdb, … and sda, sdb, … */
import { defaultBus, deviceOf as namedDevice, type DiskDeviceName, factsOfBus } from '../../../../api/disk-buses';
import type { Disk, VirtualMachineInstance } from '../../../../api';

export type DiskDevice = DiskDeviceName;

/** Device type that the guest sees. */
export function deviceOf(disk: Disk): DiskDevice {
  return namedDevice(disk) ?? 'disk';
}

/** Bus of the disk. */
export function busOf(disk: Disk): string {
  return (disk.disk ?? disk.lun ?? disk.cdrom)?.bus || defaultBus(deviceOf(disk), undefined);
}

/** vda … vdz, vdaa … */
export function deviceName(prefix: string, index: number): string {
  const letters = (n: number): string =>
    n < 0 ? '' : letters(Math.floor(n / 26) - 1) + String.fromCharCode(97 + (n % 26));
  return prefix + letters(index);
}

/** Inverse of `deviceName`; 0 for a name with another prefix. */
export function indexOfName(prefix: string, name: string): number {
  if (!name.startsWith(prefix) || !/^[a-z]+$/.test(name)) return 0;
  return [...name.slice(prefix.length)].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 96, 0) - 1;
}

export interface Target {
  dev: string;
  /** Position among the names with the same prefix. */
  index: number;
}

/** Target of each disk: the name in the VMI's status if it has one, else the first free name. */
export function targetsOf({ spec, status }: VirtualMachineInstance): Target[] {
  const disks = spec.domain.devices.disks ?? [];
  const kept = new Map<string, string>();
  for (const { name, target } of status?.volumeStatus ?? []) if (target) kept.set(name, target);
  const used = new Map<string, Set<string>>();
  const namesOf = (prefix: string): Set<string> => {
    if (!used.has(prefix)) used.set(prefix, new Set());
    return used.get(prefix)!;
  };
  const prefixOf = (disk: Disk): string => factsOfBus(busOf(disk))?.prefix ?? '';
  for (const disk of disks) if (kept.has(disk.name)) namesOf(prefixOf(disk)).add(kept.get(disk.name)!);
  return disks.map((disk) => {
    const prefix = prefixOf(disk);
    const had = kept.get(disk.name);
    if (had) return { dev: had, index: indexOfName(prefix, had) };
    const names = namesOf(prefix);
    let index = 0;
    while (names.has(deviceName(prefix, index))) index += 1;
    const dev = deviceName(prefix, index);
    names.add(dev);
    return { dev, index };
  });
}

/** Volume name -> target device, for the VMI's status. */
export function targets(vmi: VirtualMachineInstance): Record<string, string> {
  const devices = targetsOf(vmi);
  return Object.fromEntries((vmi.spec.domain.devices.disks ?? []).map(({ name }, i) => [name, devices[i]!.dev]));
}
