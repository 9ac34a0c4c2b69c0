import type { VirtualMachineInstance } from '../../../api';
import { KERNEL_BOOT_VOLUME } from './constants';
import type { Pod } from './types';

/** Images of container disks and kernel with their digests, by volume. */
export type ImageDigests = ReadonlyMap<string, string>;

const DIGEST = '@sha256:';

/**
 * What a running launcher Pod really runs from: a tag may mean another image by now, and both ends of a migration need
 * the same. @throws when a container's status does not tell a digest
 */
export function imageDigests(vmi: VirtualMachineInstance, pod: Pod): ImageDigests {
  const images = new Map<string, string>();
  for (const { name, containerDisk } of vmi.spec.volumes ?? [])
    if (containerDisk) images.set(name, containerDisk.image);
  const kernel = vmi.spec.domain.firmware?.kernelBoot?.container;
  if (kernel) images.set(KERNEL_BOOT_VOLUME, kernel.image);
  // the Pod says how it reaches its images: the cluster may prefer another way by now
  const usesImageVolumes = (pod.spec.volumes ?? []).some(({ image }) => image);
  const statuses = [...(pod.status?.containerStatuses ?? [])];
  if (usesImageVolumes) {
    statuses.push(...(pod.status?.initContainerStatuses ?? []));
    // after a migration the volumes themselves have the digests
    for (const { name, image } of pod.spec.volumes ?? []) {
      if (image?.reference?.includes(DIGEST) && images.has(name)) images.set(name, image.reference);
    }
  }
  for (const { name, imageID } of statuses) {
    const volume = name.startsWith('volume') ? name.slice('volume'.length) : '';
    const image = images.get(volume);
    if (image !== undefined) images.set(volume, withDigest(image, imageID));
  }
  return images;
}

function withDigest(image: string, imageId: string | undefined): string {
  const [, digest] = /sha256:([a-zA-Z0-9]+)/.exec(imageId ?? '') ?? [];
  if (!digest) {
    throw new Error(
      `image "${image}" of the running guest: its container's status tells no digest (imageID "${imageId ?? ''}"); ` +
        'wait until the node reports one',
    );
  }
  const at = image.indexOf(DIGEST);
  const colon = image.lastIndexOf(':');
  const repository = at >= 0 ? image.slice(0, at) : colon > image.lastIndexOf('/') ? image.slice(0, colon) : image;
  return `${repository}${DIGEST}${digest}`;
}
