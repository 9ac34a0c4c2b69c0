import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveNode } from '../../../../src/runtime/handler/hotplug/plug';
import { openDiskFile } from '../../../../src/runtime/handler/hotplug/source';
import { OpenedPath } from '../../../../src/runtime/handler/paths/safe-path';

const MIB = 1 << 20;

/** A volume that a killed handler had begun to provide. */
describe('a volume that was provided in part', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'virt8s-plug-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const volume = { name: 'data', containerId: 'c', place: ['data'], isBlock: false, isFileSystem: false };

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
