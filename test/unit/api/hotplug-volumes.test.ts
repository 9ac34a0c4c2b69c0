import type { Disk, Volume } from '../../../src/api';
import { isPluggableDisk, withoutHotplugged } from '../../../src/api/hotplug-volumes';

const claim = (name: string, hotpluggable = true): Volume => ({
  name,
  persistentVolumeClaim: { claimName: name, hotpluggable },
});

test.each<[string, Disk, boolean]>([
  ['a disk on scsi', { name: 'a', disk: { bus: 'scsi' } }, true],
  ['a disk on virtio', { name: 'a', disk: { bus: 'virtio' } }, true],
  ['a disk on sata', { name: 'a', disk: { bus: 'sata' } }, false],
  ['a disk without a bus, which becomes sata', { name: 'a', disk: {} }, false],
  ['a LUN on scsi', { name: 'a', lun: { bus: 'scsi' } }, true],
  ['a drive', { name: 'a', cdrom: { bus: 'scsi' } }, false],
])('%s can be plugged: %s', (_, disk, expected) => {
  expect(isPluggableDisk(disk)).toBe(expected);
});

test('leaves out what a running guest can get or lose, and keeps drives', () => {
  const disks: Disk[] = [
    { name: 'root', disk: { bus: 'virtio' } },
    { name: 'data', disk: { bus: 'scsi' } },
    { name: 'slow', disk: { bus: 'sata' } },
    { name: 'cd', cdrom: { bus: 'sata' } },
  ];
  const volumes = [claim('root', false), claim('data'), claim('slow'), claim('cd')];
  const left = withoutHotplugged({ domain: { devices: { disks } }, volumes });
  expect(left.volumes?.map(({ name }) => name)).toEqual(['root', 'slow']);
  expect(left.domain.devices.disks?.map(({ name }) => name)).toEqual(['root', 'slow', 'cd']);
});

test('returns a spec without such volumes as it is', () => {
  const spec = { domain: { devices: {} }, volumes: [claim('root', false)] };
  expect(withoutHotplugged(spec)).toBe(spec);
});
