import type { Quantity, VirtualMachineInstanceSpec, Volume, VolumeStatus } from '../../../api';

/** A claim, as little of it as is read. */
export interface ClaimInfo {
  readonly uid?: string;
  readonly volumeMode?: 'Filesystem' | 'Block';
  readonly accessModes?: readonly string[];
  readonly requests?: Record<string, Quantity>;
  readonly capacity?: Record<string, Quantity>;
  /** A volume stands behind it. */
  readonly isBound?: boolean;
  /** The DataVolume that controls it. `saysFilled`: the claim's own annotations say that it holds its disk. */
  readonly dataVolume?: { readonly name: string; readonly uid: string; readonly saysFilled: boolean };
  /** CDI deleted its DataVolume after that had filled it (`dataVolumeTTLSeconds`): the claim stands in for it. */
  readonly isCollected?: boolean;
}

/** The claim behind a disk that is there from the start. */
function claimOf({ persistentVolumeClaim, dataVolume, ephemeral }: Volume): string | undefined {
  if (persistentVolumeClaim) return persistentVolumeClaim.hotpluggable ? undefined : persistentVolumeClaim.claimName;
  if (dataVolume) return dataVolume.hotpluggable ? undefined : dataVolume.name;
  return ephemeral?.persistentVolumeClaim?.claimName;
}

/** The claim that a volume names, plugged in or not. */
export const namedClaim = ({ persistentVolumeClaim, dataVolume, memoryDump }: Volume): string | undefined =>
  dataVolume?.name ?? persistentVolumeClaim?.claimName ?? memoryDump?.claimName;

/** Names of the claims that must exist before the Pod can. */
export const claimNames = ({ volumes = [] }: Pick<VirtualMachineInstanceSpec, 'volumes'>): string[] =>
  volumes.map(claimOf).filter((name) => name !== undefined);

/** What the status tells of claims: whether a guest may move depends on how its disks can be reached. */
export function claimStatus(
  { volumes = [] }: Pick<VirtualMachineInstanceSpec, 'volumes'>,
  claims: ReadonlyMap<string, ClaimInfo>,
): VolumeStatus[] {
  return volumes.flatMap((volume) => {
    const claimName = claimOf(volume);
    const claim = claimName === undefined ? undefined : claims.get(claimName);
    if (!claim) return [];
    const { volumeMode = 'Filesystem', accessModes = [], requests, capacity } = claim;
    const info = {
      claimName,
      volumeMode,
      accessModes: [...accessModes],
      ...(requests && { requests }),
      ...(capacity && { capacity }),
    };
    return [
      { name: volume.name, target: '', persistentVolumeClaimInfo: info as VolumeStatus['persistentVolumeClaimInfo'] },
    ];
  });
}
