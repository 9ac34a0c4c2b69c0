import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findImageDisk, openUntrusted } from '../../../../../src/runtime/launcher/disks/files';

/* The disk of an image whose author tries to read the files of this Pod. */
let dir: string;
let root: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-image-'));
  root = join(dir, 'image');
  mkdirSync(join(root, 'disk'), { recursive: true });
  writeFileSync(join(dir, 'secret'), 'secret');
});
afterEach(() => rmSync(dir, { recursive: true }));

const find = (path?: string): Promise<string> => findImageDisk(root, path, 'root');

test('is the only file in /disk, or the one at its path', async () => {
  writeFileSync(join(root, 'disk/a.qcow2'), '');
  writeFileSync(join(root, 'disk/.hidden'), '');
  writeFileSync(join(root, 'b.img'), '');
  expect(await find()).toBe(join(root, 'disk/a.qcow2'));
  expect(await find('/b.img')).toBe(join(root, 'b.img'));
});

test.each<[string, string | undefined, (at: string) => void, RegExp]>([
  ['a link in /disk', undefined, (at) => symlinkSync('../../secret', join(at, 'disk/a.img')), /is a link/],
  [
    'a linked /disk',
    undefined,
    (at) => {
      rmSync(join(at, 'disk'), { recursive: true });
      symlinkSync(dir, join(at, 'disk'));
    },
    /is a link/,
  ],
  ['a link at its path', '/a.img', (at) => symlinkSync(join(dir, 'secret'), join(at, 'a.img')), /is a link/],
  ['a linked folder on its path', '/to/secret', (at) => symlinkSync(dir, join(at, 'to')), /is a link/],
  ['a path out of the image', '/disk/../../secret', () => undefined, /leaves the image/],
  ['nothing in /disk', undefined, () => undefined, /has no file/],
  ['nothing at its path', '/a.img', () => undefined, /the image has no \/a.img/],
])('%s is rejected', async (_, path, make, message) => {
  make(root);
  await expect(find(path)).rejects.toThrow(message);
});

test('a pipe is opened without waiting for its writer, and a link is not opened', async () => {
  execFileSync('mkfifo', [join(root, 'disk/pipe')]);
  const handle = await openUntrusted(await find());
  expect((await handle.stat()).isFile()).toBe(false);
  await handle.close();
  symlinkSync(join(dir, 'secret'), join(root, 'link'));
  await expect(openUntrusted(join(root, 'link'))).rejects.toMatchObject({ code: 'ELOOP' });
});
