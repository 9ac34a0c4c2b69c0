import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformImages, PullPolicy } from '../../../../src';
import { IMAGE_PROPERTIES } from '../../../../src/constructs/platform/image-lock';

const names = Object.keys(IMAGE_PROPERTIES) as (keyof typeof IMAGE_PROPERTIES)[];
const digestOf = (index: number): string => `sha256:${String(index).repeat(64)}`;
const images = Object.fromEntries(names.map((name, index) => [name, digestOf(index)]));
const lock = { lockVersion: 1, registry: 'registry.example:5000/virt8s', tag: 'v1.2.0', images };

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'virt8s-lock-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function written(content: unknown): string {
  const file = join(folder, 'images.lock.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('uses each image by its digest, and keeps registry and tag for the KubeVirt object', () => {
  const read = PlatformImages.fromLock(written(lock), {
    pullPolicy: PullPolicy.IF_NOT_PRESENT,
    pullSecrets: [{ name: 'r' }],
  });
  names.forEach((name, index) => {
    expect(read[IMAGE_PROPERTIES[name]]).toBe(`registry.example:5000/virt8s/${name}@${digestOf(index)}`);
  });
  expect([read.registry, read.tag]).toEqual(['registry.example:5000/virt8s', 'v1.2.0']);
  expect([read.pullPolicy, read.pullSecrets]).toEqual([PullPolicy.IF_NOT_PRESENT, [{ name: 'r' }]]);
});

test('a missing file is reported with its path and the command that writes it', () => {
  const file = join(folder, 'none.json');
  expect(() => PlatformImages.fromLock(file)).toThrow(`PlatformImages.fromLock: file: "${file}" does not exist`);
  expect(() => PlatformImages.fromLock(file)).toThrow('virt8s images build --push REGISTRY --lock FILE');
});

test('a file that cannot be read is reported with the reason', () => {
  expect(() => PlatformImages.fromLock(folder)).toThrow(/cannot be read: EISDIR/);
});

const { 'virt-api': _api, ...withoutApi } = images;
test.each<[string, unknown, string]>([
  ['text that is not JSON', '{', 'is not valid JSON'],
  ['a list', [], 'must contain an object'],
  ['another format', { ...lock, lockVersion: 2 }, 'has lockVersion 2, not 1'],
  ['no format', { ...lock, lockVersion: undefined }, 'has lockVersion undefined, not 1'],
  ['no registry', { ...lock, registry: undefined }, 'registry and tag of'],
  ['a registry that is not one', { ...lock, registry: 'https://r.example' }, '"https://r.example" is not a registry'],
  ['a tag that is not one', { ...lock, tag: 'a b' }, '"a b" is not a tag'],
  ['a list of images', { ...lock, images: [] }, 'images of'],
  [
    'an unknown image',
    { ...lock, images: { ...images, 'virt-x': digestOf(1) } },
    '"virt-x", which is not an image of the platform',
  ],
  ['a missing image', { ...lock, images: withoutApi }, 'does not contain virt-api'],
  [
    'a short digest',
    { ...lock, images: { ...images, 'virt-api': 'sha256:00' } },
    '"sha256:00" is not a digest of virt-api',
  ],
  ['a digest that is a number', { ...lock, images: { ...images, 'virt-api': 7 } }, '7 is not a digest of virt-api'],
  [
    'a digest with capitals',
    { ...lock, images: { ...images, 'virt-api': `sha256:${'A'.repeat(64)}` } },
    'is not a digest of virt-api',
  ],
])('rejects %s', (_, content, words) => {
  expect(() => PlatformImages.fromLock(written(content))).toThrow(words);
});
