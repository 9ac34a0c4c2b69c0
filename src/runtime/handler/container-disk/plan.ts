import type { VirtualMachineInstance } from '../../../api';
import { partsOf } from '../paths/safe-path';
import { containerId, containerStatus } from '../kube-types';
import type { Pod } from '../kube-types';

/** A container disk that a side container holds and that has to be mounted for the launcher. */
export interface ContainerDisk {
  readonly volume: string;
  /** `disk_0.img` in the Pod's container-disks volume; the number is the volume's place in the spec. */
  readonly target: string;
  /** Where the image has it; undefined: the only file in /disk. */
  readonly path?: readonly string[];
  /** Of the container that keeps the image's file system; undefined while it is not running. */
  readonly containerId?: string;
}

/** Name of the side container of a container disk. */
export const holderOf = (volume: string): string => `volume${volume}`;

/** The disks that need a mount: none of those that the kubelet mounts as image volumes. */
export function plannedDisks(vmi: VirtualMachineInstance, pod: Pod): ContainerDisk[] {
  const imageVolumes = new Set((pod.spec.volumes ?? []).filter((v) => v.image).map((v) => v.name));
  return (vmi.spec.volumes ?? []).flatMap(({ name, containerDisk }, index) => {
    if (!containerDisk || imageVolumes.has(name)) return [];
    const holder = containerStatus(pod, holderOf(name));
    const path = containerDisk.path ? partsOf(containerDisk.path) : undefined;
    const id = holder?.state?.running ? containerId(holder) : undefined;
    return [{ volume: name, target: `disk_${index}.img`, path, containerId: id }];
  });
}
