import { claimsOf, foreignClaim } from '../../claims';
import type { PersistentVolumeClaim, Pod } from '../../core-v1';
import { controllerRef } from '../../../api/owner';

/** Claims to create for a Pod, or the reason why its volumes cannot have claims. */
export type Plan =
  | { readonly create: readonly { readonly volume: string; readonly claim: PersistentVolumeClaim }[] }
  | { readonly conflict: { readonly volume: string; readonly message: string } };

/** Decides which claims to create for the generic ephemeral volumes of a Pod. Pure. */
export function decide(pod: Pod, find: (name: string) => PersistentVolumeClaim | undefined): Plan {
  const create: { volume: string; claim: PersistentVolumeClaim }[] = [];
  if (pod.metadata.deletionTimestamp) return { create };
  for (const { volume, name, ephemeral } of claimsOf(pod)) {
    if (!ephemeral) continue;
    const known = find(name);
    const message = known && foreignClaim(pod, known);
    if (message) return { conflict: { volume, message } };
    if (!known) create.push({ volume, claim: claimFor(pod, volume, name) });
  }
  return { create };
}

function claimFor(pod: Pod, volume: string, name: string): PersistentVolumeClaim {
  const template = pod.spec.volumes?.find((item) => item.name === volume)?.ephemeral?.volumeClaimTemplate;
  const { labels, annotations } = template?.metadata ?? {};
  const owner = controllerRef({ apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata });
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: pod.metadata.namespace,
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ownerReferences: [owner],
    },
    spec: template?.spec,
  };
}
