import { keys } from '../../../api/keys';
import {
  CONTAINER_DISKS,
  HOOK_SOCKETS,
  HOTPLUG_DISKS,
  NETWORK_INFO,
  paths,
  PLUGIN_SOCKETS,
  STATE_VOLUME,
  VIRT_BIN_DIR,
  VIRTIOFS_SOCKETS,
} from './constants';
import { hasTpm } from './input';
import type { RenderInput } from './input';
import { scratch } from './volumes';
import type { VolumeParts } from './volumes';

/** Volumes of every launcher Pod. */
export function baseVolumes({ config }: RenderInput): VolumeParts {
  const sideContainers = !config.hasGate('ImageVolume');
  return {
    volumes: [
      ...['private', 'public', 'sockets', VIRT_BIN_DIR, 'libvirt-runtime', 'ephemeral-disks'].map(scratch),
      ...(sideContainers ? [scratch(CONTAINER_DISKS)] : []),
    ],
    mounts: [
      { name: 'private', mountPath: paths.privateDir },
      { name: 'public', mountPath: paths.shareDir },
      { name: 'ephemeral-disks', mountPath: paths.ephemeralDisks },
      { name: 'libvirt-runtime', mountPath: '/var/run/libvirt' },
      { name: 'sockets', mountPath: `${paths.shareDir}/sockets` },
      ...(sideContainers
        ? [{ name: CONTAINER_DISKS, mountPath: paths.containerDisks, mountPropagation: 'HostToContainer' as const }]
        : []),
    ],
  };
}

/** Volumes that depend on the guest's devices and settings. */
export function featureVolumes(input: RenderInput, hookSidecars: number): VolumeParts[] {
  const { vmi, config } = input;
  const { memory, devices } = vmi.spec.domain;
  return [
    ...(hookSidecars > 0 ? [scratchAt(HOOK_SOCKETS, paths.hooks)] : []),
    ...(config.hasGate('Plugins') ? [scratchAt(PLUGIN_SOCKETS, paths.plugins)] : []),
    ...(memory?.hugepages ? [hugepages] : []),
    ...(devices.disableHotplug === true ? [] : [hotplugDisks]),
    ...(seesNetworkInfo(input) ? [networkInfo] : []),
    ...(devices.filesystems?.some(({ virtiofs }) => virtiofs) ? [scratchAt(VIRTIOFS_SOCKETS, paths.virtiofs)] : []),
  ];
}

const scratchAt = (name: string, mountPath: string): VolumeParts => ({
  volumes: [scratch(name)],
  mounts: [{ name, mountPath }],
});

const hugepages: VolumeParts = {
  volumes: ['hugepages', 'hugetblfs-dir'].map((name) => ({ name, emptyDir: { medium: 'HugePages' } })),
  mounts: [
    { name: 'hugepages', mountPath: '/dev/hugepages' },
    { name: 'hugetblfs-dir', mountPath: '/dev/hugepages/libvirt/qemu' },
  ],
};

const hotplugDisks: VolumeParts = {
  volumes: [scratch(HOTPLUG_DISKS)],
  mounts: [{ name: HOTPLUG_DISKS, mountPath: paths.hotplugDisks, mountPropagation: 'HostToContainer' }],
};

const networkInfo: VolumeParts = {
  volumes: [
    {
      name: NETWORK_INFO,
      downwardAPI: {
        items: [{ path: 'network-info', fieldRef: { fieldPath: `metadata.annotations['${keys.networkInfo}']` } }],
      },
    },
  ],
  mounts: [{ name: NETWORK_INFO, mountPath: paths.networkInfo }],
};

/** Whether the launcher must know which device of the node each network got. */
const seesNetworkInfo = ({ vmi, config }: RenderInput): boolean =>
  (vmi.spec.domain.devices.interfaces ?? []).some(
    ({ sriov, binding }) => sriov || (binding && config.networkBindings[binding.name]?.downwardAPI === 'device-info'),
  );

/** Name of the claim with the VMI's persistent state; a running guest may have one of another name. */
export const defaultStateClaim = (vmiName: string): string => `persistent-state-for-${vmiName}`;

/** Whether some state must outlive the guest. */
export const needsStateClaim = ({ vmi }: Pick<RenderInput, 'vmi'>): boolean =>
  hasPersistentTpm({ vmi }) || hasPersistentEfi({ vmi }) || tracksChangedBlocks({ vmi });

const hasPersistentTpm = ({ vmi }: Pick<RenderInput, 'vmi'>): boolean =>
  hasTpm(vmi) && vmi.spec.domain.devices.tpm?.persistent === true;

const hasPersistentEfi = ({ vmi }: Pick<RenderInput, 'vmi'>): boolean =>
  vmi.spec.domain.firmware?.bootloader?.efi?.persistent === true;

export const tracksChangedBlocks = ({ vmi }: Pick<RenderInput, 'vmi'>): boolean =>
  ['Initializing', 'Enabled'].includes(vmi.status?.changedBlockTracking?.state ?? '');

/** TPM, EFI variables and changed blocks: each in its own directory of one claim, at the paths that libvirt reads. */
export function stateVolumes(input: RenderInput): VolumeParts {
  const { vmi } = input;
  if (!needsStateClaim(input)) return {};
  const claimName = input.stateClaim ?? defaultStateClaim(vmi.metadata.name ?? '');
  const libvirt = `${paths.privateDir}/libvirt`;
  const at = (mountPath: string, subPath: string) => ({ name: STATE_VOLUME, mountPath, subPath });
  return {
    volumes: [
      { name: STATE_VOLUME, persistentVolumeClaim: { claimName } },
      // directories that the kubelet would otherwise create with root as the only user
      ...['private-libvirt', 'private-libvirt-qemu'].map(scratch),
    ],
    mounts: [
      at('/run/kubevirt-private/backend-storage-meta', 'meta'),
      { name: 'private-libvirt', mountPath: libvirt },
      { name: 'private-libvirt-qemu', mountPath: `${libvirt}/qemu` },
      ...(hasPersistentTpm(input)
        ? [at(`${libvirt}/qemu/swtpm`, 'swtpm'), at(`${paths.privateDir}/var/lib/swtpm-localca`, 'swtpm-localca')]
        : []),
      ...(hasPersistentEfi(input) ? [at(`${libvirt}/qemu/nvram`, 'nvram')] : []),
      ...(tracksChangedBlocks(input) ? [at(`${libvirt}/qemu/cbt`, 'cbt')] : []),
    ],
  };
}
