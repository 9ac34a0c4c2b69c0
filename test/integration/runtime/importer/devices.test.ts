import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Confiner } from '../../../../src/runtime/importer/convert/confined';
import { clearAfter } from '../../../../src/runtime/importer/copy-claim';
import { importImage } from '../../../../src/runtime/importer/import-image';
import { Journal } from '../../../../src/runtime/importer/journal';
import { Progress } from '../../../../src/runtime/importer/progress';
import { DiskSource } from '../../../../src/runtime/importer/source/disk-source';
import { Target } from '../../../../src/runtime/importer/target/target';

const MIB = 1 << 20;
const SIZE = 32 * MIB;

describe('a device that cannot write zeros itself', () => {
  let folder: string;
  let device: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'virt8s-devices-'));
    // a loop device has the abilities of the file system of its file
    const memory = join(folder, 'memory');
    mkdirSync(memory);
    execFileSync('mount', ['-t', 'ramfs', 'ramfs', memory]);
    writeFileSync(join(memory, 'disk'), '');
    truncateSync(join(memory, 'disk'), SIZE);
    device = execFileSync('losetup', ['--find', '--show', join(memory, 'disk')], { encoding: 'utf8' }).trim();
    expect(readFileSync(`/sys/block/${basename(device)}/queue/write_zeroes_max_bytes`, 'utf8').trim()).toBe('0');
  });
  afterAll(() => {
    if (device) execFileSync('losetup', ['--detach', device]);
    execFileSync('umount', [join(folder, 'memory')]);
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    const file = openSync(device, 'w');
    writeSync(file, Buffer.alloc(SIZE, 'old'));
    closeSync(file);
  });

  /** Imports an image of 20 MiB whose middle is zeros. */
  const importFrom = async (checksum?: string): Promise<Buffer> => {
    const content = Buffer.alloc(20 * MIB);
    content.fill('begin', 0, MIB);
    content.fill('end', 19 * MIB);
    const image = join(folder, 'image');
    writeFileSync(image, content);
    await using target = await Target.device(device);
    const confiner = await Confiner.create(folder);
    const source = await DiskSource.open(image, () => undefined);
    const context = { journal: new Journal(folder), progress: new Progress(), spoolFolder: folder, confiner };
    try {
      await importImage(source, target, { ...context, ...(checksum && { checksum }) });
    } finally {
      source.close();
    }
    await clearAfter(target, content.length);
    await target.sync();
    return content;
  };

  test('has the zeros of an image, and after it', async () => {
    const content = await importFrom();
    const whole = Buffer.concat([content, Buffer.alloc(SIZE - content.length)]);
    expect(createHash('md5').update(readFileSync(device)).digest('hex')).toBe(
      createHash('md5').update(whole).digest('hex'),
    );
  });

  test('is wiped after a wrong checksum, which is reported', async () => {
    await expect(importFrom(`md5:${'0'.repeat(32)}`)).rejects.toMatchObject({ problem: 'ChecksumMismatch' });
    expect(readFileSync(device).equals(Buffer.alloc(SIZE))).toBe(true);
  });

  test('that cannot be wiped is reported together with the wrong checksum', async () => {
    const wipe = jest.spyOn(Target.prototype, 'wipe').mockRejectedValue(new Error('EIO: i/o error, write'));
    await expect(importFrom(`md5:${'0'.repeat(32)}`)).rejects.toMatchObject({
      problem: 'ChecksumMismatch',
      message: expect.stringMatching(/md5 digest .*could not be removed: EIO/) as string,
    });
    wipe.mockRestore();
  });
});
