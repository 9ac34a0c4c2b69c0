import { isDeepStrictEqual } from 'node:util';
import type { Quantity, VirtualMachineInstanceSpec, Volume, VolumeStatus } from '../../../api';

/** The fields of a claim that the renderer reads. */
export interface ClaimInfo {
  readonly uid?: string;
  readonly volumeMode?: 'Filesystem' | 'Block';
  readonly accessModes?: readonly string[];
  readonly requests?: Record<string, Quantity>;
  readonly capacity?: Record<string, Quantity>;
  /** Whether the claim is bound to a volume. */
  readonly isBound?: boolean;
  /** DataVolume that controls the claim. `saysFilled`: the claim's annotations state that it contains its disk. */
  readonly dataVolume?: { readonly name: string; readonly uid: string; readonly saysFilled: boolean };
  /** Whether the claim's volume receives an upload that is not complete. */
  readonly awaitsUpload?: boolean;
  /** Whether CDI deleted the claim's DataVolume after it had filled the claim (`dataVolumeTTLSeconds`). */
  readonly isCollected?: boolean;
}

/** CDI's default for the share of a claim that its file system needs. */
const FILESYSTEM_OVERHEAD = '0.06';

/** Claim of a disk that is attached when the guest starts. */
function claimOf({ persistentVolumeClaim, dataVolume, ephemeral }: Volume): string | undefined {
  if (persistentVolumeClaim) return persistentVolumeClaim.hotpluggable ? undefined : persistentVolumeClaim.claimName;
  if (dataVolume) return dataVolume.hotpluggable ? undefined : dataVolume.name;
  return ephemeral?.persistentVolumeClaim?.claimName;
}

/** Claim that a volume refers to, hotplugged or not. */
export const namedClaim = ({ persistentVolumeClaim, dataVolume, memoryDump }: Volume): string | undefined =>
  dataVolume?.name ?? persistentVolumeClaim?.claimName ?? memoryDump?.claimName;

/** Names of the claims that must exist before the Pod is created. */
export const claimNames = ({ volumes = [] }: Pick<VirtualMachineInstanceSpec, 'volumes'>): string[] =>
  volumes.map(claimOf).filter((name) => name !== undefined);

/** Facts of a claim in the status of its volume. */
export function claimInfo(claimName: string, claim: ClaimInfo): VolumeStatus['persistentVolumeClaimInfo'] {
  const { volumeMode = 'Filesystem', accessModes = [], requests, capacity } = claim;
  const info = {
    claimName,
    volumeMode,
    accessModes: [...accessModes],
    ...(requests && { requests }),
    ...(capacity && { capacity }),
  };
  return info as VolumeStatus['persistentVolumeClaimInfo'];
}

/** Status of the claims: whether a guest can migrate depends on the access modes of its disks. */
export function claimStatus(
  { volumes = [] }: Pick<VirtualMachineInstanceSpec, 'volumes'>,
  claims: ReadonlyMap<string, ClaimInfo>,
): VolumeStatus[] {
  return volumes.flatMap((volume) => {
    const claimName = claimOf(volume);
    const claim = claimName === undefined ? undefined : claims.get(claimName);
    if (!claim) return [];
    const filesystemOverhead = claim.volumeMode === 'Block' ? '0' : FILESYSTEM_OVERHEAD;
    const info = { ...claimInfo(claimName!, claim), filesystemOverhead } as VolumeStatus['persistentVolumeClaimInfo'];
    return [{ name: volume.name, target: '', persistentVolumeClaimInfo: info }];
  });
}

/** The recorded status of all volumes with that of the claims now; undefined if nothing has changed. */
export function withClaimStatus(
  recorded: readonly VolumeStatus[],
  claims: readonly VolumeStatus[],
): VolumeStatus[] | undefined {
  const merged = recorded.map((volume) => {
    const claim = claims.find(({ name }) => name === volume.name)?.persistentVolumeClaimInfo;
    return claim ? { ...volume, persistentVolumeClaimInfo: claim } : volume;
  });
  const added = claims.filter(({ name }) => !recorded.some((volume) => volume.name === name));
  const all = [...merged, ...added];
  return isDeepStrictEqual(all, recorded) ? undefined : all;
}
