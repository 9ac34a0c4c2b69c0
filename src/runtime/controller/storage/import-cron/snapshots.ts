/** Imports that are kept as VolumeSnapshots, if the profile of their storage class requires it. Pure. */
import { keys } from '../../../../api/keys';
import type { VolumeSnapshot } from '../types';
import type { DataImportCron } from './names';

export interface Snapshots {
  readonly className: string;
  /** Those with the label of the DataImportCron. */
  readonly taken: readonly VolumeSnapshot[];
}

/** Snapshot of a complete import, which has the same name. */
export function snapshotOf(
  { metadata }: DataImportCron,
  { className }: Snapshots,
  name: string,
  labels: Readonly<Record<string, string>>,
): VolumeSnapshot {
  return {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: { ...labels, [keys.dataImportCron]: metadata.name ?? '' },
    },
    spec: { volumeSnapshotClassName: className, source: { persistentVolumeClaimName: name } },
  };
}

/** Progress of a snapshot that cannot be used yet. */
export function waiting(name: string, { status }: Pick<VolumeSnapshot, 'status'>): string {
  const cause = status?.error?.message;
  return `VolumeSnapshot ${name} is not ready${cause === undefined ? '' : `: ${cause}`}`;
}
