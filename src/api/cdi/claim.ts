/** Turns the `storage` of a DataVolume into the spec of a claim; missing fields come from the StorageProfile. */
import { keys } from '../keys';
import type { CDIConfig, DataVolume, StorageProfile } from '../generated/cdi-v1beta1';
import type { PersistentVolumeClaimSpec } from '../generated/core-v1';
import type { AdmissionContext } from '../kinds/kind';
import type { KubeObject } from '../meta';
import { compareQuantities, quantityOf, quantityValue, tryParseQuantity } from '../quantity';

/** Access to StorageClasses, StorageProfiles, PersistentVolumes, and the CDIConfig `config`. */
export type Cluster = Pick<AdmissionContext, 'find' | 'list'>;

/** Spec of a claim, or the problem that prevents it, in one sentence. */
export type ClaimSpec =
  | { readonly spec: PersistentVolumeClaimSpec; readonly problem?: undefined }
  | { readonly spec?: undefined; readonly problem: string };

type StorageClass = KubeObject & { provisioner?: string };
type PersistentVolume = KubeObject & {
  spec?: {
    capacity?: { storage?: string };
    storageClassName?: string;
    volumeMode?: string;
    accessModes?: string[];
  };
};
type Modes = Pick<PersistentVolumeClaimSpec, 'accessModes' | 'volumeMode'>;

const BLOCK = 'Block';
const FILESYSTEM = 'Filesystem';
const DEFAULT_FOR_VMS = keys.defaultVirtClass;
const DEFAULT = 'storageclass.kubernetes.io/is-default-class';
const LEGACY_CLASS = 'volume.beta.kubernetes.io/storage-class';
const MINIMUM_SIZE = keys.minimumPvcSize;
/** CDI's default for the overhead of a file system. */
export const OVERHEAD = '0.06';
const MIB = 1 << 20;

/** Returns the spec of a DataVolume's claim. */
export function claimSpecOf({ spec }: Pick<DataVolume, 'spec'>, cluster: Cluster): ClaimSpec {
  if (spec.pvc) return { spec: structuredClone(spec.pvc) };
  if (!spec.storage) return { problem: 'datavolume one of {pvc, storage} field is required' };
  const asked = structuredClone(spec.storage) as PersistentVolumeClaimSpec;
  const placed = withModes(asked, spec.contentType, cluster);
  if (!placed.spec) return placed;
  const copied = Boolean(spec.source?.pvc ?? spec.source?.snapshot ?? spec.sourceRef);
  return withSize(placed.spec, copied, cluster);
}

/** Fills in StorageClass, access modes and volume mode where they are missing. */
export function withModes(
  asked: PersistentVolumeClaimSpec,
  contentType: string | undefined,
  cluster: Cluster,
): ClaimSpec {
  const spec: PersistentVolumeClaimSpec = { ...asked };
  if (contentType === 'archive') {
    if (spec.volumeMode === BLOCK) return { problem: 'ContentType Archive cannot have block volumeMode' };
    spec.volumeMode = FILESYSTEM;
  }
  const storageClass = classOf(spec.storageClassName, contentType !== 'archive', cluster);
  if (!storageClass) return fromVolumes(spec, cluster);
  const { name = '' } = storageClass.metadata;
  spec.storageClassName = name;
  if (spec.accessModes?.length && spec.volumeMode) return { spec };
  const profile = cluster.find('StorageProfile', undefined, name) as StorageProfile | undefined;
  if (!profile) return { problem: `cannot get StorageProfile: storageprofiles.cdi.kubevirt.io "${name}" not found` };
  const sets = profile.status?.claimPropertySets ?? [];
  if (spec.accessModes?.length) {
    const wanted = spec.accessModes;
    const fitting = sets.find(({ accessModes }) => accessModes.some((mode) => wanted.includes(mode)));
    return { spec: { ...spec, ...(fitting?.volumeMode ? { volumeMode: fitting.volumeMode } : {}) } };
  }
  const fitting = spec.volumeMode
    ? sets.find(({ volumeMode, accessModes }) => volumeMode === spec.volumeMode && accessModes.length > 0)
    : sets.slice(0, 1).find(({ accessModes }) => accessModes.length > 0);
  if (!fitting) {
    const which = spec.volumeMode ? 'no matching accessMode' : 'no accessMode';
    const remedy =
      'set accessModes and volumeMode in spec.storage, or in the StorageProfile for all claims of the class';
    return { problem: `${which} specified in StorageProfile ${name}; ${remedy}` };
  }
  const modes: Modes = { accessModes: [...fitting.accessModes], volumeMode: spec.volumeMode ?? fitting.volumeMode };
  return { spec: { ...spec, ...modes } };
}

