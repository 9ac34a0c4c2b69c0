import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Linker, parseNeeds } from '../../../src/launcher-image/elf';
import * as commands from '../../../src/launcher-image/run';

type Commands = typeof commands;
jest.mock('../../../src/launcher-image/run', () => {
  const actual = jest.requireActual<Commands>('../../../src/launcher-image/run');
  return { run: jest.fn(actual.run), mirror: jest.fn(actual.mirror) };
});
const { run: realRun } = jest.requireActual<Commands>('../../../src/launcher-image/run');

const PROGRAM = `
Elf file type is DYN (Position-Independent Executable file)
      [Requesting program interpreter: /lib64/ld-linux-x86-64.so.2]
Dynamic section at offset 0x1a40 contains 28 entries:
  Tag        Type                         Name/Value
 0x0000000000000001 (NEEDED)             Shared library: [libfirst.so.1]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
 0x000000000000001d (RUNPATH)            Library runpath: [/usr/lib/own:$ORIGIN/../beside]
`;

test.each([
  [
    'a program',
    PROGRAM,
    {
      interpreter: '/lib64/ld-linux-x86-64.so.2',
      libraries: ['libfirst.so.1', 'libc.so.6'],
      folders: ['/usr/lib/own', '$ORIGIN/../beside'],
    },
  ],
  [
    'a library with the older kind of path',
    ' 0x000000000000000f (RPATH)              Library rpath: [/usr/lib/old]\n',
    { interpreter: undefined, libraries: [], folders: ['/usr/lib/old'] },
  ],
  [
    'a static program',
    'There is no dynamic section in this file.\n',
    { interpreter: undefined, libraries: [], folders: [] },
  ],
])('reads what %s needs', (_, text, needs) => {
  expect(parseNeeds(text)).toEqual(needs);
});

describe('libraries of a program', () => {
  let root: string;
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'virt8s-elf-'))));
  afterEach(() => {
    jest.mocked(commands.run).mockImplementation(realRun);
    rmSync(root, { recursive: true });
  });

  /** Creates files of which `readelf` prints a text. */
  function files(texts: Readonly<Record<string, string>>): void {
    for (const path of Object.keys(texts)) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), '\x7fELF');
    }
    jest.mocked(commands.run).mockImplementation((_, args) => Promise.resolve(texts[args.at(-1)!.slice(root.length)]!));
  }
  const needs = (...names: string[]): string => names.map((name) => `(NEEDED)  Shared library: [${name}]\n`).join('');

  test('come from the folders that the file names, then from those of the architecture', async () => {
    files({
      '/usr/bin/app': PROGRAM,
      '/usr/lib64/ld-linux-x86-64.so.2': '',
      '/usr/beside/libfirst.so.1': needs('libsecond.so'),
      '/usr/lib/x86_64-linux-gnu/libfirst.so.1': '',
      '/usr/lib/x86_64-linux-gnu/libsecond.so': needs('libc.so.6', 'libfirst.so.1'),
      '/usr/lib/x86_64-linux-gnu/libc.so.6': '',
    });
    expect(await new Linker(root, 'x86_64-linux-gnu').librariesOf('/bin/app')).toEqual([
      '/usr/beside/libfirst.so.1',
      '/usr/lib/x86_64-linux-gnu/libc.so.6',
      '/usr/lib/x86_64-linux-gnu/libfirst.so.1',
      '/usr/lib/x86_64-linux-gnu/libsecond.so',
      '/usr/lib64/ld-linux-x86-64.so.2',
    ]);
  });

  test('that are missing are an error', async () => {
    files({ '/usr/bin/app': needs('libnone.so.3') });
    await expect(new Linker(root, 'x86_64-linux-gnu').librariesOf('/usr/bin/app')).rejects.toThrow(
      '/usr/bin/app requires libnone.so.3, which the packages do not contain',
    );
  });

  test('are not searched for scripts', async () => {
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    writeFileSync(join(root, 'usr/bin/app'), '#!/bin/sh\n');
    expect(await new Linker(root, 'x86_64-linux-gnu').librariesOf('/usr/bin/app')).toEqual([]);
  });
});

test('the libraries of a real program are those that the loader of this machine finds', async () => {
  const triplet = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch as 'x64' | 'arm64'];
  const found = await new Linker('/', triplet).librariesOf('/usr/bin/ls');
  const text = await commands.run('ldd', ['/usr/bin/ls']);
  const names = [...text.matchAll(/(\S+) \(0x/g)].map(([, path]) => path!.split('/').at(-1)!);
  expect([...new Set(found.map((path) => path.split('/').at(-1)))].sort()).toEqual(
    names.filter((name) => !name.startsWith('linux-vdso')).sort(),
  );
});
