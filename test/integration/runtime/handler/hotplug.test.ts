import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveNode, plug, unplug } from '../../../../src/runtime/handler/hotplug/plug';
import { openDiskFile } from '../../../../src/runtime/handler/hotplug/source';
import { PodVolumes } from '../../../../src/runtime/handler/paths/pod-volumes';
import { OpenedPath, partsOf } from '../../../../src/runtime/handler/paths/safe-path';
import { startContainer } from './container';
import type { TestContainer } from './container';

const MIB = 1 << 20;

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'virt8s-plug-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const volume = { name: 'data', containerId: 'c', place: ['data'], isBlock: false, isFileSystem: false };

/** A volume that a killed handler had begun to provide. */
describe('a volume that was provided in part', () => {
  test('gets the size of its disk, if its file is empty', () => {
    using fileSystem = OpenedPath.trusted(folder);
    writeFileSync(join(folder, 'disk.img'), '');
    openDiskFile({ ...volume, newDiskBytes: BigInt(MIB) }, fileSystem).close();
    expect(statSync(join(folder, 'disk.img'))).toMatchObject({ size: MIB, uid: 107, gid: 107 });
  });

  test.each([
    ['a disk that is there', 'data', BigInt(MIB)],
    ['an empty one of a claim that may not be written', '', undefined],
  ])('keeps %s', (_, content, newDiskBytes) => {
    using fileSystem = OpenedPath.trusted(folder);
    writeFileSync(join(folder, 'disk.img'), content);
    openDiskFile({ ...volume, newDiskBytes }, fileSystem).close();
    expect(statSync(join(folder, 'disk.img')).size).toBe(content.length);
  });

  test('gives its device to the launcher', () => {
    execFileSync('mknod', ['--mode=0600', join(folder, 'data'), 'b', '7', '0']);
    using dir = OpenedPath.trusted(folder);
    giveNode(dir, 'data', '7:0');
    expect(statSync(join(folder, 'data'))).toMatchObject({ uid: 107, gid: 107 });
    expect(() => giveNode(dir, 'data', '7:1')).toThrow(/was replaced/);
  });
});

test.each<[string, () => void, RegExp]>([
  ['a link', () => symlinkSync(join(folder, 'secret'), join(folder, 'disk.img')), /is a symbolic link/],
  ['a link to nothing', () => symlinkSync(join(folder, 'new'), join(folder, 'disk.img')), /is a symbolic link/],
  ['a FIFO', () => execFileSync('mkfifo', [join(folder, 'disk.img')]), /is a FIFO, not a regular file/],
  [
    'a device',
    () => execFileSync('mknod', ['--mode=0600', join(folder, 'disk.img'), 'b', '7', '0']),
    /is a device, not a regular file/,
  ],
  ['a directory', () => mkdirSync(join(folder, 'disk.img')), /is a directory, not a regular file/],
])('a volume whose disk is %s is refused, and nothing gets another owner', (_, arrange, message) => {
  using fileSystem = OpenedPath.trusted(folder);
  writeFileSync(join(folder, 'secret'), '', { mode: 0o600 });
  arrange();
  expect(() => openDiskFile({ ...volume, newDiskBytes: BigInt(MIB) }, fileSystem)).toThrow(message);
  expect(statSync(join(folder, 'secret'))).toMatchObject({ size: 0, uid: 0, gid: 0 });
  expect(existsSync(join(folder, 'new'))).toBe(false);
  expect(lstatSync(join(folder, 'disk.img')).uid).toBe(0);
});

describe('a plugged volume', () => {
  const podUid = '11111111-2222-4333-8444-555555555555';
  let launcherDir: string;
  let attachment: TestContainer;

  beforeEach(async () => {
    const claim = join(folder, 'claim');
    launcherDir = join(folder, 'pods', podUid, 'volumes', 'kubernetes.io~empty-dir', 'hotplug-disks');
    mkdirSync(launcherDir, { recursive: true });
    for (const name of ['claim', 'host']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'host', 'secret'), 'secret');
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', claim]);
    writeFileSync(join(claim, 'disk.img'), 'disk');
    // its mounts are a copy of ours
    attachment = await startContainer();
  });
  afterEach(async () => {
    await attachment.close();
    for (const mount of mounts().reverse()) execFileSync('umount', ['--lazy', mount]);
  });

  const mounts = (): string[] =>
    readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[4] ?? '')
      .filter((mountPoint) => mountPoint.startsWith(`${folder}/`));
  const attached = (isFileSystem: boolean) => {
    const place = partsOf(join(folder, 'claim'));
    return { ...volume, containerId: attachment.id, place, isFileSystem };
  };
  const launcher = () => ({ podUid, containerId: 'c', volumes: new PodVolumes(folder), procDir: '/proc' });

  test('is mounted in the launcher Pod until it is detached', async () => {
    await plug(attached(false), launcher());
    expect(readFileSync(join(launcherDir, 'data.img'), 'utf8')).toBe('disk');
    expect(mounts()).toEqual([join(folder, 'claim'), join(launcherDir, 'data.img')]);
    await unplug('data', launcher());
    expect(mounts()).toEqual([join(folder, 'claim')]);
  });

  test.each<[string, boolean, (place: string) => void, RegExp]>([
    ['a link to a file of the node', false, (at) => symlinkSync(join(folder, 'host/secret'), at), /symbolic link/],
    ['a link to a new file of the node', false, (at) => symlinkSync(join(folder, 'host/new'), at), /symbolic link/],
    ['a FIFO', false, (at) => execFileSync('mkfifo', [at]), /is a FIFO, not a regular file/],
    ['a directory', false, (at) => mkdirSync(at), /is a directory, not a regular file/],
    ['a link to a directory of the node', true, (at) => symlinkSync(join(folder, 'host'), at), /symbolic link/],
  ])('is mounted nowhere if the launcher has put %s in its place', async (_, isFileSystem, plant, message) => {
    plant(join(launcherDir, isFileSystem ? 'data' : 'data.img'));
    await expect(plug(attached(isFileSystem), launcher())).rejects.toThrow(message);
    expect(mounts()).toEqual([join(folder, 'claim')]);
    expect(readFileSync(join(folder, 'host/secret'), 'utf8')).toBe('secret');
    expect(existsSync(join(folder, 'host/new'))).toBe(false);
  });
});
