/** Documents of cloud-init and the guest that reads them: devices that are formatted or mounted, and owners of files. */
import { mistake, nearest } from '../admission/rule';
import { filesWithoutOwner } from '../cloud-init/modules';
import { readYaml } from '../cloud-init/yaml-text';
import type { Finding, Path } from '../findings';
import { type Guests } from './network-guests';
import { type Json, listAt, objectAt, read, textAt } from './read';

const none: readonly Finding[] = [];
const SOURCES = ['cloudInitNoCloud', 'cloudInitConfigDrive'] as const;
const READ = /^(disk_setup|fs_setup|mounts):|^\s+owner:/m;
/** udev's link by the serial number: of a virtio disk, its first 20 letters. */
const BY_SERIAL = '/dev/disk/by-id/virtio-';
const LONGEST_SERIAL = 20;

/** A device that a document names. */
interface Named {
  readonly device: string;
  /** Key of the document. */
  readonly key: string;
  /** Whether its content is replaced. */
  readonly isWritten: boolean;
}

/** Reports devices that the guest does not have or that hold the documents themselves, and files without an owner. */
export function documentsFit(guests: Guests): readonly Finding[] {
  return listAt(guests.spec, 'volumes').flatMap((volume, i) =>
    SOURCES.flatMap((source) => {
      const text = textAt(volume, source, 'userData');
      if (text === undefined || !READ.test(text) || !text.startsWith('#cloud-config')) return [];
      const path = guests.at.at('volumes', i, source, 'userData');
      const { value } = readYaml(text);
      const disks = disksOf(guests);
      const devices = disks
        ? namedIn(value).flatMap((named) => exists(named, disks, textAt(volume, 'name'), path))
        : [];
      return [...devices, ...filesWithoutOwner(value).flatMap((file) => ownerless(file, path))];
    }),
  );
}

function ownerless(file: string, path: Path): Finding[] {
  const cause = `write_files: cloud-init creates the owner of ${file} after it writes the file, so it skips the file`;
  return mistake('cloud-file-owner', path, cause, 'add defer: true to the file');
}

interface Disks {
  /** Names of the disks by the letters of their devices: `vd` or `sd`. */
  readonly byKind: Readonly<Record<string, readonly string[]>>;
  readonly serials: readonly string[];
}

/** Returns the disks; undefined if the platform chooses the bus of one. */
function disksOf({ spec, object, ownerAt }: Guests): Disks | undefined {
  const byKind: Record<string, string[]> = { vd: [], sd: [] };
  const serials: string[] = [];
  for (const disk of listAt(spec, 'domain', 'devices', 'disks')) {
    const isDrive = disk.cdrom !== undefined;
    const bus = textAt(disk.disk ?? disk.lun ?? disk.cdrom, 'bus');
    if (bus === undefined || read(object, ...ownerAt, 'preference') !== undefined) return undefined;
    const name = textAt(disk, 'name') ?? '';
    serials.push((textAt(disk, 'serial') ?? name).slice(0, LONGEST_SERIAL));
    // the guest calls other drives sr0
    if (bus === 'virtio') byKind.vd.push(name);
    else if (!isDrive) byKind.sd.push(name);
  }
  return { byKind, serials };
}

function namedIn(value: unknown): Named[] {
  const setup = Object.keys(objectAt(value, 'disk_setup') ?? {});
  const mounts = read(value, 'mounts');
  const named = (device: unknown, key: string, isWritten: boolean): Named[] =>
    typeof device === 'string' ? [{ device, key, isWritten }] : [];
  return [
    ...setup.flatMap((device) => named(device, 'disk_setup', true)),
    ...listAt(value, 'fs_setup').flatMap((each: Json) => named(each.device, 'fs_setup', true)),
    ...(Array.isArray(mounts) ? (mounts as unknown[]) : []).flatMap((mount) =>
      named(Array.isArray(mount) ? mount[0] : undefined, 'mounts', false),
    ),
  ];
}

function exists(
  { device, key, isWritten }: Named,
  disks: Disks,
  own: string | undefined,
  path: Path,
): readonly Finding[] {
  if (device.startsWith(BY_SERIAL)) {
    const serial = device.slice(BY_SERIAL.length).replace(/-part\d+$/, '');
    if (disks.serials.includes(serial.slice(0, LONGEST_SERIAL))) return none;
    const cause = `${key}: no disk of the guest has the serial "${serial}"`;
    const remedy = nearest(serial, disks.serials).replace('use one of the allowed values', 'set serial of a disk');
    return mistake('cloud-device', path, cause, remedy, { value: device, allowed: disks.serials });
  }
  const [, kind, letter] = /^(?:\/dev\/)?([vs]d)([a-z])\d*$/.exec(device) ?? [];
  if (letter === undefined) return none;
  const list = disks.byKind[kind];
  const name = list[letter.charCodeAt(0) - 'a'.charCodeAt(0)] as string | undefined;
  const bus = kind === 'vd' ? 'virtio' : 'SATA, SCSI or USB';
  if (name === undefined) {
    const all = Object.entries(disks.byKind).flatMap(([each, names]) =>
      names.map((_, i) => `/dev/${each}${String.fromCharCode('a'.charCodeAt(0) + i)}`),
    );
    const cause = `${key}: the guest has no ${device}: ${list.length} of its disks use ${bus}`;
    const remedy = 'give the disk a serial and name it /dev/disk/by-id/virtio-SERIAL, or add the disk';
    return mistake('cloud-device', path, cause, remedy, { value: device, allowed: all });
  }
  if (name !== own || !isWritten) return none;
  const cause = `${key}: ${device} is the disk of cloud-init itself, "${name}"`;
  const remedy = 'name another disk, by a serial: /dev/disk/by-id/virtio-SERIAL';
  return mistake('cloud-device', path, cause, remedy, { value: device });
}
