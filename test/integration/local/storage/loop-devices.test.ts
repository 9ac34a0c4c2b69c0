/** @needs alone */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { detachLoops, mountLoop } from '../../../../src/local/host/loop-devices';
import { run } from '../../../../src/runtime/host/command';

/** A number that `losetup --find` of another program does not return while a lower one is free. */
const DEVICE = '/dev/loop777';

const losetup = (...args: string[]): string => execFileSync('losetup', args, { encoding: 'utf8' }).trim();
const backing = (device: string): string =>
  readFileSync(`/sys/block/${basename(device)}/loop/backing_file`, 'utf8').trim();

describe('a loop device that another volume gets between two commands', () => {
  const { PATH } = process.env;
  let folder: string;
  let ours: string;
  let theirs: string;
  const device = DEVICE;
  beforeEach(() => {
    folder = mkdtempSync('/var/lib/virt8s-test-loops-');
    [ours, theirs] = ['ours', 'theirs'].map((name) => {
      mkdirSync(join(folder, name));
      const image = join(folder, name, 'volume.img');
      writeFileSync(image, '');
      truncateSync(image, 16 << 20);
      return image;
    }) as [string, string];
    execFileSync('mkfs.ext4', ['-q', ours]);
    losetup(device, ours);
    // the first look-up is followed by an end of the device, and its number is given to the other volume
    const real = execFileSync('which', ['losetup'], { encoding: 'utf8' }).trim();
    const fake = join(folder, 'losetup');
    const steal = `'${real}' --detach ${device} && '${real}' ${device} ${theirs}`;
    const script = `'${real}' "$@"; code=$?; mkdir ${folder}/stolen 2>/dev/null && { ${steal}; }; exit $code`;
    writeFileSync(fake, `#!/bin/sh\n${script}\n`);
    chmodSync(fake, 0o755);
    process.env.PATH = `${folder}:${PATH}`;
  });
  afterEach(() => {
    process.env.PATH = PATH;
    execFileSync('sh', ['-c', `umount ${folder}/mount 2>/dev/null; losetup -d ${device} 2>/dev/null || true`]);
    rmSync(folder, { recursive: true });
  });

  test('stays attached when the first volume is removed', async () => {
    await detachLoops(join(folder, 'ours'));
    expect(backing(device)).toBe(theirs);
  });

  test('stays attached when the first volume is mounted, which gets another device', async () => {
    const target = join(folder, 'mount');
    mkdirSync(target);
    let mounted = '';
    await mountLoop(ours, async (name) => {
      await run('mount', [name, target]);
      mounted = name;
    });
    expect(mounted).not.toBe(device);
    expect(backing(device)).toBe(theirs);
    expect(backing(mounted)).toBe(ours);
    execFileSync('umount', [target]);
    expect(losetup('--associated', ours)).toBe('');
  });

  test('is detached at once when its volume cannot be mounted', async () => {
    process.env.PATH = PATH;
    await expect(mountLoop(ours, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(losetup('--associated', ours)).toBe('');
  });
});
