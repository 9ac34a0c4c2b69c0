import type { Size } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import type { INamedObject } from '../resource';
import type { AccessMode, DiskContent, VolumeMode } from './claim-choices';

/** Stage of a multi-stage import of a running VM. */
export interface ImportCheckpoint {
  /** Snapshot that this stage copies. */
  readonly current: string;
  /**
   * Snapshot of the previous stage.
   * @default - none: this is the first stage
   */
  readonly previous?: string;
}

/** Options of a claim and of its import. */
export interface DataVolumeOptions {
  /**
   * StorageClass of the claim.
   * @default - the default StorageClass for VMs, or else the default StorageClass
   */
  readonly storageClassName?: string;
  /**
   * Access modes: the number of nodes that can mount the claim.
   * @default - from the StorageProfile
   */
  readonly accessModes?: AccessMode[];
  /**
   * Volume mode: a block device or a file system.
   * @default - from the StorageProfile
   */
  readonly volumeMode?: VolumeMode;
  /**
   * Maximum size to which the claim can grow.
   * @default - no limit
   */
  readonly sizeLimit?: Size;
  /**
   * Labels of the PersistentVolumes that the claim can be bound to.
   * @default - any that fits
   */
  readonly selector?: k8s.LabelSelector;
  /**
   * Name of the PersistentVolume to bind the claim to.
   * @default - any that fits
   */
  readonly volumeName?: string;
  /**
   * Whether the claim has exactly these settings (`spec.pvc`): the StorageProfile adds no defaults, and the size is not
   * increased for the overhead of a file system. Requires a size and one access mode.
   * @default false
   */
  readonly exact?: boolean;
  /**
   * VolumeAttributesClass of the claim. Requires `exact`.
   * @default - none
   */
  readonly volumeAttributesClassName?: string;
  /**
   * Type of the imported content.
   * @default DiskContent.DISK
   */
  readonly content?: DiskContent;
  /**
   * Whether the space of the disk is allocated in advance.
   * @default - as set in the CDI object
   */
  readonly preallocation?: boolean;
  /**
   * PriorityClass of the Pods that fill the claim.
   * @default - none
   */
  readonly priorityClassName?: string;
  /**
   * ServiceAccount of the Pods that fill the claim.
   * @default - the default ServiceAccount of the namespace
   */
  readonly serviceAccount?: INamedObject;
  /**
   * Stages of an import of a running VM, oldest first.
   * @default - the import has one stage
   */
  readonly checkpoints?: ImportCheckpoint[];
  /**
   * Whether the last checkpoint completes the import.
   * @default false
   */
  readonly finalCheckpoint?: boolean;
}
