import { dirname } from 'node:path/posix';
import type { AccessCredential, CloudInitNoCloudSource, Volume } from '../../../api';
import { CONTAINER_DISKS, HOOK_SOCKETS, paths, VIRT_BIN_DIR } from './constants';
import type { RenderInput } from './input';
import type { PodVolume, VolumeMount } from './types';

/** Volumes of the Pod and where the compute container sees them. Parts are joined in order. */
export interface VolumeParts {
  readonly volumes?: readonly PodVolume[];
  readonly mounts?: readonly VolumeMount[];
  readonly devices?: readonly { name: string; devicePath: string }[];
}

export function join(parts: readonly VolumeParts[]): Required<VolumeParts> {
  return {
    volumes: uniqueByName(parts.flatMap((part) => part.volumes ?? [])),
    mounts: parts.flatMap((part) => part.mounts ?? []),
    devices: parts.flatMap((part) => part.devices ?? []),
  };
}

/** Two users of one Secret share its volume. */
const uniqueByName = (volumes: PodVolume[]): PodVolume[] => [...new Map(volumes.map((v) => [v.name, v])).values()];

const scratch = (name: string): PodVolume => ({ name, emptyDir: {} });

/** What every launcher has, whatever its guest. */
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

/** Volumes that come from the guest's own devices and settings. */
export function featureVolumes({ vmi }: RenderInput, hookSidecars: number): VolumeParts[] {
  const { memory, devices } = vmi.spec.domain;
  const parts: VolumeParts[] = [];
  if (hookSidecars > 0) {
    parts.push({ volumes: [scratch(HOOK_SOCKETS)], mounts: [{ name: HOOK_SOCKETS, mountPath: paths.hooks }] });
  }
  if (memory?.hugepages) {
    parts.push({
      volumes: [{ name: 'hugepages', emptyDir: { medium: 'HugePages' } }, scratch('hugetblfs-dir')],
      mounts: [
        { name: 'hugepages', mountPath: '/dev/hugepages' },
        { name: 'hugetblfs-dir', mountPath: '/dev/hugepages/libvirt/qemu' },
      ],
    });
  }
  if (devices.disableHotplug !== true) {
    parts.push({
      volumes: [scratch('hotplug-disks')],
      mounts: [{ name: 'hotplug-disks', mountPath: paths.hotplugDisks, mountPropagation: 'HostToContainer' }],
    });
  }
  if (devices.interfaces?.some((network) => network.sriov)) {
    const fieldPath = "metadata.annotations['kubevirt.io/network-info']";
    parts.push({
      volumes: [
        {
          name: 'network-info-annotation',
          downwardAPI: { items: [{ path: 'network-info', fieldRef: { fieldPath } }] },
        },
      ],
      mounts: [{ name: 'network-info-annotation', mountPath: '/etc/podinfo' }],
    });
  }
  return parts;
}

/** The volumes of the VMI, but container disks (container-disks.ts). */
export function guestVolumes({ vmi, claims }: RenderInput): VolumeParts[] {
  const disks = new Set(vmi.spec.domain.devices.disks?.map((disk) => disk.name));
  const hotplugged = new Set(vmi.status?.volumeStatus?.filter((s) => s.hotplugVolume).map((s) => s.name));
  const claim = (name: string, claimName: string, readOnly?: boolean): VolumeParts => ({
    volumes: [{ name, persistentVolumeClaim: { claimName, ...(readOnly && { readOnly }) } }],
    ...(claims.get(claimName)?.volumeMode === 'Block'
      ? { devices: [{ name, devicePath: `/dev/${name}` }] }
      : { mounts: [{ name, mountPath: `${paths.disks}/${name}` }] }),
  });
  const render = (volume: Volume): VolumeParts => {
    const { name, persistentVolumeClaim: pvc, dataVolume, ephemeral, hostDisk, sysprep } = volume;
    if (pvc) return pvc.hotpluggable ? {} : claim(name, pvc.claimName, pvc.readOnly);
    if (dataVolume) return dataVolume.hotpluggable ? {} : claim(name, dataVolume.name);
    if (ephemeral?.persistentVolumeClaim) {
      return claim(name, ephemeral.persistentVolumeClaim.claimName, ephemeral.persistentVolumeClaim.readOnly);
    }
    if (hostDisk) {
      const type = hostDisk.type === 'DiskOrCreate' ? 'DirectoryOrCreate' : 'Directory';
      return {
        volumes: [{ name, hostPath: { path: dirname(hostDisk.path), type } }],
        mounts: [{ name, mountPath: `${paths.disks}/${name}` }],
      };
    }
    if (volume.downwardMetrics) {
      return {
        volumes: [{ name, emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
        mounts: [{ name, mountPath: paths.downwardMetrics }],
      };
    }
    const cloudInit = volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive;
    if (cloudInit) return cloudInitSecrets(name, cloudInit);
    if (sysprep) {
      const source = sysprep.secret
        ? { secret: { secretName: sysprep.secret.name } }
        : { configMap: { name: sysprep.configMap?.name } };
      return {
        volumes: [{ name, ...source }],
        mounts: [{ name, mountPath: `${paths.sysprep}/${name}`, readOnly: true }],
      };
    }
    return objectVolume(volume, disks.has(name));
  };
  return (vmi.spec.volumes ?? []).filter(({ name }) => !hotplugged.has(name)).map(render);
}

/** A Secret, ConfigMap or downward API volume: mounted when a disk is made of it (otherwise virtiofs shows it). */
function objectVolume({ name, secret, configMap, downwardAPI }: Volume, isDisk: boolean): VolumeParts {
  const mount = (dir: string): VolumeMount[] => (isDisk ? [{ name, mountPath: `${dir}/${name}`, readOnly: true }] : []);
  if (secret) {
    const { secretName, optional } = secret;
    return { volumes: [{ name, secret: { secretName, optional } }], mounts: mount(paths.secrets) };
  }
  if (configMap) {
    const { name: source, optional } = configMap;
    return { volumes: [{ name, configMap: { name: source, optional } }], mounts: mount(paths.configMaps) };
  }
  if (downwardAPI) {
    return { volumes: [{ name, downwardAPI: { items: downwardAPI.fields } }], mounts: mount(paths.downwardApi) };
  }
  return {};
}

/** Only the keys that cloud-init reads are shown to the launcher; both spellings are in use. */
function cloudInitSecrets(name: string, source: CloudInitNoCloudSource): VolumeParts {
  const part = (suffix: string, secretName: string | undefined, keys: string[]): VolumeParts =>
    secretName
      ? {
          volumes: [{ name: `${name}-${suffix}`, secret: { secretName } }],
          mounts: keys.map((key) => ({
            name: `${name}-${suffix}`,
            mountPath: `${paths.secrets}/${name}/${key}`,
            subPath: key,
            readOnly: true,
          })),
        }
      : {};
  return join([
    part('udata', source.secretRef?.name, ['userdata', 'userData']),
    part('ndata', source.networkDataSecretRef?.name, ['networkdata', 'networkData']),
  ]);
}

/** Secrets with keys and passwords for the guest's users. */
export function accessCredentials(credentials: readonly AccessCredential[] = []): VolumeParts[] {
  return credentials.flatMap(({ sshPublicKey, userPassword }) => {
    const secretName = (sshPublicKey ?? userPassword)?.source.secret?.secretName;
    if (!secretName) return [];
    const name = `${secretName}-access-cred`;
    return [
      {
        volumes: [{ name, secret: { secretName } }],
        mounts: [{ name, mountPath: `${paths.secrets}/${name}`, readOnly: true }],
      },
    ];
  });
}
