import type { ClusterConfig } from '../../../api/cluster-config';
import type { VirtualMachineInstance } from '../../../api';

/** A claim as the renderer needs it. */
export interface ClaimInfo {
  readonly volumeMode?: 'Filesystem' | 'Block';
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

/** Names of the claims behind the disks that are there from the start: what must exist before the Pod can. */
export function claimNames({ spec }: VirtualMachineInstance): string[] {
  return (spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim && !volume.persistentVolumeClaim.hotpluggable) {
      return [volume.persistentVolumeClaim.claimName];
    }
    if (volume.dataVolume && !volume.dataVolume.hotpluggable) return [volume.dataVolume.name];
    return volume.ephemeral?.persistentVolumeClaim ? [volume.ephemeral.persistentVolumeClaim.claimName] : [];
  });
}
