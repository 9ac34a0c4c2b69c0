import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountContainerDisk, unmountContainerDisks } from '../../../../src/runtime/handler/container-disk/mount';
import type { ContainerDisk } from '../../../../src/runtime/handler/container-disk/plan';
import { PodVolumes } from '../../../../src/runtime/handler/paths/pod-volumes';
import { startContainer } from './container';

/** A real overlay, a real holder process in it, real bind mounts. */

const UID = '11111111-2222-4333-8444-555555555555';
let dir: string;
let target: string;
let volumes: PodVolumes;
const cleanups: (() => unknown)[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-disk-'));
  target = join(dir, 'pods', UID, 'volumes', 'kubernetes.io~empty-dir', 'container-disks');
  mkdirSync(target, { recursive: true });
  volumes = new PodVolumes(dir);
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const mountsHere = (): string[] =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(target));

/** A holder whose root is an overlay with this image in it. */
async function holder(fill: (image: string) => void): Promise<ContainerDisk> {
  const parts = Object.fromEntries(['image', 'upper', 'work', 'merged'].map((name) => [name, join(dir, name)]));
  for (const part of Object.values(parts)) mkdirSync(part);
  mkdirSync(join(parts.image, 'disk'));
  fill(parts.image);
  copyFileSync('/bin/busybox', join(parts.image, 'holder'));
  const options = `lowerdir=${parts.image},upperdir=${parts.upper},workdir=${parts.work}`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, parts.merged]);
  cleanups.push(() => execFileSync('umount', ['-l', parts.merged]));
  copyFileSync('/bin/busybox', join(parts.merged, 'sleep'));
  const container = await startContainer(
    ['--mount', '--propagation', 'private', `--root=${parts.merged}`],
    ['/sleep', '600'],
  );
  cleanups.push(() => container.close());
  return { volume: 'root', target: 'disk_0.img', containerId: container.id };
}

test('the disk of a side container appears for the launcher, read-only, once, and goes with the Pod', async () => {
  const disk = await holder((image) => writeFileSync(join(image, 'disk', 'any.qcow2'), 'QFI'));
  await mountContainerDisk(disk, UID, volumes, '/proc');
  const file = join(target, 'disk_0.img');
  expect(readFileSync(file, 'utf8')).toBe('QFI');
  expect(() => openSync(file, 'r+')).toThrow('EROFS');
  await mountContainerDisk(disk, UID, volumes, '/proc');
  expect(mountsHere()).toHaveLength(1);

  await unmountContainerDisks(UID, volumes);
  expect(mountsHere()).toHaveLength(0);
  expect(statSync(file).size).toBe(0);
  await unmountContainerDisks(UID, volumes);
});

test('a launcher that plants a link where the disk will be gets no mount anywhere', async () => {
  const disk = await holder((image) => writeFileSync(join(image, 'disk', 'any.qcow2'), 'QFI'));
  const precious = join(dir, 'precious');
  writeFileSync(precious, 'host');
  symlinkSync(precious, join(target, 'disk_0.img'));
  await expect(mountContainerDisk(disk, UID, volumes, '/proc')).rejects.toThrow('is a symbolic link');
  expect(readFileSync(precious, 'utf8')).toBe('host');
  await unmountContainerDisks(UID, volumes);
  expect(readdirSync(target)).toEqual(['disk_0.img']);
});

test('an image with a link to a file of the host is refused', async () => {
  const disk = await holder((image) => symlinkSync('/etc/shadow', join(image, 'disk', 'disk.img')));
  await expect(mountContainerDisk(disk, UID, volumes, '/proc')).rejects.toThrow('is a symbolic link');
  expect(existsSync(join(target, 'disk_0.img'))).toBe(false);
});

test('a holder that is gone is said to be gone', async () => {
  const disk = { volume: 'root', target: 'disk_0.img', containerId: 'd'.repeat(64) };
  await expect(mountContainerDisk(disk, UID, volumes, '/proc')).rejects.toThrow(
    'container "volumeroot" has no process',
  );
});
