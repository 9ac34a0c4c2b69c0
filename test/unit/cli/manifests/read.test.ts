import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManifests } from '../../../../src/cli/manifests/read';

const folder = mkdtempSync(join(tmpdir(), 'virt8s-read-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder whose manifests are further down is reported as one, not passed over', async () => {
  mkdirSync(join(folder, 'env/production'), { recursive: true });
  writeFileSync(join(folder, 'env/production/vm.yaml'), 'kind: VirtualMachine\n');
  const [file, ...others] = await readManifests([join(folder, 'env')]);
  expect(others).toEqual([]);
  expect(file).toMatchObject({ documents: [], unreadable: expect.stringContaining('pass its subfolders instead') });
  expect(await readManifests([join(folder, 'env/production')])).toMatchObject([{ documents: [{}] }]);
});
