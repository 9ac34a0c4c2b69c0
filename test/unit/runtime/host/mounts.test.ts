import { statSync } from 'node:fs';
import { deviceOf, mountsBelow, ownMounts, parseMountInfo } from '../../../../src/runtime/host/mounts';

const line = (mountPoint: string, options = 'rw,noatime', id = '36'): string =>
  `${id} 35 0:98 / ${mountPoint} ${options} master:1 - overlay source rw`;

test('escapes in a path are decoded', () => {
  expect(parseMountInfo(`${line('/mnt/a\\040b\\134c')}\n`)).toEqual([
    {
      id: '36',
      device: '0:98',
      root: '/',
      mountPoint: '/mnt/a b\\c',
      readOnly: false,
      fileSystem: 'overlay',
      source: 'source',
    },
  ]);
});

test.each([
  ['rw,noatime', false],
  ['ro,noatime', true],
  ['noatime,ro', true],
  ['rw,errors=ro', false],
])('a mount with the options %s is read-only: %s, on any file system', (options, want) => {
  expect(parseMountInfo(line('/a', options))[0].readOnly).toBe(want);
});

test('the file system comes after the dash that ends the optional fields', () => {
  expect(parseMountInfo('36 35 0:98 / /a ro')).toMatchObject([{ mountPoint: '/a', readOnly: true }]);
  expect(parseMountInfo('36 35 0:98 / /a ro')[0].fileSystem).toBeUndefined();
  expect(parseMountInfo('36 35 0:98 / /a rw - tmpfs none rw')[0].fileSystem).toBe('tmpfs');
});

test.each(['', '36 35 0:98 / /a', 'nonsense'])('a line that is cut off is not a mount: "%s"', (text) => {
  expect(parseMountInfo(text)).toEqual([]);
});

const all = (...points: string[]) => parseMountInfo(points.map((point) => line(point)).join('\n'));

test('mounts below a directory come in the order in which they can be undone', () => {
  const found = mountsBelow(all('/a', '/a/b', '/ab/c', '/a/b/c', '/'), '/a');
  expect(found.map(({ mountPoint }) => mountPoint)).toEqual(['/a/b/c', '/a/b']);
});

test('a device number is written as mountinfo writes it', () => {
  expect(deviceOf(statSync('/proc').dev)).toMatch(/^0:\d+$/);
  expect(deviceOf(0x801)).toBe('8:1');
  expect(deviceOf(0x12345678)).toBe('1110:74616');
});

test('the mounts of this process have its /proc', () => {
  expect(ownMounts()).toContainEqual(expect.objectContaining({ mountPoint: '/proc', fileSystem: 'proc' }));
});
