import { CONTAINER_DISKS, KERNEL_BOOT_VOLUME, LAUNCHER_VOLUME, paths, QEMU_UID, VIRT_BIN_DIR } from './constants';
import type { RenderInput } from './input';
import { sideResources } from './resources';
import type { Container } from './types';
import type { VolumeParts } from './volumes';

interface DiskImage {
  /** Volume of the VMI, or the kernel's. */
  readonly name: string;
  readonly image: string;
  readonly pullPolicy?: string;
  /** Index in `spec.volumes`; `undefined` for the kernel. */
  readonly index?: number;
}

/** Every image of which files, not processes, are wanted. */
export function diskImages({ vmi }: RenderInput): DiskImage[] {
  const disks = (vmi.spec.volumes ?? []).flatMap(({ name, containerDisk }, index) =>
    containerDisk ? [{ name, image: containerDisk.image, pullPolicy: containerDisk.imagePullPolicy, index }] : [],
  );
  const kernel = vmi.spec.domain.firmware?.kernelBoot?.container;
  return kernel?.image
    ? [...disks, { name: KERNEL_BOOT_VOLUME, image: kernel.image, pullPolicy: kernel.imagePullPolicy }]
    : disks;
}

/** Image volumes: the kubelet mounts the images themselves. */
export function imageVolumes(input: RenderInput, launcherPullPolicy: string): VolumeParts {
  const images = diskImages(input);
  if (!input.config.hasGate('ImageVolume') || images.length === 0) return {};
  const volumes = images.map(({ name, image, pullPolicy }) => ({
    name,
    image: { reference: image, ...(pullPolicy && { pullPolicy }) },
  }));
  const launcher = { reference: input.launcherImage, pullPolicy: launcherPullPolicy };
  return {
    volumes: [...volumes, { name: LAUNCHER_VOLUME, image: launcher }],
    mounts: images.map(({ name, index }) => ({
      name,
      mountPath: index === undefined ? paths.kernelBoot : `${paths.imageVolumes}/disk_${index}`,
      readOnly: true,
    })),
  };
}

/**
 * The containers that an image needs before the guest starts. With image volumes: one that does nothing, so that its
 * status tells the image's digest and why it cannot be pulled. Without: the same, so that the images are there in time,
 * after a copy of the holder's binary (an image may hold nothing but the disk).
 */
export function diskInitContainers(input: RenderInput, launcherPullPolicy: string): Container[] {
  const images = diskImages(input);
  if (images.length === 0) return [];
  if (input.config.hasGate('ImageVolume')) {
    if (input.vmi.metadata.annotations?.['kubevirt.io/image-volume-skip-digest-resolution'] === 'true') return [];
    const mount = { name: LAUNCHER_VOLUME, mountPath: '/container-disk-binary', readOnly: true };
    return images.map((image) => ({
      ...holder(input, image),
      command: ['/container-disk-binary/usr/bin/container-disk'],
      args: endsAtOnce,
      volumeMounts: [mount],
    }));
  }
  const copy: Container = {
    ...secured,
    name: 'container-disk-binary',
    image: input.launcherImage,
    imagePullPolicy: launcherPullPolicy,
    command: ['/usr/bin/cp'],
    args: ['-p', '/usr/bin/container-disk', '/init/usr/bin/container-disk'],
    resources: sideResources(input, 'container-disk', {
      requests: { cpu: '10m', memory: '1M' },
      limits: { cpu: '100m', memory: '40M' },
    }),
    volumeMounts: [{ name: VIRT_BIN_DIR, mountPath: '/init/usr/bin' }],
  };
  const pulls = images.map((image) => ({ ...sideContainer(input, image), args: endsAtOnce }));
  return [copy, ...pulls.map((container) => ({ ...container, name: `${container.name}-init` }))];
}

/** Without image volumes: a container per image that keeps its files reachable while the guest runs. */
export function diskSideContainers(input: RenderInput): Container[] {
  if (input.config.hasGate('ImageVolume')) return [];
  return diskImages(input).map((image) => sideContainer(input, image));
}

const SHARED_DIR = '/var/run/kubevirt-container-disks';

/** `container-disk` is catatonit: `-P` waits to be ended, this ends at once. */
const endsAtOnce = ['--version'];

function sideContainer(input: RenderInput, image: DiskImage): Container {
  return {
    ...holder(input, image),
    command: ['/usr/bin/container-disk'],
    args: ['-P'],
    volumeMounts: [
      { name: CONTAINER_DISKS, mountPath: SHARED_DIR },
      { name: VIRT_BIN_DIR, mountPath: '/usr/bin' },
    ],
  };
}

const secured = {
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    runAsUser: QEMU_UID,
  },
};

function holder(input: RenderInput, { name, image, pullPolicy }: DiskImage): Container {
  return {
    ...secured,
    name: `volume${name}`,
    image,
    ...(pullPolicy && { imagePullPolicy: pullPolicy }),
    resources: sideResources(input, 'container-disk', {
      requests: { cpu: '1m', memory: '1M', 'ephemeral-storage': '50M' },
      limits: { cpu: '10m', memory: '40M' },
    }),
  };
}

/** Secrets for the registries of disks and kernel. */
export function pullSecrets({ vmi }: RenderInput): { name: string }[] {
  const names = [
    ...(vmi.spec.volumes ?? []).map((volume) => volume.containerDisk?.imagePullSecret),
    vmi.spec.domain.firmware?.kernelBoot?.container?.imagePullSecret,
  ];
  return [...new Set(names.filter((name): name is string => Boolean(name)))].map((name) => ({ name }));
}
