import { posix } from 'node:path';
import type { AccessCredential, CloudInitNoCloudSource, HostDisk, SysprepSource, Volume } from '../../../api';
import { paths } from './constants';
import type { RenderInput } from './input';
import type { PodVolume, VolumeMount } from './types';

/** Volumes of the Pod and their mounts in the compute container. Parts are joined in order. */
export interface VolumeParts {
  readonly volumes?: readonly PodVolume[];
  readonly mounts?: readonly VolumeMount[];
  readonly devices?: readonly { name: string; devicePath: string }[];
  /** Access modes of file systems that several nodes may write to. */
  readonly shared?: readonly string[];
}

/** Two users of one Secret share its volume and its mount, since the API server rejects duplicates. */
export function join(parts: readonly VolumeParts[]): Required<VolumeParts> {
  return {
    volumes: unique(
      parts.flatMap((part) => part.volumes ?? []),
      ({ name }) => name,
    ),
    mounts: unique(
      parts.flatMap((part) => part.mounts ?? []),
      ({ mountPath }) => mountPath,
    ),
    devices: parts.flatMap((part) => part.devices ?? []),
    shared: parts.flatMap((part) => part.shared ?? []),
  };
}

const unique = <T>(all: readonly T[], key: (item: T) => string): T[] => {
  const seen = new Set<string>();
  return all.filter((item) => !seen.has(key(item)) && seen.add(key(item)));
};

export const scratch = (name: string): PodVolume => ({ name, emptyDir: {} });

/** Secrets, ConfigMaps and downward API volumes: mounted here if they become disks (otherwise virtiofs uses them). */
export function configVolumes({ vmi }: RenderInput): VolumeParts {
  const sources = new Map<string, VolumeMount>();
  const volumes = (vmi.spec.volumes ?? []).flatMap((volume): PodVolume[] => {
    const { name, secret, configMap, downwardAPI } = volume;
    const dir = secret ? paths.secrets : configMap ? paths.configMaps : downwardAPI ? paths.downwardApi : undefined;
    if (dir === undefined) return [];
    sources.set(name, { name, mountPath: `${dir}/${name}`, readOnly: true });
    if (secret) return [{ name, secret: given({ secretName: secret.secretName, optional: secret.optional }) }];
    if (configMap) return [{ name, configMap: given({ name: configMap.name, optional: configMap.optional }) }];
    return [{ name, downwardAPI: given({ items: downwardAPI?.fields?.length ? downwardAPI.fields : undefined }) }];
  });
  const disks = vmi.spec.domain.devices.disks ?? [];
  return { volumes, mounts: disks.flatMap(({ name }) => sources.get(name) ?? []) };
}

/** The other volumes of the VMI, except container disks (container-disks.ts) and hotplugged volumes. */
export function guestVolumes(input: RenderInput): VolumeParts[] {
  const { vmi } = input;
  const hotplugged = new Set(vmi.status?.volumeStatus?.filter((s) => s.hotplugVolume).map((s) => s.name));
  return (vmi.spec.volumes ?? [])
    .filter(
      ({ name, dataVolume, persistentVolumeClaim }) =>
        !hotplugged.has(name) && !dataVolume?.hotpluggable && !persistentVolumeClaim?.hotpluggable,
    )
    .map((volume) => guestVolume(input, volume));
}

function guestVolume({ claims }: RenderInput, volume: Volume): VolumeParts {
  const { name, persistentVolumeClaim: pvc, dataVolume, ephemeral, hostDisk, sysprep } = volume;
  const claim = (claimName: string, readOnly?: boolean, onlyRead = false): VolumeParts => {
    const { volumeMode, accessModes } = claims.get(claimName) ?? {};
    const volumes = [{ name, persistentVolumeClaim: { claimName, ...(readOnly && { readOnly }) } }];
    if (volumeMode === 'Block') return { volumes, devices: [{ name, devicePath: `/dev/${name}` }] };
    const mountPath = `${paths.disks}/${name}`;
    const shared = accessModes?.includes('ReadWriteMany') ? [mountPath] : [];
    return { volumes, mounts: [{ name, mountPath, ...(onlyRead && { readOnly: true }) }], shared };
  };
  if (pvc) return claim(pvc.claimName, pvc.readOnly);
  if (ephemeral?.persistentVolumeClaim) {
    // other VMs read the same claim
    return claim(ephemeral.persistentVolumeClaim.claimName, ephemeral.persistentVolumeClaim.readOnly, true);
  }
  if (hostDisk) return hostDirectory(name, hostDisk);
  if (dataVolume) return claim(dataVolume.name);
  if (volume.downwardMetrics) {
    return {
      volumes: [{ name, emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
      mounts: [{ name, mountPath: paths.downwardMetrics }],
    };
  }
  const cloudInit = volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive;
  if (cloudInit) return cloudInitSecrets(name, cloudInit);
  return sysprep ? sysprepVolume(name, sysprep) : {};
}

/** Directory of a file on the node. */
function hostDirectory(name: string, { path, type }: HostDisk): VolumeParts {
  const types: Record<string, string> = { Disk: 'Directory', DiskOrCreate: 'DirectoryOrCreate' };
  const directory = posix.normalize(path.slice(0, path.lastIndexOf('/') + 1)).replace(/(.)\/$/, '$1');
  return {
    volumes: [{ name, hostPath: { path: directory, type: types[type] ?? '' } }],
    mounts: [{ name, mountPath: `${paths.disks}/${name}` }],
  };
}

/** @throws when the volume has neither a Secret nor a ConfigMap */
function sysprepVolume(name: string, { secret, configMap }: SysprepSource): VolumeParts {
  if (!secret && !configMap) {
    throw new Error(`volume "${name}": sysprep names neither a Secret nor a ConfigMap; name one of them`);
  }
  const source = secret ? { secret: { secretName: secret.name } } : { configMap: given({ name: configMap?.name }) };
  return {
    volumes: [{ name, ...source }],
    mounts: [{ name, mountPath: `${paths.sysprep}/${name}`, readOnly: true }],
  };
}

/** Mounts only the keys that cloud-init reads; both spellings are in use. */
function cloudInitSecrets(name: string, source: CloudInitNoCloudSource): VolumeParts {
  const part = (suffix: string, secret: { name?: string } | undefined, keys: string[]): VolumeParts =>
    secret === undefined
      ? {}
      : {
          volumes: [{ name: `${name}-${suffix}`, secret: given({ secretName: secret.name }) }],
          mounts: keys.map((key) => ({
            name: `${name}-${suffix}`,
            mountPath: `${paths.secrets}/${name}/${key}`,
            subPath: key,
            readOnly: true,
          })),
        };
  return join([
    part('udata', source.secretRef, ['userdata', 'userData']),
    part('ndata', source.networkDataSecretRef, ['networkdata', 'networkData']),
  ]);
}

/** Secrets with ssh keys and passwords for the guest's users. */
export function accessCredentials(credentials: readonly AccessCredential[] = []): VolumeParts[] {
  return credentials.flatMap(({ sshPublicKey, userPassword }) => {
    const secretName = (sshPublicKey?.source.secret ?? userPassword?.source.secret)?.secretName;
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

/** Removes unset fields, so that the rendered Pod can be compared with the sent one. */
function given<T extends object>(fields: T): { [K in keyof T]: T[K] } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
