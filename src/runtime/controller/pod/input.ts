import type { ClusterConfig } from '../../../api/cluster-config';
import type { Quantity, VirtualMachineInstance, VirtualMachineInstanceSpec, Volume, VolumeStatus } from '../../../api';

/** A claim, as little of it as is read. */
export interface ClaimInfo {
  readonly volumeMode?: 'Filesystem' | 'Block';
  readonly accessModes?: readonly string[];
  readonly requests?: Record<string, Quantity>;
  readonly capacity?: Record<string, Quantity>;
  /** A volume stands behind it. */
  readonly isBound?: boolean;
}

/** All that a launcher Pod is made from. */
export interface RenderInput {
  readonly vmi: VirtualMachineInstance;
  readonly config: ClusterConfig;
  readonly launcherImage: string;
  /** The claims of the VMI's namespace that exist, by name. */
  readonly claims: ReadonlyMap<string, ClaimInfo>;
}

/** vCPUs at boot. */
export function vcpusOf({ spec }: VirtualMachineInstance): number {
  const { cores, sockets, threads } = spec.domain.cpu ?? {};
  return (cores || 1) * (sockets || 1) * (threads || 1);
}

export const hasDedicatedCpus = ({ spec }: VirtualMachineInstance): boolean =>
  spec.domain.cpu?.dedicatedCpuPlacement === true;

/** The user asked for limits that equal the requests. */
export function wantsGuaranteed({ spec }: VirtualMachineInstance): boolean {
  const { requests = {}, limits = {} } = spec.domain.resources ?? {};
  return ['cpu', 'memory'].every(
    (name) => limits[name] !== undefined && same(requests[name] ?? limits[name], limits[name]),
  );
}

const same = (a: unknown, b: unknown): boolean => String(a) === String(b);

/** The claim behind a disk that is there from the start. */
function claimOf({ persistentVolumeClaim, dataVolume, ephemeral }: Volume): string | undefined {
  if (persistentVolumeClaim) return persistentVolumeClaim.hotpluggable ? undefined : persistentVolumeClaim.claimName;
  if (dataVolume) return dataVolume.hotpluggable ? undefined : dataVolume.name;
  return ephemeral?.persistentVolumeClaim?.claimName;
}

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
