import type { PersistentVolumeClaim, Pod, Volume } from './core-v1';

/** Claims of the volumes of Pods. A volume names its claim, or is generic ephemeral and has one of its own. */

/** Claim of a Pod's volume. */
export interface VolumeClaim {
  readonly volume: string;
  readonly name: string;
  /** Whether the claim is created and deleted with the Pod. */
  readonly ephemeral: boolean;
  readonly readOnly: boolean;
}

/** The claim of a volume; undefined if it has none. */
export function claimOf({ metadata }: Pick<Pod, 'metadata'>, volume: Volume): VolumeClaim | undefined {
  const { name, persistentVolumeClaim, ephemeral } = volume;
  if (ephemeral) return { volume: name, name: `${metadata.name}-${name}`, ephemeral: true, readOnly: false };
  if (!persistentVolumeClaim) return undefined;
  const { claimName, readOnly = false } = persistentVolumeClaim;
  return { volume: name, name: claimName, ephemeral: false, readOnly };
}

export const claimsOf = (pod: Pick<Pod, 'metadata' | 'spec'>): VolumeClaim[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => claimOf(pod, volume) ?? []);

/** Reason why a claim that has the name of an ephemeral volume's claim cannot be used for it. */
export function foreignClaim(pod: Pick<Pod, 'metadata'>, { metadata }: PersistentVolumeClaim): string | undefined {
  const owned = metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === pod.metadata.uid);
  if (owned) return undefined;
  const { namespace, name } = pod.metadata;
  return `PVC ${metadata.namespace}/${metadata.name} was not created for pod ${namespace}/${name} (pod is not owner)`;
}
