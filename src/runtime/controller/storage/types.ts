import type { CloneSource } from '../../../api/cdi/clone-source';
import type { cdi, core, KubeObject } from '../../../api';

/** A claim, with the fields that population reads. */
export interface StorageClaim extends KubeObject {
  readonly spec: core.PersistentVolumeClaimSpec;
  readonly status?: { readonly phase?: string; readonly capacity?: { readonly storage?: string } };
}

export interface PersistentVolume extends KubeObject {
  readonly spec?: {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly capacity?: { readonly storage?: string };
    readonly accessModes?: readonly string[];
    readonly volumeMode?: string;
    readonly storageClassName?: string;
    readonly persistentVolumeReclaimPolicy?: string;
    readonly csi?: { readonly driver?: string };
    readonly nodeAffinity?: { readonly required?: core.NodeSelector };
  };
  readonly status?: { readonly phase?: string };
}

export interface StorageClass extends KubeObject {
  readonly provisioner?: string;
  readonly volumeBindingMode?: string;
  readonly allowVolumeExpansion?: boolean;
}

/** Content of a claim. */
export type Fill = ImportFill | CloneFill | UploadFill;

export interface ImportFill {
  readonly kind: 'import';
  readonly source: cdi.ImportSourceType;
  readonly contentType: 'kubevirt' | 'archive';
  readonly isPreallocated: boolean;
  readonly priorityClassName?: string;
}

/** Content that a client sends. */
export interface UploadFill {
  readonly kind: 'upload';
  readonly contentType: 'kubevirt' | 'archive';
  readonly isPreallocated: boolean;
  readonly priorityClassName?: string;
}

export interface CloneFill {
  readonly kind: 'clone';
  readonly from: CloneSource;
  /** Path of a qcow2 image in the file system of the source, which is copied instead of its disk. */
  readonly image?: string;
  readonly isPreallocated: boolean;
  readonly priorityClassName?: string;
}

export type DataSource = cdi.DataSource & KubeObject;

export interface VolumeSnapshot extends KubeObject {
  readonly spec?: {
    readonly volumeSnapshotClassName?: string;
    readonly source?: { readonly persistentVolumeClaimName?: string };
  };
  readonly status?: {
    readonly readyToUse?: boolean;
    readonly creationTime?: string;
    readonly restoreSize?: string;
    readonly boundVolumeSnapshotContentName?: string;
    readonly error?: { readonly message?: string; readonly time?: string };
  };
}

/** Group of DataVolumes and volume populators. */
export const CDI_GROUP = 'cdi.kubevirt.io';
/** Label of every Pod and claim that serves population. */
export const WORK_LABELS = { app: 'containerized-data-importer' } as const;
