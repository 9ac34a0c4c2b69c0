import type { VirtualMachineInstance } from '../../../api';
import { KERNEL_BOOT_VOLUME } from './constants';
import type { Pod } from './types';

/** Digests of the container disks' and the kernel's images, by volume. */
export type ImageDigests = ReadonlyMap<string, string>;

const DIGEST = '@sha256:';

/**
 * Images that a running launcher Pod uses: a tag may refer to another image by now, and both ends of a migration need the
 * same. @throws when a container's status has no digest
 */
export function imageDigests(vmi: VirtualMachineInstance, pod: Pod): ImageDigests {
  const images = new Map<string, string>();
  for (const { name, containerDisk } of vmi.spec.volumes ?? [])
    if (containerDisk) images.set(name, containerDisk.image);
  const kernel = vmi.spec.domain.firmware?.kernelBoot?.container;
  if (kernel) images.set(KERNEL_BOOT_VOLUME, kernel.image);
  // the Pod shows how it mounts its images: the cluster may use another way by now
  const usesImageVolumes = (pod.spec.volumes ?? []).some(({ image }) => image);
  const statuses = [...(pod.status?.containerStatuses ?? [])];
  if (usesImageVolumes) {
    statuses.push(...(pod.status?.initContainerStatuses ?? []));
    // after a migration, the volumes contain the digests
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
      `image "${image}" of the running guest: its container's status has no digest (imageID "${imageId ?? ''}"); ` +
        'wait until the node reports one',
    );
  }
  const at = image.indexOf(DIGEST);
  const colon = image.lastIndexOf(':');
  const repository = at >= 0 ? image.slice(0, at) : colon > image.lastIndexOf('/') ? image.slice(0, colon) : image;
  return `${repository}${DIGEST}${digest}`;
}
