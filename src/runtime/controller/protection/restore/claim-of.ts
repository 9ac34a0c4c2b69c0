/** Claim with the data of a volume in a snapshot. Pure. */
import { keys } from '../../../../api/keys';
import { quantityValue } from '../../../../api/quantity';
import type { KubeObject, OwnerReference } from '../../../../api';
import { VOLUME_SNAPSHOT_GROUP, copyOf, type Claim, type Content, type Restore, type VolumeBackup } from '../types';
import { stateVolumeOf } from '../volumes';
import { cloneSourceName, markOf } from './names';

/** Annotations of the old claim that describe its binding or its population, or a copy of it. */
const DROPPED = [
  'pv.kubernetes.io',
  'volume.beta.kubernetes.io',
  'cdi.kubevirt.io',
  'volume.kubernetes.io',
  'virt8s.io/',
];
const STATE_LABEL = 'persistent-state-for';

export interface ClaimInput {
  readonly restore: Restore;
  readonly content: Content;
  readonly backup: VolumeBackup;
  readonly name: string;
  /** Smallest claim that can contain the VolumeSnapshot. */
  readonly restoreSize?: string;
  /** Whether a DataVolume of the VM's templates adopts the claim. */
  readonly isTemplated: boolean;
  readonly owners: readonly OwnerReference[];
}

export function claimOf({ restore, content, backup, name, restoreSize, isTemplated, owners }: ClaimInput): Claim {
  const { metadata, spec } = backup.persistentVolumeClaim;
  const source = content.spec.source.virtualMachine?.metadata;
  const copy = copyOf(backup);
  const override = restore.spec.volumeRestoreOverrides?.find((each) => each.volumeName === backup.volumeName);
  const { [STATE_LABEL]: _state, ...labels } = metadata?.labels ?? {};
  const isState = backup.volumeName === stateVolumeOf(source?.name ?? '');
  const from =
    copy === undefined
      ? {
          dataSource: {
            apiGroup: VOLUME_SNAPSHOT_GROUP,
            kind: 'VolumeSnapshot',
            name: backup.volumeSnapshotName ?? '',
          },
        }
      : {
          dataSourceRef: {
            apiGroup: 'cdi.kubevirt.io',
            kind: 'VolumeCloneSource',
            name: cloneSourceName(restore, backup),
          },
        };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: restore.metadata.namespace,
      labels: {
        ...labels,
        ...(isState && { [STATE_LABEL]: restore.spec.target.name }),
        [keys.restoreSourceName]: source?.name ?? '',
        [keys.restoreSourceNamespace]: restore.metadata.namespace ?? '',
        ...override?.labels,
      },
      annotations: {
        ...keptAnnotations(metadata?.annotations),
        [keys.restoreName]: restore.metadata.name ?? '',
        [keys.lastRestore]: markOf(restore),
        ...(copy !== undefined && { [keys.bindImmediate]: 'true' }),
        ...(isTemplated && { [keys.populatedFor]: name }),
        ...override?.annotations,
      },
      ownerReferences: [...owners],
    },
    spec: {
      accessModes: spec?.accessModes,
      storageClassName: spec?.storageClassName,
      volumeMode: spec?.volumeMode,
      resources: { ...spec?.resources, requests: { storage: larger(spec?.resources?.requests?.storage, restoreSize) } },
      ...from,
    },
  };
}

const keptAnnotations = (given: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(given).filter(([key]) => !DROPPED.some((prefix) => key.startsWith(prefix))));

function larger(asked: unknown = '0', least: string = '0'): string {
  return quantityValue(String(asked)) >= quantityValue(least) ? String(asked) : least;
}

/** An owner that controls nothing: the claim can still be adopted. */
export const ownedBy = ({
  apiVersion = '',
  kind = '',
  metadata: { name = '', uid = '' },
}: KubeObject): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
});
