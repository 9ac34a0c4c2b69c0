import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIso } from '../../../../src/runtime/launcher/disks/iso9660';
import type { IsoFiles } from '../../../../src/runtime/launcher/disks/iso9660';

/** Reads the images with other programs: Debian's isoinfo and xorriso. */

let dir: string;
let image: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-iso-'));
  image = join(dir, 'image.iso');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const isoinfo = (...args: string[]): string =>
  execFileSync('isoinfo', ['-i', image, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
/** Files as a reader lists them, without the directories above them. */
const listed = (...args: string[]): string[] =>
  isoinfo('-f', ...args)
    .trim()
    .split('\n')
    .sort();

const long = 'k'.repeat(199);
const files: IsoFiles = {
  'meta-data': '{}',
  [`${long}a`]: 'first',
  [`${long}b`]: 'second',
  ['x'.repeat(64)]: '64',
  ['x'.repeat(65)]: '65',
  ['x'.repeat(253)]: '253',
  'UPPER and lower.Txt': 'spaces',
  'grüße-日本': 'letters',
  '..hidden': 'dots',
  'openstack/latest/user_data': 'nested',
  'openstack/content/0000': '',
};
const paths = Object.keys(files).map((path) => `/${path}`);

test('isoinfo finds Rock Ridge and Joliet, and all names whole', () => {
  writeFileSync(image, buildIso('cidata', files));
  expect(isoinfo('-d')).toMatch(/Joliet with UCS level 3 found[\s\S]*Rock Ridge signatures version 1 found/);
  expect(listed('-R')).toEqual([...paths, '/openstack', '/openstack/content', '/openstack/latest'].sort());
  for (const [path, content] of Object.entries(files)) expect(isoinfo('-R', '-x', `/${path}`)).toBe(content);
});

test('isoinfo finds a different Joliet name for each file', () => {
  writeFileSync(image, buildIso('cidata', files));
  const names = listed('-J').map((name) => name.replace(/;1$/, ''));
  expect(new Set(names).size).toBe(paths.length + 3);
  expect(Math.max(...names.map((name) => name.split('/').at(-1)!.length))).toBe(64);
});

test('xorriso extracts the written files', () => {
  writeFileSync(image, buildIso('cidata', files));
  const out = join(dir, 'out');
  execFileSync('xorriso', ['-osirrox', 'on', '-indev', image, '-extract', '/', out], { stdio: 'ignore' });
  for (const [path, content] of Object.entries(files)) expect(readFileSync(join(out, path), 'utf8')).toBe(content);
});
