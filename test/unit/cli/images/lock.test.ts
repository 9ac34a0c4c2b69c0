import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformImages } from '../../../../src';
import { architecturesOf } from '../../../../src/cli/images/architectures';
import { lockOf, writeLock } from '../../../../src/cli/images/lock';
import { imageNames } from '../../../../src/cli/images/names';

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
const before = { lockVersion: 1, registry: 'r.example/a', tag: 'v1', images: { 'virt-api': digest('1') } };

test.each<[string, string, string, Record<string, string>]>([
  [
    'keeps images of the same registry and tag',
    'r.example/a',
    'v1',
    { 'virt-api': digest('1'), 'virt-operator': digest('2') },
  ],
  ['drops images of another tag', 'r.example/a', 'v2', { 'virt-operator': digest('2') }],
  ['drops images of another registry', 'r.example/b', 'v1', { 'virt-operator': digest('2') }],
])('%s', (_, registry, tag, images) => {
  expect(lockOf(registry, tag, { 'virt-operator': digest('2'), engine: digest('3') }, before)).toEqual({
    ...{ lockVersion: 1, registry, tag, images },
  });
});

test('replaces the digest of an image that was pushed again', () => {
  expect(lockOf('r.example/a', 'v1', { 'virt-api': digest('2') }, before).images).toEqual({ 'virt-api': digest('2') });
});

test('a lock of all images is what PlatformImages.fromLock reads; until then, missing images are reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-lock-'));
  const file = join(folder, 'images.lock.json');
  try {
    writeFileSync(file, 'damaged');
    const [first, ...others] = imageNames;
    expect(writeLock(file, 'r.example/a', 'v1', { [first!]: digest('1') })).toEqual(others);
    expect(() => PlatformImages.fromLock(file)).toThrow(`does not contain ${others.join(', ')}`);
    expect(writeLock(file, 'r.example/a', 'v1', Object.fromEntries(others.map((name) => [name, digest('2')])))).toEqual(
      [],
    );
    expect(PlatformImages.fromLock(file).uploadProxy).toBe(`r.example/a/upload-proxy@${digest('1')}`);
    expect(readFileSync(file, 'utf8')).toMatch(/\}\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['amd64', ['amd64']],
  ['amd64,arm64', ['amd64', 'arm64']],
  ['arm64, arm64', ['arm64']],
])('--arch %s', (text, architectures) => {
  expect(architecturesOf(text, ['virt-api'])).toEqual(architectures);
});

test.each([
  ['riscv64', ['virt-api'], '--arch: "riscv64" is not an architecture of the images (allowed: amd64, arm64)'],
  ['', ['virt-api'], '"" is not an architecture'],
  ['amd64,arm64', ['engine'], 'the image of the engine exists only for amd64'],
])('--arch %s of %j is rejected', (text, names, words) => {
  expect(() => architecturesOf(text, names)).toThrow(words);
});
