/** Objects with the data of a snapshot. Their owner is its content. Pure. */
import { keys } from '../../../../api/keys';
import { controllerRef } from '../../../../api/owner';
import type { KubeObject } from '../../../../api';
import { VOLUME_SNAPSHOT_GROUP, type Claim, type Content, type VolumeBackup, type VolumeSnapshot } from '../types';

const CDI = 'cdi.kubevirt.io';

export function volumeSnapshot(
  content: Content,
  { persistentVolumeClaim }: VolumeBackup,
  name: string,
  className: string | undefined,
): VolumeSnapshot {
  const { metadata } = content.spec.source.virtualMachine ?? {};
  return {
    apiVersion: `${VOLUME_SNAPSHOT_GROUP}/v1`,
    kind: 'VolumeSnapshot',
    metadata: {
      name,
      namespace: content.metadata.namespace,
      labels: {
        [keys.snapshotSourceName]: metadata?.name ?? '',
        [keys.snapshotSourceNamespace]: content.metadata.namespace ?? '',
      },
      ownerReferences: [controllerRef(content)],
    },
    spec: {
      ...(className !== undefined && { volumeSnapshotClassName: className }),
      source: { persistentVolumeClaimName: persistentVolumeClaim.metadata?.name },
    },
  };
}

/** Claim into which the platform copies a volume of a stopped VM. */
export function copyClaim(content: Content, { persistentVolumeClaim: of }: VolumeBackup, name: string): Claim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: content.metadata.namespace,
      // no Pod of the user will ever use it
      annotations: { [keys.bindImmediate]: 'true' },
      ownerReferences: [controllerRef(content)],
    },
    spec: {
      accessModes: of.spec?.accessModes,
      resources: of.spec?.resources,
      storageClassName: of.spec?.storageClassName,
      volumeMode: of.spec?.volumeMode,
      dataSourceRef: { apiGroup: CDI, kind: 'VolumeCloneSource', name },
    },
  };
}

export const copySource = (content: Content, { persistentVolumeClaim: of }: VolumeBackup, name: string): KubeObject =>
  cloneSource(name, content.metadata.namespace, of.metadata?.name ?? '', [controllerRef(content)]);

/** Object that lets the populator copy a claim of the namespace. */
export const cloneSource = (
  name: string,
  namespace: string | undefined,
  from: string,
  ownerReferences: KubeObject['metadata']['ownerReferences'],
): KubeObject =>
  ({
    apiVersion: `${CDI}/v1beta1`,
    kind: 'VolumeCloneSource',
    metadata: { name, namespace, ownerReferences },
    spec: { source: { kind: 'PersistentVolumeClaim', name: from } },
  }) as KubeObject;
