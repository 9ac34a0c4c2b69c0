import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from '../../../../src/runtime/launcher/disks/files';
import { MAX_VIRTUAL_SIZE, newQcow2 } from '../../../../src/runtime/launcher/disks/qcow2';

/** QEMU's own tool reads what we write. */

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'virt8s-qcow2-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test.each([512, 2 ** 30, 2 ** 42 + 512, MAX_VIRTUAL_SIZE])(
  'an image of %d bytes has no errors',
  async (virtualSize) => {
    const file = join(dir, 'disk.qcow2');
    await writeWhole(file, newQcow2({ virtualSize }), 'root');
    execFileSync('qemu-img', ['check', '-f', 'qcow2', file], { stdio: 'ignore' });
    const info = JSON.parse(execFileSync('qemu-img', ['info', '--output=json', file], { encoding: 'utf8' })) as object;
    expect(info).toMatchObject({
      format: 'qcow2',
      'virtual-size': virtualSize,
      'cluster-size': 65_536,
      'format-specific': { data: { 'refcount-bits': 16 } },
    });
    // the table is a hole, for every size of the image
    expect(statSync(file).blocks * 512).toBeLessThanOrEqual(4 * 65_536);
  },
);
