import { posix } from 'node:path';
import type { VirtualMachineInstance } from '../../../api';
import { partsOf } from '../paths/safe-path';
import { containerId, containerStatus } from '../kube-types';
import type { Pod } from '../kube-types';

/** A file of an image that a side container holds, to be mounted for the launcher. */
export interface ContainerDisk {
  readonly volume: string;
  /** Directory in the Pod's container-disks volume. Default: the volume itself. */
  readonly directory?: string;
  /** File name in that directory: `disk_0.img` with the index of the volume in the spec, or the name of a kernel file. */
  readonly target: string;
  /** Path in the image; undefined for the only file in /disk. */
  readonly path?: readonly string[];
  /** Id of the container that holds the image's file system; undefined while it is not running. */
  readonly containerId?: string;
  /** Reason why the image can never be mounted: cause and remedy. */
  readonly problem?: string;
}

/** Name of the side container of a container disk. */
export const holderOf = (volume: string): string => `volume${volume}`;

/** Volume of the image with kernel and initrd, and the directory in which the launcher finds them. */
const KERNEL_VOLUME = 'kernel-boot-volume';
const KERNEL_DIR = 'kernel-boot';

/** Whether a mount can be tried: its holder runs, or the attempt will report the problem. */
export const isMountable = ({ containerId: id, problem }: ContainerDisk): boolean =>
  id !== undefined || problem !== undefined;

/** The files that need a mount, without those that the kubelet mounts as image volumes. Never throws. */
export function plannedDisks(vmi: VirtualMachineInstance, pod: Pod): ContainerDisk[] {
  const imageVolumes = new Set((pod.spec.volumes ?? []).filter((v) => v.image).map((v) => v.name));
  const disks = (vmi.spec.volumes ?? []).flatMap(({ name, containerDisk }, index) =>
    containerDisk ? [planned(pod, { volume: name, target: `disk_${index}.img` }, containerDisk.path)] : [],
  );
  const { kernelPath, initrdPath } = vmi.spec.domain.firmware?.kernelBoot?.container ?? {};
  const boot = [kernelPath, initrdPath].flatMap((path) =>
    path ? [planned(pod, { volume: KERNEL_VOLUME, directory: KERNEL_DIR, target: posix.basename(path) }, path)] : [],
  );
  if (boot.length === 2 && boot[0].target === boot[1].target && kernelPath !== initrdPath) {
    const problem =
      `kernelBoot: kernelPath "${kernelPath}" and initrdPath "${initrdPath}" have the same file name, ` +
      'by which the launcher finds them; rename one of them in the image';
    boot[1] = { ...boot[1], problem };
  }
  return [...disks, ...boot].filter(({ volume }) => !imageVolumes.has(volume));
}

function planned(
  pod: Pod,
  disk: Pick<ContainerDisk, 'volume' | 'directory' | 'target'>,
  path: string | undefined,
): ContainerDisk {
  const { volume } = disk;
  const holder = holderOf(volume);
  if (!pod.spec.containers.some(({ name }) => name === holder)) {
    const problem =
      `the launcher Pod has neither an image volume "${volume}" nor a container "${holder}": the API server dropped ` +
      "the image volume; remove ImageVolume from featureGates in the KubeVirt object's developerConfiguration, or " +
      'enable the feature gate ImageVolume of Kubernetes, then restart the VM';
    return { ...disk, problem };
  }
  const status = containerStatus(pod, holder);
  const id = status?.state?.running ? containerId(status) : undefined;
  try {
    return { ...disk, path: path ? partsOf(path) : undefined, containerId: id };
  } catch (error) {
    return { ...disk, problem: `container disk "${volume}": ${(error as Error).message}; correct "path"` };
  }
}
