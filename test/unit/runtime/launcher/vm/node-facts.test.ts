import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { VirtualMachineInstance } from '../../../../../src/api';
import { paths as podPaths } from '../../../../../src/runtime/controller/pod/constants';
import { DEFAULT_PATHS, pathsOf } from '../../../../../src/runtime/launcher/paths';
import { gatherFacts } from '../../../../../src/runtime/launcher/vm/node-facts';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'virt8s-facts-'))));
afterEach(() => rmSync(dir, { recursive: true }));

const paths = () =>
  pathsOf({ ...DEFAULT_PATHS, containerDisks: join(dir, 'container-disks'), kernelBoot: join(dir, 'kernel-boot') });
const kernelOf = async (kernelPath: string) => {
  const container = { image: 'k', kernelPath };
  const vmi = {
    metadata: { name: 'web', namespace: 'ns', uid: 'u' },
    spec: { domain: { devices: {}, firmware: { kernelBoot: { container } } } },
  } as VirtualMachineInstance;
  return (await gatherFacts(vmi, {}, [], paths())).kernelBoot?.kernel?.slice(dir.length);
};
const write = (path: string): void => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), '');
};

test('images are where virt-controller has the kubelet mount them', () => {
  const { imageVolumes, kernelBoot, containerDisks } = DEFAULT_PATHS;
  expect({ imageVolumes, kernelBoot, containerDisks }).toEqual({
    imageVolumes: podPaths.imageVolumes,
    kernelBoot: podPaths.kernelBoot,
    containerDisks: podPaths.containerDisks,
  });
});

test('the kernel of an image volume is found by its path in the image', async () => {
  write('kernel-boot/boot/vmlinuz');
  expect(await kernelOf('/boot/vmlinuz')).toBe('/kernel-boot/boot/vmlinuz');
});

test('the kernel of a side container is found by its name', async () => {
  write('container-disks/kernel-boot/vmlinuz');
  expect(await kernelOf('/boot/vmlinuz')).toBe('/container-disks/kernel-boot/vmlinuz');
});

test('a kernel that the image does not have is rejected', () =>
  expect(kernelOf('/boot/vmlinuz')).rejects.toThrow('the image has no /boot/vmlinuz'));

describe('a kernel of a hostile image', () => {
  beforeEach(() => {
    write('secrets/token');
    write('kernel-boot/boot/vmlinuz');
    symlinkSync(join(dir, 'secrets/token'), join(dir, 'kernel-boot/file'));
    symlinkSync(join(dir, 'secrets'), join(dir, 'kernel-boot/folder'));
    symlinkSync('boot', join(dir, 'kernel-boot/inside'));
    execFileSync('mkfifo', [join(dir, 'kernel-boot/pipe')]);
  });

  test.each([
    ['a link', '/file'],
    ['below a linked folder', '/folder/token'],
    ['below a folder that is linked within the image', '/inside/vmlinuz'],
    ['outside of the image', '/boot/../../secrets/token'],
    ['a pipe', '/pipe'],
    ['a folder', '/boot'],
  ])('that is %s is rejected', (_, path) => expect(kernelOf(path)).rejects.toThrow(`the image has no ${path}`));

  test('that is a file is found', async () =>
    expect(await kernelOf('/boot/vmlinuz')).toBe('/kernel-boot/boot/vmlinuz'));
});
