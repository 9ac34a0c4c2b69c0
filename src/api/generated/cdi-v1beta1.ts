// Generated from api/schema/cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference, TypedObjectReference, VolumeResourceRequirements } from './core-v1';
import type { LabelSelector } from './meta-v1';

export type DataVolumeBlankImage = Record<string, unknown>;

export interface DataVolumeCheckpoint {
  current: string;
  previous: string;
}

export interface DataVolumeSource {
  blank?: DataVolumeBlankImage;
  gcs?: DataVolumeSourceGCS;
  http?: DataVolumeSourceHTTP;
  imageio?: DataVolumeSourceImageIO;
  pvc?: DataVolumeSourcePVC;
  registry?: DataVolumeSourceRegistry;
  s3?: DataVolumeSourceS3;
  snapshot?: DataVolumeSourceSnapshot;
  upload?: DataVolumeSourceUpload;
  vddk?: DataVolumeSourceVDDK;
}

export interface DataVolumeSourceGCS {
  secretRef?: string;
  url: string;
}

export interface DataVolumeSourceHTTP {
  certConfigMap?: string;
  extraHeaders?: string[];
  secretExtraHeaders?: string[];
  secretRef?: string;
  url: string;
}

export interface DataVolumeSourceImageIO {
  certConfigMap?: string;
  diskId: string;
  insecureSkipVerify?: boolean;
  secretRef?: string;
  url: string;
}

export interface DataVolumeSourcePVC {
  name: string;
  namespace: string;
}

export interface DataVolumeSourceRef {
  kind: string;
  name: string;
  namespace?: string;
}

export interface DataVolumeSourceRegistry {
  certConfigMap?: string;
  imageStream?: string;
  platform?: PlatformOptions;
  pullMethod?: 'pod' | 'node';
  secretRef?: string;
  url?: string;
}

export interface DataVolumeSourceS3 {
  certConfigMap?: string;
  secretRef?: string;
  url: string;
}

export interface DataVolumeSourceSnapshot {
  name: string;
  namespace: string;
}

export type DataVolumeSourceUpload = Record<string, unknown>;

export interface DataVolumeSourceVDDK {
  backingFile?: string;
  extraArgs?: string;
  initImageURL?: string;
  secretRef?: string;
  thumbprint?: string;
  url?: string;
  uuid?: string;
}

export interface DataVolumeSpec {
  checkpoints?: DataVolumeCheckpoint[];
  contentType?: 'kubevirt' | 'archive';
  finalCheckpoint?: boolean;
  preallocation?: boolean;
  priorityClassName?: string;
  pvc?: PersistentVolumeClaimSpec;
  source?: DataVolumeSource;
  sourceRef?: DataVolumeSourceRef;
  storage?: StorageSpec;
}

export interface PlatformOptions {
  architecture?: string;
}

export interface StorageSpec {
  accessModes?: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  resources?: VolumeResourceRequirements;
  selector?: LabelSelector;
  storageClassName?: string;
  volumeMode?: 'Filesystem' | 'Block';
  volumeName?: string;
}
