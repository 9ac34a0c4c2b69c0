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

test('a kernel that the image does not have, or that is a link, is rejected', async () => {
  await expect(kernelOf('/boot/vmlinuz')).rejects.toThrow('the image has no /boot/vmlinuz');
  mkdirSync(join(dir, 'kernel-boot'));
  symlinkSync('/etc/passwd', join(dir, 'kernel-boot', 'vmlinuz'));
  await expect(kernelOf('/vmlinuz')).rejects.toThrow('the image has no /vmlinuz');
});
