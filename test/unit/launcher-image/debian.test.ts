import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  parseIndex,
  requireLibvirt,
  unpackArchives,
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
function build(name: string, version: string, files: readonly string[]): void {
  const root = join(folder, name);
  mkdirSync(join(root, 'DEBIAN'), { recursive: true });
  for (const file of files) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), name);
  }
  const control = `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: a <a@b.c>\nDescription: x\n`;
  writeFileSync(join(root, 'DEBIAN/control'), control);
  mkdirSync(join(folder, 'debs'), { recursive: true });
  const archive = `${name}_${version.replace(':', '%3a')}_all.deb`;
  execFileSync('dpkg-deb', ['--build', root, join(folder, 'debs', archive)]);
}

const INDEX = `Package: zlib1g
Source: zlib (1:1.3+x)
Version: 1:1.3
Architecture: arm64
Description: compression
 Package: none
SHA256: abc

Package: hello
Version: 2.10-3
Architecture: all
SHA256: def

Package: hello-2
Source: hello
Version: 2.10-3
Architecture: all
SHA256: 123

`;

test('records packages with version, source and digest, sorted by name', async () => {
  const packages = parseIndex(INDEX);
  expect(packages).toEqual([
    {
      ...{ name: 'hello', version: '2.10-3', architecture: 'all', source: 'hello', sourceVersion: '2.10-3' },
      sha256: 'def',
    },
    {
      ...{ name: 'hello-2', version: '2.10-3', architecture: 'all', source: 'hello', sourceVersion: '2.10-3' },
      sha256: '123',
    },
    {
      ...{ name: 'zlib1g', version: '1:1.3', architecture: 'arm64', source: 'zlib', sourceVersion: '1:1.3+x' },
      sha256: 'abc',
    },
  ]);
  await writePackageList(folder, packages);
  expect(readFileSync(join(folder, 'etc/packages'), 'utf8')).toBe('hello 2.10-3\nhello-2 2.10-3\nzlib1g 1:1.3\n');
});

describe('unpacked packages', () => {
  const [debs, root] = ['debs', 'root'];
  beforeEach(() => {
    build('zlib1g', '1:1.3', ['lib/libz.so.1']);
    build('hello-2', '2.10-3', ['usr/bin/hello 2', 'usr/share/doc/hello-2/README', 'usr/share/a/usr/share/doc/kept']);
    mkdirSync(join(folder, root));
  });
  const unpack = (): ReturnType<typeof unpackArchives> =>
    unpackArchives(join(folder, debs), join(folder, root), ['/usr/share/doc/*']);

  test('are recorded as the owners of their files, without what is excluded', async () => {
    writeFileSync(join(folder, debs, 'index'), INDEX);
    const { owners } = await unpack();
    expect(Object.fromEntries(owners)).toEqual({
      '/usr/bin/hello 2': 1,
      '/usr/share/a/usr/share/doc/kept': 1,
      '/usr/lib/libz.so.1': 2,
    });
    expect(readFileSync(join(folder, root, 'lib/libz.so.1'), 'utf8')).toBe('zlib1g');
    expect(existsSync(join(folder, root, 'usr/share/doc/hello-2'))).toBe(false);
  });

  test('are an error if apt does not describe them', async () => {
    writeFileSync(join(folder, debs, 'index'), INDEX.replace('hello-2', 'hello-3'));
    await expect(unpack()).rejects.toThrow('apt does not describe hello-2_2.10-3_all.deb');
  });

  test('are an error if one is damaged', async () => {
    writeFileSync(join(folder, debs, 'index'), INDEX);
    const file = join(folder, debs, 'hello-2_2.10-3_all.deb');
    writeFileSync(file, readFileSync(file).subarray(0, -40));
    await expect(unpack()).rejects.toThrow('dpkg-deb');
  });
});

test('unpacks packages of another architecture, and removes what describes this machine', async () => {
  const root = join(folder, 'root');
  build('hello', '2.10-3', ['usr/bin/hello', 'usr/share/x/hello', 'usr/share/man/hello']);
  let args: readonly string[] = [];
  jest.mocked(commands.mirror).mockResolvedValue('http://mirror.example/debian/');
  jest.mocked(commands.run).mockImplementation((command, given, input) => {
    if (command !== 'mmdebstrap') return realRun(command, given, input);
    args = given;
    for (const file of ['etc/hostname', 'etc/resolv.conf', 'etc/apt/sources.list', 'etc/issue']) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      writeFileSync(join(root, file), 'this machine');
    }
    execFileSync('mv', [join(folder, 'debs'), join(root, '.packages')]);
    writeFileSync(join(root, '.packages/index'), INDEX);
    return Promise.resolve('');
  });
  const { packages } = await unpackPackages(['hello'], root, { architecture: 'arm64', excluded: ['/usr/share/x/*'] });
  expect(packages).toEqual(parseIndex(INDEX));
  expect(args).toEqual(
    expect.arrayContaining(['--architectures=arm64', expect.stringMatching(/ --download-only .* hello$/m)]),
  );
  const files = execFileSync('find', ['.', '-type', 'f'], { cwd: root, encoding: 'utf8' });
  expect(files.trim().split('\n').sort()).toEqual(['./etc/issue', './usr/bin/hello']);
});
