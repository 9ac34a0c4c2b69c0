/** Options of disks that exclude each other, and that only a start of the guest would show. */
import { duplicates, mistake } from '../admission/rule';
import { type Finding, type Path } from '../findings';
import { compareQuantities, tryParseQuantity } from '../quantity';
import { zoneExists } from '../time-zone';
import { type Json, listAt, objectAt, read, textAt } from './read';

type Rule = (spec: Json, at: Path) => Finding[];

/** QEMU starts with native I/O only where nothing is cached; of a shared disk, each host would cache other content. */
const caches: Rule = (spec, at) =>
  listAt(spec, 'domain', 'devices', 'disks').flatMap((disk, i) => {
    const path = at.at('domain', 'devices', 'disks', i, 'cache');
    const got = textAt(disk, 'cache');
    if (got === undefined || got === 'none') return [];
    const extra = { value: got, allowed: ['none'] };
    if (disk.shareable === true) {
      const cause = `a disk that several guests write to is not cached, and the cache is ${got}: the guest does not start`;
      return mistake('disk-cache-shareable', path, cause, 'write none, or leave it out', extra);
    }
    if (disk.io !== 'native') return [];
    const cause = `native I/O bypasses the cache of the host, and the cache is ${got}: QEMU does not start`;
    return mistake('disk-cache-native', path, cause, 'write none, or use threads for io', extra);
  });

const emptyDisks: Rule = (spec, at) =>
  listAt(spec, 'volumes').flatMap((volume, i) => {
    const got = read(volume, 'emptyDisk', 'capacity');
    if (got === undefined || !tryParseQuantity(got) || compareQuantities(got, '1Mi') >= 0) return [];
    const path = at.at('volumes', i, 'emptyDisk', 'capacity');
    const hasUnit = /[a-z]/i.test(String(got));
    const cause = hasUnit
      ? `${String(got)} is too small for a disk`
      : `${String(got)} without a unit is a number of bytes`;
    return mistake('empty-disk-size', path, cause, 'use 1Mi or more', { value: got });
  });

/** QEMU locks the image of a disk: the second disk on it fails. */
const claims: Rule = (spec, at) => {
  const volumes = listAt(spec, 'volumes');
  const disks = listAt(spec, 'domain', 'devices', 'disks');
  const isRead = (name: unknown): boolean => {
    const disk = disks.find((each) => each.name === name);
    return disk?.shareable === true || objectAt(disk, 'cdrom') !== undefined || read(disk, 'disk', 'readonly') === true;
  };
  const claimOf = (volume: Json): string | undefined =>
    textAt(volume, 'persistentVolumeClaim', 'claimName') ?? textAt(volume, 'dataVolume', 'name');
  return duplicates(volumes, claimOf).flatMap(({ key, index, first }) => {
    if (isRead(volumes[index].name) || isRead(volumes[first].name)) return [];
    const cause = `disk "${String(volumes[first].name)}" is on the claim "${key}", too: the guest does not start, since its image is locked`;
    const remedy = 'give each disk a claim of its own';
    return mistake('claim-once', at.at('volumes', index), cause, remedy, { value: key, type: 'FieldValueDuplicate' });
  });
};

/** A hotpluggable volume requires the controller and the folder of the Pod that `disableHotplug` leaves out. */
const plugged: Rule = (spec, at) => {
  if (read(spec, 'domain', 'devices', 'disableHotplug') !== true) return [];
  return listAt(spec, 'volumes').flatMap((volume, i) => {
    const source = (['persistentVolumeClaim', 'dataVolume'] as const).find(
      (kind) => read(volume, kind, 'hotpluggable') === true,
    );
    if (source === undefined) return [];
    const path = at.at('volumes', i, source, 'hotpluggable');
    const cause = 'disableHotplug is set, so nothing can be plugged into the guest';
    return mistake('hotplug-disabled', path, cause, 'remove disableHotplug, or use an ordinary disk', { value: true });
  });
};

/** libvirt finds devices by these names. */
const devices: Rule = (spec, at) => {
  const list = (['gpus', 'hostDevices'] as const).flatMap((kind) =>
    listAt(spec, 'domain', 'devices', kind).map((device, i) => ({ device, path: at.at('domain', 'devices', kind, i) })),
  );
  const twice = duplicates(list, ({ device }) => textAt(device, 'name')).flatMap(({ key, index }) =>
    mistake(
      'device-name-unique',
      list[index].path.at('name'),
      `two devices are called "${key}"`,
      'rename one of them',
      {
        value: key,
        type: 'FieldValueDuplicate',
      },
    ),
  );
  const unnamed = list.flatMap(({ device, path }) => {
    const got = textAt(device, 'deviceName');
    if (got === undefined || got.includes('/')) return [];
    const cause = `"${got}" is not the name of a resource: Kubernetes rejects the Pod`;
    return mistake('device-resource-name', path.at('deviceName'), cause, 'write it like nvidia.com/GA102GL_A10', {
      value: got,
    });
  });
  return [...twice, ...unnamed];
};

/** QEMU has no clock in a time zone that does not exist. */
const timeZone: Rule = (spec, at) => {
  const got = textAt(spec, 'domain', 'clock', 'timezone');
  if (got === undefined || zoneExists(got)) return [];
  const path = at.at('domain', 'clock', 'timezone');
  return mistake('clock-time-zone', path, `"${got}" is not a time zone`, 'write one like Europe/Berlin', {
    value: got,
  });
};

/** Rules about disks, devices and clock of a guest. */
export const deviceValues: readonly Rule[] = [caches, emptyDisks, claims, plugged, devices, timeZone];
