import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { programsFolder } from '../../../src/cli/programs';

let folder: string;
let root: string;
let cache: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'virt8s-programs-'));
  root = join(folder, 'package');
  cache = join(folder, 'cache');
  mkdirSync(join(root, 'build'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Scripts of the launcher's image are executable. */
const pack = (files: Record<string, string>): void => {
  const all = Object.entries(files).map(([path, text]) => ({ path, executable: text.startsWith('#!'), text }));
  writeFileSync(join(root, 'build/programs.br'), brotliCompressSync(JSON.stringify(all)));
};

test('a checkout uses the programs of its build folder', () => {
  writeFileSync(join(root, 'build/engine.cjs'), '');
  expect(programsFolder(root, cache)).toBe(join(root, 'build'));
  expect(existsSync(cache)).toBe(false);
});

test('a package unpacks its programs once, and leaves nothing else in the cache', () => {
  pack({
    'package.json': '{"version":"1.2.3"}',
    'build/engine.cjs': 'engine',
    'build/images/etc/a.conf': 'a',
    'build/images/run': '#!',
  });
  const found = programsFolder(root, cache);
  expect(readFileSync(join(found, 'engine.cjs'), 'utf8')).toBe('engine');
  expect(readFileSync(join(found, 'images/etc/a.conf'), 'utf8')).toBe('a');
  const modes = ['images/etc/a.conf', 'images/run'].map((file) => statSync(join(found, file)).mode & 0o111);
  expect(modes).toEqual([0, 0o111]);
  expect(readFileSync(join(found, '../package.json'), 'utf8')).toBe('{"version":"1.2.3"}');
  writeFileSync(join(found, 'engine.cjs'), 'as before');
  expect(programsFolder(root, cache)).toBe(found);
  expect(readFileSync(join(found, 'engine.cjs'), 'utf8')).toBe('as before');
  expect(readdirSync(join(cache, 'programs'))).toHaveLength(1);
});

test('another version of the package unpacks its own programs', () => {
  pack({ 'build/engine.cjs': 'old' });
  const old = programsFolder(root, cache);
  pack({ 'build/engine.cjs': 'new' });
  expect(readFileSync(join(programsFolder(root, cache), 'engine.cjs'), 'utf8')).toBe('new');
  // an engine of the old version may be running
  expect(readFileSync(join(old, 'engine.cjs'), 'utf8')).toBe('old');
});

test('a cache that cannot be written is an error that names the way out', () => {
  pack({ 'build/engine.cjs': '' });
  writeFileSync(cache, 'a file');
  expect(() => programsFolder(root, cache)).toThrow(/cannot be unpacked into .*programs: .*; set VIRT8S_CACHE to a/);
});

test('a checkout without bundles is an error with the command that builds them', () => {
  expect(() => programsFolder(root, cache)).toThrow('engine.cjs is missing; run: npm run bundle');
});
