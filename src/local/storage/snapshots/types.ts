import type { KubeObject } from '../../../api';

export const SNAPSHOT_GROUP = 'snapshot.storage.k8s.io';

/** Source of a snapshot: a claim, or a content that already exists. */
export interface VolumeSnapshot extends KubeObject {
  spec: {
    source: { persistentVolumeClaimName?: string; volumeSnapshotContentName?: string };
    volumeSnapshotClassName?: string;
  };
  status?: {
    boundVolumeSnapshotContentName?: string;
    creationTime?: string;
    readyToUse?: boolean;
    /** Smallest claim that can contain the snapshot, as a quantity. */
    restoreSize?: string;
    error?: SnapshotError;
  };
}

export interface SnapshotError {
  message?: string;
  time?: string;
}

/** Source of a content: a volume, or data that already exist. */
export interface VolumeSnapshotContent extends KubeObject {
  spec: {
    deletionPolicy: 'Delete' | 'Retain';
    driver: string;
    source: { volumeHandle?: string; snapshotHandle?: string };
    sourceVolumeMode?: string;
    volumeSnapshotClassName?: string;
    volumeSnapshotRef: { kind?: string; namespace?: string; name?: string; uid?: string };
  };
  status?: {
    snapshotHandle?: string;
    /** Nanoseconds since 1970. */
    creationTime?: number;
    readyToUse?: boolean;
    /** Bytes. */
    restoreSize?: number;
    error?: SnapshotError;
  };
}

export interface VolumeSnapshotClass extends KubeObject {
  driver: string;
  deletionPolicy: 'Delete' | 'Retain';
}
