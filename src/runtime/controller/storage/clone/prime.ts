/** The claim that a clone fills, and the objects beside it. Pure. */
import type { CloneSource } from '../../../../api/cdi/clone-source';
import { controllerRef } from '../../../../api/owner';
import { quantityOf } from '../../../../api/quantity';
import { annotations } from '../population/annotations';
import { primeOf } from '../population/prime';
import { WORK_LABELS, type StorageClaim, type VolumeSnapshot } from '../types';
import type { Plan } from './plan';

const snapshotName = ({ metadata }: Pick<StorageClaim, 'metadata'>): string => `tmp-snapshot-${metadata.uid}`;

/**
 * Claim in the namespace of the source, where the storage and a Pod can read it. Its volume is then handed over to the claim of the
 * user, in any namespace. An owner of another namespace is not possible, so an annotation names the user's claim.
 */
export function clonePrimeOf(
  claim: StorageClaim,
  from: CloneSource,
  { strategy, bytes, node, needsPod }: Plan,
): StorageClaim {
  const prime = primeOf(claim);
  const { metadata } = claim;
  const { [annotations.selectedNode]: _selected, ...rest } = prime.metadata.annotations ?? {};
  const given =
    strategy === 'copy' ? prime.metadata.annotations : { ...rest, ...(node && { [annotations.selectedNode]: node }) };
  return {
    ...prime,
    metadata: {
      ...prime.metadata,
      namespace: from.namespace,
      annotations: {
        ...given,
        [annotations.cloneType]: strategy,
        [annotations.cloneTarget]: `${metadata.namespace}/${metadata.name}`,
        [annotations.cloneSource]: `${from.kind}/${from.name}`,
        ...(needsPod && { [annotations.cloneFinish]: 'true' }),
      },
      ownerReferences: from.namespace === metadata.namespace ? prime.metadata.ownerReferences : [],
    },
    spec: {
      ...prime.spec,
      resources: { ...prime.spec.resources, requests: { storage: quantityOf(BigInt(bytes), 'BinarySI') } },
      ...(strategy !== 'copy' && { dataSource: dataSourceOf(claim, from, strategy) }),
    },
  };
}

/**
 * Source of a clone that has begun. Its permission was checked for this one; the VolumeCloneSource may have been changed or
 * replaced since.
 */
export function begunFrom({ metadata }: StorageClaim, described: CloneSource): CloneSource {
  const [kind, name] = metadata.annotations?.[annotations.cloneSource]?.split('/') ?? [];
  if (!name || (kind !== 'PersistentVolumeClaim' && kind !== 'VolumeSnapshot')) return described;
  return { kind, namespace: metadata.namespace ?? described.namespace, name };
}

function dataSourceOf(claim: StorageClaim, from: CloneSource, strategy: 'csi-clone' | 'snapshot') {
  if (strategy === 'csi-clone') return { kind: 'PersistentVolumeClaim', name: from.name };
  const name = from.kind === 'VolumeSnapshot' ? from.name : snapshotName(claim);
  return { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name };
}

/** Snapshot of the source, which is deleted with the claim that is restored from it. */
export const snapshotOf = (prime: StorageClaim, from: CloneSource, className: string): VolumeSnapshot => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot',
  metadata: {
    name: prime.spec.dataSource?.name,
    namespace: from.namespace,
    labels: { ...WORK_LABELS },
    ownerReferences: [controllerRef(prime)],
  },
  spec: { volumeSnapshotClassName: className, source: { persistentVolumeClaimName: from.name } },
});
