import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exceeds, limitedVolumes } from '../../../../../src/local/node/volumes/limits';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'virt8s-limits-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('a volume exceeds its limit with the first byte more than allowed', async () => {
  mkdirSync(join(directory, 'sub'));
  writeFileSync(join(directory, 'sub', 'file'), Buffer.alloc(100_000, 1));
  const used =
    512 *
    [join(directory, 'sub'), join(directory, 'sub', 'file')].reduce((sum, path) => sum + statSync(path).blocks, 0);
  expect(await exceeds(directory, used - 1)).toBe(true);
  expect(await exceeds(directory, used)).toBe(false);
});

test('links are not followed, and a file with several names counts once', async () => {
  writeFileSync(join(directory, 'file'), Buffer.alloc(100_000, 1));
  const { blocks } = statSync(join(directory, 'file'));
  linkSync(join(directory, 'file'), join(directory, 'again'));
  symlinkSync('/usr', join(directory, 'usr'));
  expect(await exceeds(directory, blocks * 512 + 4096)).toBe(false);
});

test('a volume that is removed meanwhile exceeds no limit', async () => {
  expect(await exceeds(join(directory, 'none'), 1)).toBe(false);
});

test('only volumes on disk with a limit are measured', () => {
  const volumes = [
    { name: 'disk', emptyDir: { sizeLimit: '1Mi' } },
    { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
    { name: 'free', emptyDir: {} },
    { name: 'other', configMap: { name: 'a' } },
  ];
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers: [], volumes } };
  expect(limitedVolumes(pod)).toEqual([{ name: 'disk', limit: 1 << 20, text: '1Mi' }]);
});
