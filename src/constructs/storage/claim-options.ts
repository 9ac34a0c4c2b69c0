import type { Size } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import type { INamedObject } from '../resource';
import type { AccessMode, DiskContent, VolumeMode } from './claim-choices';

/** A stage of an import of a running VM. */
export interface ImportCheckpoint {
  /** Snapshot that this stage copies. */
  readonly current: string;
  /**
   * Snapshot of the stage before.
   * @default - none: this is the first stage
   */
  readonly previous?: string;
}

/** Where a claim comes from, and how it is filled. */
export interface DataVolumeOptions {
  /**
   * Its StorageClass.
   * @default - the default class for VMs, else the default class
   */
  readonly storageClassName?: string;
  /**
   * How many nodes may mount it.
   * @default - as the StorageProfile says
   */
  readonly accessModes?: AccessMode[];
  /**
   * Whether it holds a file system.
   * @default - as the StorageProfile says
   */
  readonly volumeMode?: VolumeMode;
  /**
   * The most that it may grow to.
   * @default - no limit
   */
  readonly sizeLimit?: Size;
  /**
   * PersistentVolumes that it may be bound to.
   * @default - any that fits
   */
  readonly selector?: k8s.LabelSelector;
  /**
   * The PersistentVolume that it is bound to.
   * @default - any that fits
   */
  readonly volumeName?: string;
  /**
   * The claim is made as it is told here (`spec.pvc`): nothing comes from the StorageProfile, nothing is added for the
   * file system. Size and one access mode are needed then.
   * @default false
   */
  readonly exact?: boolean;
  /**
   * Its VolumeAttributesClass; only with `exact`.
   * @default - none
   */
  readonly volumeAttributesClassName?: string;
  /**
   * What is imported.
   * @default DiskContent.DISK
   */
  readonly content?: DiskContent;
  /**
   * Space is set aside before anything is written.
   * @default - as the CDI object says
   */
  readonly preallocation?: boolean;
  /**
   * PriorityClass of the Pods that fill it.
   * @default - none
   */
  readonly priorityClassName?: string;
  /**
   * ServiceAccount of the Pods that fill it.
   * @default - the namespace's default
   */
  readonly serviceAccount?: INamedObject;
  /**
   * Stages of an import of a running VM, oldest first.
   * @default - the import has one stage
   */
  readonly checkpoints?: ImportCheckpoint[];
  /**
   * The last checkpoint is the last of all.
   * @default false
   */
  readonly finalCheckpoint?: boolean;
}
