import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readPackages,
  requireLibvirt,
  unpackPackages,
  writePackageList,
  type DebianPackage,
} from '../../../src/launcher-image/debian';
import * as commands from '../../../src/launcher-image/run';

type Commands = typeof commands;
jest.mock('../../../src/launcher-image/run', () => {
  const actual = jest.requireActual<Commands>('../../../src/launcher-image/run');
  return { run: jest.fn(actual.run), mirror: jest.fn(actual.mirror) };
});
const { run: realRun } = jest.requireActual<Commands>('../../../src/launcher-image/run');

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'virt8s-debian-'))));
afterEach(() => {
  jest.mocked(commands.run).mockImplementation(realRun);
  rmSync(folder, { recursive: true });
});

const libvirt = (version: string): DebianPackage[] => [
  { name: 'libvirt-daemon', version, architecture: 'amd64', source: 'libvirt', sourceVersion: version, sha256: '' },
];

test.each(['11.3.0-3+deb13u4', '11.3.0-3', '1:11.3.0-3'])(
  'accepts libvirt %s, whose protocol is generated',
  (version) => {
    expect(() => requireLibvirt('11.3.0', libvirt(version))).not.toThrow();
  },
);

test.each([
  ['9.0.0-4', '9.0.0'],
  ['11.3.01-1', '11.3.01'],
  ['11.9.0-1', '11.9.0'],
])('rejects libvirt %s and names the constant', (version, upstream) => {
  expect(() => requireLibvirt('11.3.0', libvirt(version))).toThrow(
    `contain libvirt ${upstream}, not 11.3.0: set LIBVIRT_VERSION in src/launcher-image/recipe.ts to ${upstream}`,
  );
});

test('rejects packages without libvirt', () => {
  expect(() => requireLibvirt('11.3.0', [])).toThrow('contain libvirt (none), not 11.3.0');
});

/** Builds the file of a package. */
function build(name: string, fields: string, files: readonly string[], archive: string): void {
  const root = join(folder, name);
  mkdirSync(join(root, 'DEBIAN'), { recursive: true });
  for (const file of files) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), name);
  }
  const control = `Package: ${name}\n${fields}Maintainer: a <a@b.c>\nDescription: x\n`;
  writeFileSync(join(root, 'DEBIAN/control'), control);
  mkdirSync(join(folder, 'debs'), { recursive: true });
  execFileSync('dpkg-deb', ['--build', root, join(folder, 'debs', archive)]);
}

test('records packages with version, source and digest, and the owners of their files', async () => {
  build('zlib1g', 'Version: 1:1.3\nArchitecture: arm64\nSource: zlib (1:1.3+x)\n', ['lib/libz.so.1'], 'a.deb');
  build('hello', 'Version: 2.10-3\nArchitecture: all\n', ['usr/bin/hello', 'usr/share/hello/text'], 'z.deb');
  const { packages, owners } = await readPackages(join(folder, 'debs'));
  const sha256 = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, 'debs', file)))
      .digest('hex');
  // sorted by their names, not by the names of their files
  expect(packages).toEqual([
    {
      ...{ name: 'hello', version: '2.10-3', architecture: 'all', source: 'hello', sourceVersion: '2.10-3' },
      sha256: sha256('z.deb'),
    },
    {
      ...{ name: 'zlib1g', version: '1:1.3', architecture: 'arm64', source: 'zlib', sourceVersion: '1:1.3+x' },
      sha256: sha256('a.deb'),
    },
  ]);
  expect(Object.fromEntries(owners)).toEqual({
    '/usr/bin/hello': 0,
    '/usr/share/hello/text': 0,
    '/usr/lib/libz.so.1': 1,
  });
  await writePackageList(folder, packages);
  expect(readFileSync(join(folder, 'etc/packages'), 'utf8')).toBe('hello 2.10-3\nzlib1g 1:1.3\n');
});

test('unpacks packages of another architecture, and removes what describes this machine', async () => {
  const root = join(folder, 'root');
  let args: readonly string[] = [];
  jest.mocked(commands.mirror).mockResolvedValue('http://mirror.example/debian/');
  jest.mocked(commands.run).mockImplementation((_, given) => {
    args = given;
    for (const file of ['etc/hostname', 'etc/resolv.conf', 'etc/apt/sources.list', 'etc/issue', '.packages/x']) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      if (file !== '.packages/x') writeFileSync(join(root, file), 'this machine');
    }
    return Promise.resolve('');
  });
  const { packages } = await unpackPackages(['hello'], root, { architecture: 'arm64', excluded: ['/usr/share/x/*'] });
  expect(packages).toEqual([]);
  expect(args).toEqual(expect.arrayContaining(['--architectures=arm64', '--dpkgopt=path-exclude=/usr/share/x/*']));
  expect(execFileSync('find', ['.', '-type', 'f'], { cwd: root, encoding: 'utf8' })).toBe('./etc/issue\n');
});
