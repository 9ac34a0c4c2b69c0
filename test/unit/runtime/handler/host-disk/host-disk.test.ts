import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostDisk, VirtualMachineInstance } from '../../../../../src/api';
import { plannedHostDisks, problemOf, sizeFor } from '../../../../../src/runtime/handler/host-disk/plan';
import { prepareHostDisk } from '../../../../../src/runtime/handler/host-disk/prepare';
import { OpenedPath } from '../../../../../src/runtime/handler/paths/safe-path';

const planned = (hostDisk: HostDisk) =>
  plannedHostDisks({ spec: { volumes: [{ name: 'data', hostDisk }, { name: 'other' }] } } as VirtualMachineInstance);
const [disk] = planned({ path: '/disks/a.img', type: 'DiskOrCreate', capacity: '1Mi' });

test.each<[string, HostDisk, number | undefined]>([
  ['must exist', { path: '/disks/a.img', type: 'Disk', capacity: '1Mi' }, undefined],
  ['is created with its capacity', { path: '/disks/a.img', type: 'DiskOrCreate', capacity: '1Mi' }, 1 << 20],
])('an image of this type %s', (_, hostDisk, createBytes) => {
  const expected = { volume: 'data', path: '/disks/a.img', file: 'a.img' };
  expect(planned(hostDisk)).toEqual([createBytes === undefined ? expected : { ...expected, createBytes }]);
});

test.each([
  ['enough space', 2 << 20, 1 << 20],
  ['a little less', 1_000_000, 999_424],
])('a new image on a file system with %s has a size', (_, free, size) => expect(sizeFor(disk!, free)).toBe(size));

test.each([
  ['too little space', disk!, 500_000, /needs 1048576 bytes, and its file system has 500000 free/],
  ['no capacity', { ...disk!, createBytes: 0 }, 1 << 20, /has no capacity; set capacity/],
])('a new image with %s is rejected', (_, wanted, free, message) => {
  expect(() => sizeFor(wanted, free)).toThrow(message);
});

const file = { isFile: true, what: 'a file', uid: 107, gid: 107, mode: 0o100600 };
test.each([
  ['of the launcher', {}, undefined],
  ['of its group', { uid: 0, mode: 0o100660 }, undefined],
  ['of root', { uid: 0, gid: 0 }, /belongs to 0:0 with mode 0600; .*"chown 107:107 \/disks\/a.img" on the node/],
  ['that only its group may write', { mode: 0o100060 }, /belongs to 107:107 with mode 0060/],
  ['that is a directory', { isFile: false, what: 'a directory' }, /a.img is a directory, not a file/],
])('an existing image %s is used or rejected', (_, seen, problem) => {
  const found = problemOf(disk!, { ...file, ...seen });
  if (problem) expect(found).toMatch(problem);
  else expect(found).toBeUndefined();
});

describe('in a directory', () => {
  let dir: string;
  let opened: OpenedPath;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'host-disk-'));
    opened = OpenedPath.trusted(dir);
  });
  afterEach(() => {
    opened.close();
    rmSync(dir, { recursive: true });
  });

  test('a link is not followed, whether it exists or is to be created', () => {
    writeFileSync(join(dir, 'target'), '');
    symlinkSync(join(dir, 'target'), join(dir, 'a.img'));
    expect(() => prepareHostDisk(opened, disk!)).toThrow(/a.img: is a symbolic link; it was not opened/);
  });

  test('a missing image that is not to be created is reported', () => {
    expect(() => prepareHostDisk(opened, { ...disk!, createBytes: undefined })).toThrow(
      /a.img does not exist on the node; put a raw image there, or use type DiskOrCreate/,
    );
  });
});
