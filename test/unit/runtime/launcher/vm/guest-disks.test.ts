import { failedOf } from '../../../../../src/runtime/launcher/vm/guest-disks';

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
