/** The path of each disk from the guest to its data. Pure. */
import type { KubeObject, Quantity, VirtualMachineInstanceSpec, VirtualMachineInstanceStatus, Volume } from '../../api';
import type { DataVolume } from '../../api/generated/cdi-v1beta1';
import { findCondition } from '../../api/conditions';
import { deviceOf } from '../../api/disk-buses';
import { quantityValue } from '../../api/quantity';

/** The fields of a claim that are displayed. */
export interface Claim extends KubeObject {
  spec?: {
    accessModes?: string[];
    volumeMode?: string;
    storageClassName?: string;
    resources?: { requests?: Record<string, Quantity> };
    dataSource?: { kind: string; name: string };
    dataSourceRef?: { kind: string; name: string; namespace?: string };
  };
  status?: { phase?: string; capacity?: Record<string, Quantity> };
}

/** A file system in the guest, from its agent. */
export interface GuestFileSystem {
  readonly diskName?: string;
  readonly usedBytes?: number;
  readonly disk?: readonly { readonly serial?: string }[];
}

export interface Found {
  readonly spec: VirtualMachineInstanceSpec;
  /** Status of the instance; undefined while the VM is stopped. */
  readonly status?: VirtualMachineInstanceStatus;
  readonly claims: ReadonlyMap<string, Claim>;
  readonly dataVolumes: ReadonlyMap<string, DataVolume>;
  /** Undefined if the guest agent is not connected. */
  readonly fileSystems?: readonly GuestFileSystem[];
}

/** One disk. Sizes are bytes. */
export interface DiskRow {
  readonly disk: string;
  /** Name that the hypervisor gives the device; guests usually use the same one for virtio disks. */
  readonly device?: string;
  readonly type: string;
  readonly bus?: string;
  readonly serial?: string;
  /** Size that the guest sees. */
  readonly size?: number;
  /** Space in use in the guest's file systems. */
  readonly inUse?: number;
  /** Phase or problem of a hotplugged volume. */
  readonly phase?: string;
  readonly claim?: {
    readonly name: string;
    readonly phase: string;
    readonly volumeMode?: string;
    readonly accessModes?: readonly string[];
    readonly storageClass?: string;
    readonly requested?: number;
    readonly capacity?: number;
  };
  /** Progress of the claim's content until it is complete: percentage, rate and remaining time, or the cause of a wait. */
  readonly progress?: string;
  readonly source: string;
}

/** Claim of a volume. */
export const claimOf = ({ persistentVolumeClaim, dataVolume, ephemeral, memoryDump }: Volume): string | undefined =>
  persistentVolumeClaim?.claimName ??
  dataVolume?.name ??
  ephemeral?.persistentVolumeClaim?.claimName ??
  memoryDump?.claimName;

