import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskSource } from '../../../../../src/runtime/importer/source/disk-source';
import { Target } from '../../../../../src/runtime/importer/target/target';

const NOBODY = 65_534;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'virt8s-device-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Calls a function without the rights of root. */
async function asNobody(call: () => Promise<unknown>): Promise<unknown> {
  const user = process.geteuid!();
  if (user === 0) process.seteuid!(NOBODY);
  try {
    return await call();
  } finally {
    if (user === 0) process.seteuid!(0);
  }
}

test('a device that may not be opened names the setting of the container runtime', async () => {
  const path = join(folder, 'device');
  writeFileSync(path, '', { mode: 0o000 });
  await expect(asNobody(() => Target.device(path))).rejects.toMatchObject({
    problem: 'DeviceNotAccessible',
    message: expect.stringMatching(
      /^the container runtime of the node does not let user \d+ open the device of the claim$/,
    ),
    remedy: expect.stringContaining('device_ownership_from_security_context'),
  });
});

test('an unreadable file of a file system keeps its own error', async () => {
  const path = join(folder, 'disk.img');
  writeFileSync(path, '', { mode: 0o000 });
  await expect(asNobody(() => DiskSource.open(path, () => undefined))).rejects.toMatchObject({ code: 'EACCES' });
});

test('a device that does not exist is an error of its own', () =>
  expect(Target.device(join(tmpdir(), 'virt8s-no-device'))).rejects.toMatchObject({ code: 'ENOENT' }));
