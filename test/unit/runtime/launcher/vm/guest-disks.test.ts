import { currentDisks, failedOf, type GuestDisk } from '../../../../../src/runtime/launcher/vm/guest-disks';

test.each([
  ['a virtio disk without space', { qdev: '/machine/peripheral/ua-data/virtio-backend', 'io-status': 'nospace' }, true],
  ['a SCSI disk with an error', { qdev: 'ua-data', 'io-status': 'failed' }, false],
])('finds %s', (_, block, isFull) => {
  expect(failedOf({ return: [{ qdev: 'ua-root', 'io-status': 'ok' }, block, {}] })).toEqual([{ name: 'data', isFull }]);
});

test.each([undefined, {}, { return: [{ qdev: 'pflash0' }, { qdev: 'other', 'io-status': 'failed' }] }])(
  'finds nothing in %j',
  (answer) => expect(failedOf(answer)).toEqual([]),
);

const disk = (path: string, size?: number): GuestDisk => ({ name: 'x', type: 'file', path, size, readonly: false });

test.each<[string, GuestDisk[], GuestDisk[], GuestDisk[]]>([
  ['keeps a disk from the start', [disk('/root', 1)], [], [disk('/root', 1)]],
  ['adds an attached one', [disk('/root', 1)], [disk('/hot/a', 2)], [disk('/root', 1), disk('/hot/a', 2)]],
  ['keeps the known size', [disk('/hot/a', 1)], [disk('/hot/a', 2)], [disk('/hot/a', 1)]],
  ['drops a detached one', [disk('/root'), disk('/hot/a')], [disk('/hot/b')], [disk('/root'), disk('/hot/b')]],
  ['is not confused by the name of a directory', [disk('/hotter/a')], [], [disk('/hotter/a')]],
])('%s', (_, known, attached, expected) => expect(currentDisks(known, attached, '/hot')).toEqual(expected));
