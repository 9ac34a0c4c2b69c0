import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../core-v1';
import { PROVISIONED_BY, PROVISIONER } from './decide';

/** The PersistentVolume of a claim. Pure. */

export const DEFAULT_SIZE = '1Gi';

/** Name of the volume that is created for a claim. */
export const volumeNameOf = ({ metadata }: Pick<PersistentVolumeClaim, 'metadata'>): string => `pvc-${metadata.uid}`;

export const claimRef = ({ metadata }: PersistentVolumeClaim) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
});

export const volumeOf = (
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  { node, path }: { readonly node: string; readonly path: string },
): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: volumeNameOf(claim), annotations: { [PROVISIONED_BY]: PROVISIONER } },
  spec: {
    capacity: { storage: claim.spec?.resources?.requests?.storage ?? DEFAULT_SIZE },
    accessModes: claim.spec?.accessModes,
    volumeMode: claim.spec?.volumeMode ?? 'Filesystem',
    persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
    storageClassName: storageClass.metadata.name,
    claimRef: claimRef(claim),
    local: { path },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] }],
      },
    },
  },
});
