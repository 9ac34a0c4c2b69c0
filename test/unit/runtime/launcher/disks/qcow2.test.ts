import { MAX_VIRTUAL_SIZE, newQcow2 } from '../../../../../src/runtime/launcher/disks/qcow2';

const TIB = 2 ** 40;

test.each([
  ['a byte', 1, 4],
  ['a tebibyte', TIB, 4],
  ['the size that one cluster of the L1 table covers', 4 * TIB, 4],
  ['a sector more', 4 * TIB + 512, 5],
  ['the most that QEMU opens', MAX_VIRTUAL_SIZE, 515],
])('an image of %s is three clusters and a hole', (_, virtualSize, clusters) => {
  const { head, size } = newQcow2({ virtualSize });
  expect([head.length, size]).toEqual([3 * 65_536, clusters * 65_536]);
  const bytes = Buffer.from(head);
  expect(bytes.readUInt32BE(36)).toBe(Math.ceil(virtualSize / 2 ** 29));
  // a reference for each cluster
  expect(bytes.readUInt16BE(2 * 65_536 + 2 * (clusters - 1))).toBe(1);
  expect(bytes.readUInt16BE(2 * 65_536 + 2 * clusters)).toBe(0);
});

test.each([0, -1, MAX_VIRTUAL_SIZE + 1, 2 ** 53, Number.NaN, Infinity])(
  'a size of %d bytes is rejected',
  (virtualSize) => expect(() => newQcow2({ virtualSize })).toThrow(`(allowed: 1 to ${MAX_VIRTUAL_SIZE})`),
);

test('the backing file is written down with its format', () => {
  const image = Buffer.from(newQcow2({ virtualSize: 4096, backing: { path: '/disks/base.img', format: 'raw' } }).head);
  const at = Number(image.readBigUInt64BE(8));
  expect(image.toString('utf8', at, at + image.readUInt32BE(16))).toBe('/disks/base.img');
  expect(image.subarray(104, 115).toString('latin1')).toBe('\xe2\x79\x2a\xca\0\0\0\x03raw');
});

test('a path that the format cannot hold is rejected', () => {
  expect(() => newQcow2({ virtualSize: 1, backing: { path: 'x'.repeat(1024), format: 'raw' } })).toThrow(
    '1024 bytes (allowed: 1023)',
  );
});
