import { resources } from '../../../runtime/kube';
import type { KubeClient } from '../../../runtime/kube';
import { foreignClaim, type VolumeClaim } from '../../claims';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../core-v1';

/** Location of a bound claim's data on this machine. */
export interface ClaimSource {
  readonly volumeName: string;
  readonly path: string;
  readonly block: boolean;
  /** Whether a Pod gets a mount of its own, as the kubelet does for volumes of kind `local`. */
  readonly isLocal: boolean;
}

/** Finds the volume of a Pod's claim; throws if it is not bound. */
export async function sourceOfClaim(
  client: KubeClient,
  pod: Pod,
  { name, ephemeral }: VolumeClaim,
): Promise<ClaimSource> {
  const { namespace = '' } = pod.metadata;
  const claim = await client.find<PersistentVolumeClaim>(resources.persistentVolumeClaims, { namespace, name });
  if (!claim) throw new Error(`persistentvolumeclaim "${name}" not found`);
  const foreign = ephemeral ? foreignClaim(pod, claim) : undefined;
  if (foreign) throw new Error(foreign);
  const volumeName = claim.spec?.volumeName;
  if (!volumeName || claim.status?.phase !== 'Bound') {
    throw new Error(`PVC ${namespace}/${name} is not bound; it waits for a volume of its storage class`);
  }
  const volume = await client.find<PersistentVolume>(resources.persistentVolumes, { name: volumeName });
  const path = volume?.spec?.local?.path ?? volume?.spec?.hostPath?.path;
  if (!path) throw new Error(`persistentvolume "${volumeName}" has neither spec.local nor spec.hostPath`);
  return {
    volumeName,
    path,
    block: volume?.spec?.volumeMode === 'Block',
    isLocal: volume?.spec?.local !== undefined,
  };
}
