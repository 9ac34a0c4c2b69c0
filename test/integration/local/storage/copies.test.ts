import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { blockDeviceOf } from '../../../../src/local/host/loop-devices';
import { failureText } from '../../../../src/local/storage/failure';
import { VolumeFiles } from '../../../../src/local/storage/volume-files';
import { ReflinkStorage } from '../../../support/reflink-storage';

const MIB = 1 << 20;
const { PATH } = process.env;

let folder: string;
let programs: string;
let volumes: VolumeFiles;
beforeEach(async () => {
  const root = mkdtempSync('/var/lib/virt8s-test-volumes-');
  [folder, programs] = [join(root, 'storage'), join(root, 'programs')];
  [folder, programs].forEach((path) => mkdirSync(path));
  // it has no reflinks, and is soon full
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]);
  volumes = new VolumeFiles(folder);
  await volumes.open();
  expect(readdirSync(folder)).toEqual([]);
});
afterEach(async () => {
  process.env.PATH = PATH;
  for (const name of readdirSync(folder)) await volumes.remove(name);
  execFileSync('umount', [folder]);
  rmSync(join(folder, '..'), { recursive: true });
});

/** Replaces a program of the machine by a script, in which `$real` is that program and `$target` the last argument. */
function replace(name: string, script: string): void {
  const real = execFileSync('which', [name], { encoding: 'utf8' }).trim();
  const path = join(programs, name);
  writeFileSync(path, `#!/bin/sh\nreal='${real}'\nfor target; do :; done\n${script}\n`);
  chmodSync(path, 0o755);
  process.env.PATH = `${programs}:${PATH}`;
}

const block = { bytes: MIB, isBlock: true };

test('a file system whose copy does not fit is not frozen for it', async () => {
  await volumes.create('pvc-a', { bytes: 64 * MIB, isBlock: false });
  writeFileSync(join(folder, 'pvc-a/mount/file'), randomBytes(9 * MIB));
  execFileSync('sync', ['--file-system', join(folder, 'pvc-a/mount')]);
  replace('fsfreeze', `touch '${programs}/frozen'; exec $real "$@"`);
  const failure = volumes.snapshot('snapshot-a', 'pvc-a').catch(failureText);
  expect(await failure).toMatch(
    /^No space left on device: a copy of volume "pvc-a" needs 0\.1 GiB, 0\.1 GiB more than is free; free space on this/,
  );
  expect(existsSync(join(programs, 'frozen'))).toBe(false);
  rmSync(join(folder, 'pvc-a/mount/file'));
  execFileSync('sync', ['--file-system', join(folder, 'pvc-a/mount')]);
  execFileSync('fstrim', [join(folder, 'pvc-a/mount')]);
  await volumes.snapshot('snapshot-a', 'pvc-a');
  expect(existsSync(join(programs, 'frozen'))).toBe(true);
});

test('a copy that fails leaves no data, and is made by the next try', async () => {
  await volumes.create('pvc-a', block);
  replace('cp', 'head -c 1000000 /dev/urandom > "$target"; echo "No space left on device" >&2; exit 1');
  await expect(volumes.snapshot('snapshot-a', 'pvc-a')).rejects.toThrow(/No space left/);
  await expect(volumes.create('pvc-b', { ...block, copyOf: 'pvc-a' })).rejects.toThrow(/No space left/);
  expect(readdirSync(folder)).toEqual(['pvc-a']);
  process.env.PATH = PATH;
  await volumes.snapshot('snapshot-a', 'pvc-a');
  expect(readdirSync(folder).sort()).toEqual(['pvc-a', 'snapshot-a']);
});

test('a Block volume that is written while it is copied without reflinks has no copy', async () => {
  await volumes.create('pvc-a', block);
  const write = `printf x | dd of='${volumes.path('pvc-a', true)}' conv=notrunc status=none`;
  replace('cp', `$real "$@" && ${write}`);
  await expect(volumes.snapshot('snapshot-a', 'pvc-a')).rejects.toThrow(/"pvc-a" changed .*; stop the VM or the Pod/);
  expect(readdirSync(folder)).toEqual(['pvc-a']);
});

test('with reflinks, a copy of a Block volume in use has what programs wrote before, also if they did not flush it', async () => {
  const storage = ReflinkStorage.create(300 * MIB);
  const shared = new VolumeFiles(join(storage.path, 'volumes'));
  try {
    await shared.open();
    expect(shared.hasReflinks).toBe(true);
    expect(volumes.hasReflinks).toBe(false);
    await shared.create('pvc-a', { bytes: 16 * MIB, isBlock: true });
    const device = openSync(await blockDeviceOf(shared.path('pvc-a', true)), 'r+');
    try {
      writeSync(device, 'written');
      await shared.snapshot('snapshot-a', 'pvc-a');
      writeSync(device, 'changed', 0);
      expect(readFileSync(shared.path('snapshot-a', true)).toString('latin1', 0, 7)).toBe('written');
    } finally {
      closeSync(device);
    }
  } finally {
    await shared.remove('pvc-a');
    storage.remove();
  }
});
