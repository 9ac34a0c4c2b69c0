/** Names that launcher, handler and this renderer share: KubeVirt's. */

/** User and group of everything in a launcher Pod. */
export const QEMU_UID = 107;

export const COMPUTE = 'compute';
export const CONSOLE_LOG = 'guest-console-log';
export const KERNEL_BOOT_VOLUME = 'kernel-boot-volume';
export const LAUNCHER_VOLUME = 'launcher-volume';
export const CONTAINER_DISKS = 'container-disks';
export const VIRT_BIN_DIR = 'virt-bin-share-dir';
export const HOOK_SOCKETS = 'hook-sidecar-sockets';
/** Readiness gate: True while the guest is not paused. */
export const UNPAUSED_GATE = 'kubevirt.io/virtual-machine-unpaused';

export const paths = {
  privateDir: '/var/run/kubevirt-private',
  shareDir: '/var/run/kubevirt',
  ephemeralDisks: '/var/run/kubevirt-ephemeral-disks',
  containerDisks: '/var/run/kubevirt/container-disks',
  imageVolumes: '/var/run/kubevirt-image-volume',
  kernelBoot: '/var/run/kubevirt-kernel-boot',
  hotplugDisks: '/var/run/kubevirt/hotplug-disks',
  hooks: '/var/run/kubevirt-hooks',
  secrets: '/var/run/kubevirt-private/secret',
  configMaps: '/var/run/kubevirt-private/config-map',
  downwardApi: '/var/run/kubevirt-private/downwardapi',
  downwardMetrics: '/var/run/kubevirt-private/downwardapi-disks',
  sysprep: '/var/run/kubevirt-private/sysprep',
  /** Where a file-system volume with a `disk.img` is mounted, by volume name. */
  disks: '/var/run/kubevirt-private/vmi-disks',
} as const;
