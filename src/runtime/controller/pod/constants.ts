/** Names that launcher, handler and this renderer share: KubeVirt's. */

import { keys } from '../../../api/keys';

/** User and group of everything in a launcher Pod. */
export const QEMU_UID = 107;

export const COMPUTE = 'compute';
export const CONSOLE_LOG = 'guest-console-log';
export const KERNEL_BOOT_VOLUME = 'kernel-boot-volume';
export const LAUNCHER_VOLUME = 'launcher-volume';
export const CONTAINER_DISKS = 'container-disks';
export const HOTPLUG_DISKS = 'hotplug-disks';
export const VIRT_BIN_DIR = 'virt-bin-share-dir';
export const HOOK_SOCKETS = 'hook-sidecar-sockets';
export const PLUGIN_SOCKETS = 'kubevirt-plugin-sockets';
export const VIRTIOFS_SOCKETS = 'virtiofs-containers';
/** Downward API volume from which the launcher reads the device of each network. */
export const NETWORK_INFO = 'network-info-annotation';
/** Claim with state that outlives the guest: TPM, EFI variables, changed blocks. */
export const STATE_VOLUME = 'vm-state';
/** Readiness gate: True while the guest is not paused. */
export const UNPAUSED_GATE = keys.unpausedGate;

const privateDir = '/var/run/kubevirt-private';
const shareDir = '/var/run/kubevirt';

export const paths = {
  privateDir,
  shareDir,
  ephemeralDisks: '/var/run/kubevirt-ephemeral-disks',
  containerDisks: `${shareDir}/container-disks`,
  imageVolumes: '/var/run/kubevirt-image-volume',
  kernelBoot: '/var/run/kubevirt-kernel-boot',
  containerDiskBinary: '/container-disk-binary',
  hotplugDisks: `${shareDir}/hotplug-disks`,
  hooks: '/var/run/kubevirt-hooks',
  plugins: '/var/run/kubevirt-plugin',
  virtiofs: `${shareDir}/virtiofs-containers`,
  networkInfo: '/etc/podinfo',
  secrets: `${privateDir}/secret`,
  configMaps: `${privateDir}/config-map`,
  downwardApi: `${privateDir}/downwardapi`,
  downwardMetrics: `${privateDir}/downwardmetric-disk`,
  sysprep: `${privateDir}/sysprep`,
  serviceAccount: '/var/run/secrets/kubernetes.io/serviceaccount/',
  /** Mount path of a file-system volume with a `disk.img`, by volume name. */
  disks: `${privateDir}/vmi-disks`,
} as const;

/** Directories of libvirt and its clients, which have no home directory. */
export const xdgEnvironment = [
  { name: 'XDG_CACHE_HOME', value: paths.privateDir },
  { name: 'XDG_CONFIG_HOME', value: paths.privateDir },
  { name: 'XDG_RUNTIME_DIR', value: '/var/run' },
];
