import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ephemeralDisk } from '../../../../../src/runtime/launcher/disks/ephemeral';
import { hostDisk } from '../../../../../src/runtime/launcher/disks/host-disk';
import { newQcow2 } from '../../../../../src/runtime/launcher/disks/qcow2';
import { DEFAULT_PATHS, pathsOf } from '../../../../../src/runtime/launcher/paths';

let dir: string;
let image: string;
const paths = () => pathsOf({ ...DEFAULT_PATHS, private: dir, ephemeral: join(dir, 'ephemeral') });
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'volumes-'));
  mkdirSync(join(dir, 'vmi-disks/data'), { recursive: true });
  image = join(dir, 'vmi-disks/data/disk.img');
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('ephemeral', () => {
  const disk = () => ephemeralDisk({ name: 'data' }, paths());

  test('is an overlay that names its raw backing image, and keeps what the guest wrote to it', async () => {
    writeFileSync(image, '');
    truncateSync(image, 8 << 20);
    const source = await disk();
    expect(source).toMatchObject({
      format: 'qcow2',
      readonly: false,
      size: 8 << 20,
      backing: { type: 'file', path: image, format: 'raw', isLast: true },
    });
    const header = readFileSync(source.path);
    expect(header.readBigUInt64BE(24)).toBe(BigInt(8 << 20));
    writeFileSync(source.path, 'changed');
    await disk();
    expect(readFileSync(source.path, 'utf8')).toBe('changed');
  });

  test('parses no header of its image, which a guest may have written', async () => {
    writeFileSync(image, newQcow2({ virtualSize: 2 ** 20, backing: { path: '/etc/passwd', format: 'raw' } }).head);
    expect((await disk()).backing).toEqual({ type: 'file', path: image, format: 'raw', isLast: true });
  });

  test.each([
    ['no image', () => {}, /its claim has no disk.img; import an image into it/],
    ['an empty image', () => writeFileSync(image, ''), /is empty; import an image/],
    ['a link', () => symlinkSync('/etc/passwd', image), /disk.img of its claim is not a file/],
  ])('rejects a claim with %s', async (_, arrange, message) => {
    arrange();
    await expect(disk()).rejects.toThrow(message);
  });
});

describe('hostDisk', () => {
  const disk = () => hostDisk('data', { path: '/node/disks/disk.img', type: 'Disk' }, paths());

  test('is a raw file of its directory on the node', async () => {
    writeFileSync(image, 'raw');
    expect(await disk()).toMatchObject({ type: 'file', path: image, format: 'raw', size: 3 });
  });

  test.each([
    ['does not exist', () => {}, /the node has no \/node\/disks\/disk.img; put a raw image there/],
    ['is a link', () => symlinkSync('/etc/passwd', image), /disk.img of the node is not a file/],
  ])('rejects a file that %s', async (_, arrange, message) => {
    arrange();
    await expect(disk()).rejects.toThrow(message);
  });
});
