/** Objects with the data of a snapshot. Their owner is its content. Pure. */
import { keys } from '../../../../api/keys';
import { controllerRef } from '../../../../api/owner';
import { quantityOf } from '../../../../api/quantity';
import type { KubeObject } from '../../../../api';
import { imageOf, type Backup } from '../backup/observed';
import { guestCopiesOf, guestCopyName } from '../guest-copy';
import {
  BACKUP_API,
  copyOf,
  VOLUME_SNAPSHOT_GROUP,
  type Claim,
  type Content,
  type VolumeBackup,
  type VolumeSnapshot,
} from '../types';

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

/** Claim into which the platform copies a volume. */
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

/** Object that lets the populator copy a claim, or an image that QEMU wrote of the volume. */
export const copySource = (
  content: Content,
  { persistentVolumeClaim: of, volumeName }: VolumeBackup,
  name: string,
  taken?: Backup,
): KubeObject => {
  const owners = [controllerRef(content)];
  if (!taken) return cloneSource(name, content.metadata.namespace, of.metadata?.name ?? '', owners);
  return cloneSource(name, content.metadata.namespace, taken.metadata.name ?? '', owners, {
    [keys.sourceImage]: imageOf(taken, volumeName),
  });
};

/** Object that lets the populator copy a claim of the namespace. */
export const cloneSource = (
  name: string,
  namespace: string | undefined,
  from: string,
  ownerReferences: KubeObject['metadata']['ownerReferences'],
  annotations?: Readonly<Record<string, string>>,
): KubeObject =>
  ({
    apiVersion: `${CDI}/v1beta1`,
    kind: 'VolumeCloneSource',
    metadata: { name, namespace, ownerReferences, ...(annotations && { annotations }) },
    spec: { source: { kind: 'PersistentVolumeClaim', name: from } },
  }) as KubeObject;

/** Claim for the images that QEMU writes. Each is then copied into a claim of its own. */
export function guestCopyClaim(content: Content, bytes: number): Claim {
  const [first] = content.spec.volumeBackups?.filter((backup) => copyOf(backup) !== undefined) ?? [];
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: guestCopyName(content),
      namespace: content.metadata.namespace,
      ownerReferences: [controllerRef(content)],
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: first?.persistentVolumeClaim.spec?.storageClassName,
      volumeMode: 'Filesystem',
      resources: { requests: { storage: quantityOf(BigInt(bytes), 'BinarySI') } },
    },
  };
}

/** Backup in which QEMU copies all disks at one point in time. */
export function guestCopy(content: Content, freezes: boolean): Backup {
  const name = guestCopyName(content);
  return {
    apiVersion: BACKUP_API,
    kind: 'VirtualMachineBackup',
    metadata: {
      name,
      namespace: content.metadata.namespace,
      annotations: { [keys.guestCopies]: guestCopiesOf(content).join(',') },
      ownerReferences: [controllerRef(content)],
    },
    spec: {
      source: {
        apiGroup: 'kubevirt.io',
        kind: 'VirtualMachine',
        name: content.spec.source.virtualMachine?.metadata?.name ?? '',
      },
      pvcName: name,
      forceFullBackup: true,
      skipQuiesce: !freezes,
    },
  };
}
