/** Paths in the launcher Pod, shared with virt-controller, virt-handler and QEMU. */
import { join } from 'node:path';

export interface Paths {
  /** /var/run/kubevirt: sockets shared with virt-handler. */
  share: string;
  /** /var/run/kubevirt-private: used by the launcher only. */
  private: string;
  /** /var/run/kubevirt-ephemeral-disks */
  ephemeral: string;
  /** /var/run/kubevirt/container-disks */
  containerDisks: string;
  /** /var/run/kubevirt/hotplug-disks: disks that the handler provides while the guest runs. */
  hotplugDisks: string;
  /** /var/run/kubevirt-image-volume: images that the kubelet mounted. */
  imageVolumes: string;
  /** /var/run/kubevirt-kernel-boot: the image with kernel and initrd that the kubelet mounted. */
  kernelBoot: string;
  /** /var/run/libvirt */
  libvirt: string;
  ovmf: string;
}

/** Defaults for the Pod's arguments. */
export const DEFAULT_PATHS: Paths = {
  share: '/var/run/kubevirt',
  private: '/var/run/kubevirt-private',
  ephemeral: '/var/run/kubevirt-ephemeral-disks',
  containerDisks: '/var/run/kubevirt/container-disks',
  hotplugDisks: '/var/run/kubevirt/hotplug-disks',
  imageVolumes: '/var/run/kubevirt-image-volume',
  kernelBoot: '/var/run/kubevirt-kernel-boot',
  libvirt: '/var/run/libvirt',
  ovmf: '/usr/share/OVMF',
};

/** File names in these directories. */
export const pathsOf = (paths: Paths) => ({
  ...paths,
  launcherSocket: join(paths.share, 'sockets/launcher-sock'),
  portForwardSocket: join(paths.share, 'sockets/portforward-sock'),
  /** Socket of virt-probe, which is not visible outside of the container. */
  probeSocket: join(paths.private, 'probe-sock'),
  notifySocket: join(paths.share, 'domain-notify-pipe.sock'),
  libvirtSocket: join(paths.libvirt, 'libvirt-sock'),
  nvram: join(paths.private, 'libvirt/qemu/nvram'),
  runtime: (uid: string): string => join(paths.private, uid),
  imageVolume: (index: number): string => join(paths.imageVolumes, `disk_${index}`),
  containerDisk: (index: number): string => join(paths.containerDisks, `disk_${index}.img`),
  overlay: (volume: string): string => join(paths.ephemeral, 'disk-data', volume, 'disk.qcow2'),
  emptyDisk: (volume: string): string => join(paths.libvirt, 'empty-disks', `${volume}.qcow2`),
  cloudInit: (namespace: string, name: string): string => join(paths.ephemeral, 'cloud-init-data', namespace, name),
  isoDisk: (kind: string, volume: string): string => join(paths.ephemeral, `${kind}-disks`, `${volume}.iso`),
  claim: (volume: string): string => join(paths.private, 'vmi-disks', volume, 'disk.img'),
  hostDisk: (volume: string, file: string): string => join(paths.private, 'vmi-disks', volume, file),
  hotplugFile: (volume: string): string => join(paths.hotplugDisks, `${volume}.img`),
  hotplugDevice: (volume: string): string => join(paths.hotplugDisks, volume),
  blockDevice: (volume: string): string => join('/dev', volume),
  secret: (name: string): string => join(paths.private, 'secret', name),
  accessCredential: (secret: string): string => join(paths.private, 'secret', `${secret}-access-cred`),
});

export type LauncherPaths = ReturnType<typeof pathsOf>;
