import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partsOf, OpenedPath } from '../../../../../src/runtime/handler/paths/safe-path';

let dir: string;
let place: OpenedPath;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-place-'));
  place = OpenedPath.trusted(dir);
});
afterEach(() => {
  place.close();
  rmSync(dir, { recursive: true });
});

describe('text of an untrusted file', () => {
  test.each([0, 1, 9, 10])('of %d bytes is read where 10 are allowed', (size) => {
    writeFileSync(join(dir, 'file'), 'x'.repeat(size));
    expect(place.readText('file', 10)).toBe('x'.repeat(size));
  });

  test('that the kernel generates on reading is read completely', () => {
    using self = OpenedPath.trusted('/proc/self');
    expect(self.readText('mountinfo', 1 << 20)).toMatch(/^\d+ [^]*\n$/);
  });

  test.each<[string, (path: string) => void, string]>([
    ['one byte too large', (path) => writeFileSync(path, 'x'.repeat(11)), 'is larger than 10 bytes'],
    [
      'large and empty',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 40);
      },
      'is larger than 10 bytes',
    ],
    ['a link', (path) => symlinkSync('/etc/passwd', path), 'is a symbolic link'],
    ['a directory', (path) => mkdirSync(path), 'is a directory, not a regular file'],
    ['a FIFO, for whose writer nobody waits', (path) => execFileSync('mkfifo', [path]), 'is a FIFO'],
    ['missing', () => {}, 'does not exist'],
  ])('is refused when it is %s', (_, make, message) => {
    make(join(dir, 'file'));
    expect(() => place.readText('file', 10)).toThrow(message);
  });
});

describe('names in a directory', () => {
  const made = (count: number): void => {
    for (let i = 0; i < count; i++) writeFileSync(join(dir, `f${i}`), '');
  };
  test.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 2],
    [50, 2],
  ])('of %d, %d are listed where 2 are wanted', (count, want) => {
    made(count);
    expect(place.list(2)).toHaveLength(want);
  });
  test('are those that are there', () => {
    made(3);
    expect(place.list(100).sort()).toEqual(['f0', 'f1', 'f2']);
  });
});

test.each(['', '.', '..', 'a/b', 'a\0b'])('"%s" is not a step', (part) => {
  expect(() => place.step(part)).toThrow('is not a single name');
});

test('recognises the same file at different paths', () => {
  mkdirSync(join(dir, 'a'));
  writeFileSync(join(dir, 'a', 'file'), '');
  writeFileSync(join(dir, 'other'), '');
  using one = place.walk(['a', 'file']);
  using two = OpenedPath.trusted(join(dir, 'a'));
  using three = two.step('file');
  using other = place.step('other');
  expect([one.isSameInode(three), one.isSameInode(other)]).toEqual([true, false]);
});

test.each([
  ['/disk/a.img', ['disk', 'a.img']],
  ['//disk/./a.img/', ['disk', 'a.img']],
  ['/', []],
])('the parts of %s', (path, parts) => expect(partsOf(path)).toEqual(parts));

test.each([
  ['disk/a.img', 'is not an absolute path'],
  ['', 'is not an absolute path'],
  ['/disk/../etc', 'contains ".."'],
])('"%s" is rejected as a path: it %s', (path, message) => expect(() => partsOf(path)).toThrow(message));