/** Returns the modes of an existing volume, for a claim without a StorageClass. */
function fromVolumes(spec: PersistentVolumeClaimSpec, { list }: Cluster): ClaimSpec {
  const volumes =
    spec.storageClassName === undefined ? [] : (list('PersistentVolume', undefined) as PersistentVolume[]);
  const volume = volumes.find((each) => satisfies(each, spec))?.spec;
  const modes: Modes = volume
    ? ({
        volumeMode: volume.volumeMode ?? spec.volumeMode,
        accessModes: spec.accessModes?.length ? spec.accessModes : volume.accessModes,
      } as Modes)
    : {};
  const found = { ...spec, ...modes };
  if (found.accessModes?.length) return { spec: found };
  return { problem: 'PVC spec is missing accessMode and no storageClass to choose profile' };
}

/** Whether this volume can be bound to the claim. */
function satisfies({ metadata, spec = {} }: PersistentVolume, claim: PersistentVolumeClaimSpec): boolean {
  const requested = claim.resources?.requests?.storage ?? 0;
  const capacity = spec.capacity?.storage ?? 0;
  const className = metadata.annotations?.[LEGACY_CLASS] ?? spec.storageClassName;
  return (
    metadata.deletionTimestamp === undefined &&
    compareQuantities(capacity, requested) >= 0 &&
    (!claim.storageClassName || className === claim.storageClassName) &&
    (spec.volumeMode ?? FILESYSTEM) === (claim.volumeMode || FILESYSTEM) &&
    (claim.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode))
  );
}

/** Returns the size with the overhead of the file system, and at least the minimum of the storage. */
export function withSize(spec: PersistentVolumeClaimSpec, copied: boolean, cluster: Cluster): ClaimSpec {
  const asked = spec.resources?.requests?.storage;
  const sized = (storage: string): ClaimSpec => ({
    spec: { ...spec, resources: { ...spec.resources, requests: { ...spec.resources?.requests, storage } } },
  });
  if (asked === undefined) {
    return copied ? sized('0') : { problem: 'PVC Spec is not valid - missing storage size' };
  }
  if (!tryParseQuantity(asked) || quantityValue(asked) < BigInt(MIB)) {
    return { problem: 'PVC Spec is not valid - storage size should be at least 1MiB' };
  }
  const bytes = quantityValue(asked);
  const size = spec.volumeMode === BLOCK ? bytes : inflated(bytes, overheadOf(spec.storageClassName, cluster));
  const storage = quantityOf(size, 'DecimalSI');
  const least = spec.storageClassName && minimumOf(spec.storageClassName, cluster);
  return sized(least && compareQuantities(storage, least) < 0 ? least : storage);
}

/** Rounds to whole MiB, then adds the overhead, in floating point as CDI does. */
export function inflated(bytes: bigint, overhead: number): bigint {
  const aligned = Math.ceil(Number(bytes) / MIB) * MIB;
  return BigInt(Math.ceil(aligned * (1 + overhead)));
}

function minimumOf(className: string, { find }: Cluster): string | undefined {
  const given = find('StorageProfile', undefined, className)?.metadata.annotations?.[MINIMUM_SIZE];
  return tryParseQuantity(given) ? given : undefined;
}

/** Returns the overhead of a file system, as a fraction of the volume: of its class, or of all. */
export function overheadOf(className: string | undefined, cluster: Cluster): number {
  if (className === '') return 0;
  const config = cluster.find('CDIConfig', undefined, 'config') as CDIConfig | undefined;
  const overhead = config?.status?.filesystemOverhead ?? config?.spec.filesystemOverhead;
  const name = (classOf(className, false, cluster) ?? classOf(undefined, false, cluster))?.metadata.name ?? '';
  const own = overhead?.storageClass ?? {};
  return Number((Object.hasOwn(own, name) ? own[name] : overhead?.global) ?? OVERHEAD) || 0;
}

/** Returns the class of that name. Without a name: the default class, preferring that for VMs where the claim is for one. */
function classOf(name: string | undefined, forVm: boolean, { find, list }: Cluster): StorageClass | undefined {
  if (name !== undefined) return find('StorageClass', undefined, name);
  const classes = list('StorageClass', undefined);
  return (forVm ? defaultOf(classes, DEFAULT_FOR_VMS) : undefined) ?? defaultOf(classes, DEFAULT);
}

/** Returns the newest of the default classes, then the first by name. */
function defaultOf(classes: readonly StorageClass[], annotation: string): StorageClass | undefined {
  const created = ({ metadata: { creationTimestamp = '' } }: StorageClass): string => creationTimestamp;
  const name = ({ metadata }: StorageClass): string => metadata.name!;
  return classes
    .filter(({ metadata }) => metadata.annotations?.[annotation] === 'true')
    .sort((a, b) => {
      if (created(a) !== created(b)) return created(a) < created(b) ? 1 : -1;
      return name(a) < name(b) ? -1 : 1;
    })[0];
}
