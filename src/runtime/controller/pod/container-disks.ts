import { keys } from '../../../api/keys';
import { CONTAINER_DISKS, KERNEL_BOOT_VOLUME, LAUNCHER_VOLUME, paths, VIRT_BIN_DIR, xdgEnvironment } from './constants';
import type { ImageDigests } from './image-digests';
import { isGuaranteed, pullPolicyOf } from './input';
import type { RenderInput } from './input';
import { launcherSecurity, unprivileged } from './security';
import { configuredSizes, sideResources } from './side-resources';
import type { Container, ResourceRequirements } from './types';
import type { VolumeParts } from './volumes';

/** An image whose files are used, not its processes. */
interface DiskImage {
  /** Name of the VMI's volume, or of the kernel's. */
  readonly name: string;
  readonly image: string;
  readonly pullPolicy?: string;
  /** Index in `spec.volumes`; undefined for the kernel. */
  readonly index?: number;
}

/** Input of the Pod; for a migration target also the digests of the images that the source runs from. */
export type DiskInput = RenderInput & { readonly digests?: ImageDigests };

function diskImages({ vmi, digests }: DiskInput): DiskImage[] {
  const disks = (vmi.spec.volumes ?? []).flatMap(({ name, containerDisk }, index) =>
    containerDisk
      ? [{ name, image: digests?.get(name) ?? containerDisk.image, pullPolicy: containerDisk.imagePullPolicy, index }]
      : [],
  );
  const kernel = vmi.spec.domain.firmware?.kernelBoot?.container;
  if (!kernel) return disks;
  const image = digests?.get(KERNEL_BOOT_VOLUME) ?? kernel.image;
  return [...disks, { name: KERNEL_BOOT_VOLUME, image, pullPolicy: kernel.imagePullPolicy }];
}

/** Images whose digest must be read from the status of a container. */
const unresolved = (input: DiskInput): DiskImage[] =>
  input.vmi.metadata.annotations?.[keys.skipDigestResolution] === 'true'
    ? []
    : diskImages(input).filter(({ name }) => !input.digests?.get(name)?.includes('@sha256:'));

/** Image volumes: the kubelet mounts the images. */
export function imageVolumes(input: DiskInput): VolumeParts {
  if (!input.config.hasGate('ImageVolume')) return {};
  const images = diskImages(input);
  const volumes = images.map(({ name, image, pullPolicy }) => ({
    name,
    image: { ...(image && { reference: image }), ...(pullPolicy && { pullPolicy }) },
  }));
  const launcher = { reference: input.launcherImage, pullPolicy: pullPolicyOf(input) };
  return {
    volumes: [...volumes, ...(unresolved(input).length > 0 ? [{ name: LAUNCHER_VOLUME, image: launcher }] : [])],
    mounts: images.map(({ name, index }) => ({
      name,
      mountPath: index === undefined ? paths.kernelBoot : `${paths.imageVolumes}/disk_${index}`,
      readOnly: true,
    })),
  };
}

/**
 * Containers that an image needs before the guest starts. With image volumes, one that exits immediately: its status shows
 * the image's digest, or why it cannot be pulled. Without them, the same one so that the images are pulled in time, after
 * a copy of the holder's binary (an image may contain only the disk).
 */
export function diskInitContainers(input: DiskInput): Container[] {
  if (input.config.hasGate('ImageVolume')) {
    const mount = { name: LAUNCHER_VOLUME, mountPath: paths.containerDiskBinary, readOnly: true };
    return unresolved(input).map((image) => ({
      ...holder(input, image),
      command: [`${paths.containerDiskBinary}/usr/bin/container-disk`],
      args: endsAtOnce,
      volumeMounts: [mount],
    }));
  }
  const images = diskImages(input);
  if (images.length === 0) return [];
  const pulls = images.map((image) => ({ ...sideContainer(input, image), args: endsAtOnce }));
  return [copyOfBinary(input), ...pulls.map((container) => ({ ...container, name: `${container.name}-init` }))];
}

function copyOfBinary(input: RenderInput): Container {
  return {
    name: 'container-disk-binary',
    image: input.launcherImage,
    imagePullPolicy: pullPolicyOf(input),
    command: ['/usr/bin/cp'],
    args: ['-p', '/usr/bin/container-disk', '/init/usr/bin/container-disk'],
    env: [...xdgEnvironment],
    resources: copyResources(input),
    securityContext: launcherSecurity,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: VIRT_BIN_DIR, mountPath: '/init/usr/bin' }],
  };
}

/** A tenth of a CPU if the Pod has dedicated CPUs: a request must not take one of them. */
function copyResources({ vmi, config }: RenderInput): ResourceRequirements {
  const { limits, requests } = configuredSizes(config, 'container-disk', {
    requests: { cpu: '10m', memory: '1M' },
    limits: { cpu: isGuaranteed(vmi) ? '10m' : '100m', memory: '40M' },
  });
  return { limits: { ...limits }, requests: isGuaranteed(vmi) ? { ...limits } : { ...requests } };
}

/** Without image volumes: a container per image, which keeps its files accessible while the guest runs. */
export function diskSideContainers(input: DiskInput): Container[] {
  if (input.config.hasGate('ImageVolume')) return [];
  return diskImages(input).map((image) => sideContainer(input, image));
}

/** `container-disk` is catatonit: `-P` waits until it is stopped, this exits immediately. */
const endsAtOnce = ['--version'];

function sideContainer(input: DiskInput, image: DiskImage): Container {
  return {
    ...holder(input, image),
    command: ['/usr/bin/container-disk'],
    args: ['-P'],
    volumeMounts: [
      { name: CONTAINER_DISKS, mountPath: `${paths.containerDisks}/${input.vmi.metadata.uid}` },
      { name: VIRT_BIN_DIR, mountPath: '/usr/bin' },
    ],
  };
}

function holder(input: DiskInput, { name, image, pullPolicy }: DiskImage): Container {
  return {
    name: `volume${name}`,
    ...(image && { image }),
    ...(pullPolicy && { imagePullPolicy: pullPolicy }),
    resources: sideResources(input, 'container-disk', {
      requests: { cpu: '1m', memory: '1M', 'ephemeral-storage': '50M' },
      limits: { cpu: '10m', memory: '40M' },
    }),
    securityContext: unprivileged,
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
