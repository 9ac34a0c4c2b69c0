import type { Size } from 'cdk8s';
import { Choice } from '../choice';

/** A line of the guest's fstab. */
export interface CloudMount {
  /** What is mounted: `/dev/vdb1`, `LABEL=data`, `UUID=…`, `server:/export`. A disk with a serial is `/dev/disk/by-id/virtio-…`. */
  readonly device: string;
  /** Where: an absolute path, or `none` for swap. */
  readonly path: string;
  /**
   * Type of the file system.
   * @default 'auto'
   */
  readonly filesystem?: string;
  /**
   * Options of mount.
   * @default - defaults,nofail, and after cloud-init
   */
  readonly options?: string[];
}

/** A swap file. */
export interface CloudSwap {
  /**
   * Its size.
   * @default - by the guest's memory
   */
  readonly size?: Size;
  /**
   * The most that a size by memory may become.
   * @default - a quarter of the free space
   */
  readonly maxSize?: Size;
  /**
   * Absolute path of the file.
   * @default '/swap.img'
   */
  readonly file?: string;
}

/** Kinds of partition tables. */
export class CloudPartitionTable extends Choice {
  /** Up to 2 TiB, four partitions. */
  public static readonly MBR = new CloudPartitionTable('mbr');
  /** For all disks. */
  public static readonly GPT = new CloudPartitionTable('gpt');

  /**
   * Any other kind, as cloud-init writes it.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CloudPartitionTable {
    return new CloudPartitionTable(value);
  }
}

/** How a disk is partitioned. */
export interface CloudDiskLayout {
  /**
   * Kind of the table.
   * @default CloudPartitionTable.GPT
   */
  readonly table?: CloudPartitionTable;
  /**
   * Share of each partition, in percent of the disk.
   * @default - one partition on the whole disk
   */
  readonly percentages?: number[];
  /**
   * Replaces a table that is there. Its data is lost.
   * @default false
   */
  readonly overwrite?: boolean;
}

/** How the place of a file system is chosen on a disk. */
export class CloudPartition extends Choice {
  /** A partition that has the label and type already, or else the device. */
  public static readonly AUTO = new CloudPartition('auto');
  /** Any partition that has the label and type already. */
  public static readonly ANY = new CloudPartition('any');
  /** No partition: the device itself. */
  public static readonly NONE = new CloudPartition('none');

  /**
   * Any other word, as cloud-init writes it.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CloudPartition {
    return new CloudPartition(value);
  }
}

/** A file system that cloud-init makes. */
export interface CloudFilesystem {
  /** On which disk or partition: `/dev/vdb`, `/dev/vdb1`. */
  readonly device: string;
  /** Its type: `ext4`, `xfs`, `btrfs`, `swap`. */
  readonly filesystem: string;
  /**
   * Its label. A file system with this label is kept as it is.
   * @default - none
   */
  readonly label?: string;
  /**
   * How a partition of the device is chosen.
   * @default - the device as it is named: `/dev/vdb1` is a partition itself
   */
  readonly partition?: CloudPartition;
  /**
   * Replaces a file system that is there. Its data is lost.
   * @default false
   */
  readonly overwrite?: boolean;
}

/** How the guest takes more space when its disk grew. */
export interface CloudGrowpart {
  /**
   * Grows partitions at each boot.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Which ones: mount points or devices.
   * @default ['/']
   */
  readonly devices?: string[];
}
