import { newQcow2 } from '../../../../../src/runtime/launcher/disks/qcow2';

test('a new image is sparse: four clusters whatever its size', () => {
  expect(newQcow2({ virtualSize: 1 }).length).toBe(4 * 65536);
  expect(newQcow2({ virtualSize: 2 ** 40 }).length).toBe(4 * 65536);
});

test('the backing file is written down with its format', () => {
  const image = newQcow2({ virtualSize: 4096, backing: { path: '/disks/base.img', format: 'raw' } });
  const at = Number(image.readBigUInt64BE(8));
  expect(image.toString('utf8', at, at + image.readUInt32BE(16))).toBe('/disks/base.img');
  expect(image.subarray(104, 115).toString('latin1')).toBe('\xe2\x79\x2a\xca\0\0\0\x03raw');
});

test('a path that the format cannot hold is refused', () => {
  expect(() => newQcow2({ virtualSize: 1, backing: { path: 'x'.repeat(1024), format: 'raw' } })).toThrow(
    '1024 bytes (allowed: 1023)',
  );
});