export function describeDisks(found: Found): DiskRow[] {
  const volumes = new Map((found.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  return (found.spec.domain.devices.disks ?? []).map((disk): DiskRow => {
    const volume = volumes.get(disk.name);
    const status = found.status?.volumeStatus?.find(({ name }) => name === disk.name);
    const device = status?.target || undefined;
    const claimName = volume && claimOf(volume);
    return given({
      disk: disk.name,
      device,
      type: deviceOf(disk) ?? 'disk',
      bus: (disk.disk ?? disk.cdrom ?? disk.lun)?.bus,
      serial: disk.serial,
      size: status?.size,
      inUse: inUse(found.fileSystems, device, disk.serial),
      phase: status?.phase,
      claim: claimName === undefined ? undefined : describeClaim(claimName, found.claims.get(claimName)),
      progress: claimName === undefined ? undefined : progressOf(found.dataVolumes.get(claimName)),
      source: volume ? sourceOf(volume, found) : 'no medium',
    });
  });
}

function describeClaim(name: string, claim: Claim | undefined): DiskRow['claim'] {
  if (!claim) return { name, phase: 'Missing' };
  const { accessModes, volumeMode, storageClassName, resources } = claim.spec ?? {};
  return given({
    name,
    phase: claim.status?.phase ?? 'Pending',
    volumeMode: volumeMode ?? 'Filesystem',
    accessModes,
    storageClass: storageClassName,
    requested: bytesOf(resources?.requests?.storage),
    capacity: bytesOf(claim.status?.capacity?.storage),
  });
}

function progressOf(dataVolume: DataVolume | undefined): string | undefined {
  const { phase, progress, conditions } = dataVolume?.status ?? {};
  if (!phase || phase === 'Succeeded') return undefined;
  const percent = progress && progress !== 'N/A' ? ` ${progress}` : '';
  const message = findCondition(conditions, 'Running')?.message;
  return `${phase}${percent}${message ? `: ${message}` : ''}`;
}

const bytesOf = (quantity: Quantity | undefined): number | undefined =>
  quantity === undefined ? undefined : Number(quantityValue(quantity));

/** Space in use on the partitions of a device, which the agent names `vda1` or by the serial of the disk. */
function inUse(
  fileSystems: readonly GuestFileSystem[] | undefined,
  device: string | undefined,
  serial: string | undefined,
): number | undefined {
  const own = (fileSystems ?? []).filter(({ diskName = '', disk = [] }) => {
    const isNamed = device !== undefined && new RegExp(`^${device}\\d*$`).test(diskName);
    return serial === undefined ? isNamed : disk.some((each) => each.serial === serial) || isNamed;
  });
  return own.length === 0 ? undefined : own.reduce((sum, { usedBytes = 0 }) => sum + usedBytes, 0);
}

function sourceOf(volume: Volume, { claims, dataVolumes }: Found): string {
  const { containerDisk, emptyDisk, hostDisk, ephemeral, cloudInitNoCloud, cloudInitConfigDrive } = volume;
  if (containerDisk) return `image ${containerDisk.image}`;
  if (emptyDisk) return `empty disk of ${emptyDisk.capacity}`;
  if (hostDisk) return `file ${hostDisk.path} of the node`;
  if (cloudInitNoCloud || cloudInitConfigDrive) return 'cloud-init';
  const claimName = claimOf(volume);
  if (claimName !== undefined) {
    const data = claimSource(claims.get(claimName), dataVolumes.get(claimName));
    return ephemeral ? `overlay over ${data}` : data;
  }
  const { configMap, secret, serviceAccount, sysprep, downwardAPI, downwardMetrics } = volume;
  if (configMap) return `ConfigMap ${configMap.name}`;
  if (secret) return `Secret ${secret.secretName}`;
  if (serviceAccount) return `ServiceAccount ${serviceAccount.serviceAccountName}`;
  if (sysprep) return sysprep.secret ? `Secret ${sysprep.secret.name}` : `ConfigMap ${sysprep.configMap?.name}`;
  if (downwardAPI) return 'downward API';
  return downwardMetrics
    ? 'metrics of the node'
    : Object.keys(volume)
        .filter((key) => key !== 'name')
        .join();
}

function claimSource(claim: Claim | undefined, dataVolume: DataVolume | undefined): string {
  if (dataVolume) return dataVolumeSource(dataVolume);
  const { dataSource, dataSourceRef = dataSource } = claim?.spec ?? {};
  return dataSourceRef ? `${dataSourceRef.kind} ${dataSourceRef.name}` : 'claim';
}

function dataVolumeSource({ spec }: DataVolume): string {
  const { source = {}, sourceRef } = spec;
  if (sourceRef) return `${sourceRef.kind} ${[sourceRef.namespace, sourceRef.name].filter(Boolean).join('/')}`;
  const { pvc, snapshot, registry, blank, upload } = source;
  if (pvc) return `PersistentVolumeClaim ${pvc.namespace}/${pvc.name}`;
  if (snapshot) return `VolumeSnapshot ${snapshot.namespace}/${snapshot.name}`;
  if (registry) return `image ${withoutPassword(registry.url ?? registry.imageStream ?? '')}`;
  if (blank) return 'blank';
  if (upload) return 'upload';
  const [[kind, { url = '' }] = ['unknown', {}]] = Object.entries(source as Record<string, { url?: string }>);
  return url ? withoutPassword(url) : kind;
}

/** The URL without user and password, and without a query, in which tokens are passed. */
function withoutPassword(text: string): string {
  try {
    const url = new URL(text);
    [url.username, url.password, url.search, url.hash] = ['', '', '', ''];
    return url.href;
  } catch {
    return 'an invalid URL';
  }
}

/** Removes unset fields. */
const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
