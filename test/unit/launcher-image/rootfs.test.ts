import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ARCHITECTURES } from '../../../src/launcher-image/arch';
import type { DebianPackage } from '../../../src/launcher-image/debian';
import type { BaseRecipe } from '../../../src/launcher-image/recipe';
import { addShell, appletsOf, pickBase } from '../../../src/launcher-image/rootfs';

let from: string;
let to: string;
beforeEach(() => {
  from = mkdtempSync(join(tmpdir(), 'virt8s-from-'));
  to = mkdtempSync(join(tmpdir(), 'virt8s-to-'));
});
afterEach(() => {
  for (const folder of [from, to]) rmSync(folder, { recursive: true });
});

function file(path: string, mode = 0o644, content = path): void {
  mkdirSync(join(from, dirname(path)), { recursive: true });
  writeFileSync(join(from, path), content);
  chmodSync(join(from, path), mode);
}

const packages = ['first', 'second', 'unused'].map((name): DebianPackage => {
  return { name, version: '1', architecture: 'all', source: name, sourceVersion: '1', sha256: '' };
});
const recipe: BaseRecipe = {
  architecture: ARCHITECTURES.amd64,
  packages: [],
  programs: ['/bin/tool'],
  data: ['/usr/share/data', '/usr/share/link'],
  dropped: [/\/dropped$/],
  links: { '/bin': 'usr/bin' },
  copies: { '/usr/bin/renamed': '/usr/bin/original' },
  user: { name: 'user', id: 1001, home: '/', shell: '/sbin/nologin' },
};

test('copies what the recipe lists, and returns the packages that contain it', async () => {
  file('/usr/bin/tool', 0o755);
  file('/usr/bin/other', 0o755);
  file('/usr/bin/original', 0o755);
  file('/usr/share/data/kept');
  file('/usr/share/data/dropped');
  file('/usr/share/target');
  symlinkSync('target', join(from, 'usr/share/link'));
  const owners = new Map([
    ['/usr/bin/tool', 0],
    ['/usr/bin/original', 1],
    ['/usr/bin/other', 2],
    ['/usr/share/data/dropped', 2],
  ]);
  expect(await pickBase(recipe, { packages, owners }, from, to)).toEqual(packages.slice(0, 2));
  const files = execFileSync('find', ['usr', '-not', '-type', 'd'], { cwd: to, encoding: 'utf8' });
  expect(files.trim().split('\n').sort()).toEqual([
    'usr/bin/renamed',
    'usr/bin/tool',
    'usr/share/data/kept',
    'usr/share/link',
    'usr/share/target',
  ]);
  expect(readFileSync(join(to, 'usr/bin/renamed'), 'utf8')).toBe('/usr/bin/original');
  expect(readFileSync(join(to, 'etc/packages'), 'utf8')).toBe('first 1\nsecond 1\n');
  expect(readFileSync(join(to, 'etc/passwd'), 'utf8')).toContain('user:x:1001:1001:');
});

test.each([0o4755, 0o2755, 0o777])(
  'gives no program the rights of its owner, and lets only root write it: %o',
  async (mode) => {
    file('/usr/bin/tool', mode);
    file('/usr/bin/original');
    file('/usr/share/data/kept');
    file('/usr/share/link');
    await pickBase(recipe, { packages, owners: new Map() }, from, to);
    expect(lstatSync(join(to, 'usr/bin/tool')).mode & 0o7777).toBe(0o755);
  },
);

test('a path that the packages lack is an error', async () => {
  await expect(pickBase(recipe, { packages, owners: new Map() }, from, to)).rejects.toThrow(
    'do not contain /usr/bin/tool',
  );
});

const BUSYBOX = Buffer.from('\x7fELF…\0text\0[\0[[\0cat\0sh\0true\0\0more\0', 'latin1');

test('reads the names of the programs in busybox', () => {
  expect(appletsOf(BUSYBOX)).toEqual(['[', '[[', 'cat', 'sh', 'true']);
  expect(() => appletsOf(Buffer.from('\0[\0[[\0cat\0\0'))).toThrow('has no list of programs');
  expect(() => appletsOf(Buffer.alloc(64))).toThrow('has no list of programs');
});

test('links the programs of busybox, unless the image has one of the name', async () => {
  file('/usr/bin/busybox', 0o755, BUSYBOX.toString('latin1'));
  mkdirSync(join(to, 'usr/bin'), { recursive: true });
  writeFileSync(join(to, 'usr/bin/cat'), 'other');
  await addShell(from, to);
  expect(lstatSync(join(to, 'usr/bin/sh')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(to, 'usr/bin/cat'), 'utf8')).toBe('other');
});
