import { deviceName, indexOfName, targets } from '../../../../../../src/runtime/launcher/domain/disks/names';
import fc from '../../../../../support/fast-check';
import { vmiOf } from '../fixture';

test.each([
  [0, 'vda'],
  [25, 'vdz'],
  [26, 'vdaa'],
  [701, 'vdzz'],
  [702, 'vdaaa'],
])('disk %i is %s, and back', (index, name) => {
  expect(deviceName('vd', index)).toBe(name);
  expect(indexOfName('vd', name)).toBe(index);
});

const disks = [
  { name: 'a', disk: { bus: 'virtio' } },
  { name: 'b', disk: { bus: 'scsi' } },
  { name: 'c', cdrom: { bus: 'sata' } },
  { name: 'd', lun: { bus: 'scsi' } },
  { name: 'e', disk: { bus: 'virtio' } },
] as const;

test('virtio disks and all others are counted apart', () => {
  expect(targets(vmiOf({ devices: { disks: [...disks] } }))).toEqual({
    a: 'vda',
    b: 'sda',
    c: 'sdb',
    d: 'sdc',
    e: 'vdb',
  });
});

test('a disk keeps its name in the status, and no other disk gets it', () => {
  const status = {
    volumeStatus: [
      { name: 'd', target: 'sda' },
      { name: 'e', target: 'vdc' },
      { name: 'a', target: '' },
    ],
  };
  expect(targets(vmiOf({ devices: { disks: [...disks] }, status }))).toEqual({
    a: 'vda',
    b: 'sdb',
    c: 'sdc',
    d: 'sda',
    e: 'vdc',
  });
});

const disk = fc.record({ bus: fc.constantFrom('virtio', 'sata', 'scsi', 'usb'), had: fc.option(fc.nat(800)) });

test('no two disks have the same name, with any status', () => {
  fc.assert(
    fc.property(fc.array(disk, { maxLength: 40 }), (given) => {
      const prefixes = given.map(({ bus }) => (bus === 'virtio' ? 'vd' : 'sd'));
      const taken = new Set<string>();
      const volumeStatus = given.flatMap(({ had }, i) => {
        const target = deviceName(prefixes[i]!, had ?? 0);
        if (had === null || taken.has(target)) return [];
        taken.add(target);
        return [{ name: `d${i}`, target }];
      });
      const named = given.map(({ bus }, i) => ({ name: `d${i}`, disk: { bus: bus as 'virtio' } }));
      const names = targets(vmiOf({ devices: { disks: named }, status: { volumeStatus } }));
      expect(new Set(Object.values(names)).size).toBe(given.length);
      for (const { name, target } of volumeStatus) expect(names[name]).toBe(target);
    }),
  );
});
