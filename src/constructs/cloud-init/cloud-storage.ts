import type { Size } from 'cdk8s';
import { Choice } from '../choice';

/** Mount in the guest's fstab. */
export interface CloudMount {
  /**
   * Device to mount: `/dev/vdb1`, `LABEL=data`, `UUID=…`, `server:/export`. A disk with a serial is
   * `/dev/disk/by-id/virtio-…`.
   */
  readonly device: string;
  /** Mount point: an absolute path, or `none` for swap. */
  readonly path: string;
  /**
   * File system type.
   * @default 'auto'
   */
  readonly filesystem?: string;
  /**
   * Mount options.
   * @default - `defaults,nofail`, and mounted after cloud-init
   */
  readonly options?: string[];
}

/** Swap file. */
export interface CloudSwap {
  /**
   * Size of the swap file.
   * @default - depends on the guest's memory
   */
  readonly size?: Size;
  /**
   * Maximum size, if the size depends on the guest's memory.
   * @default - a quarter of the free space
   */
  readonly maxSize?: Size;
  /**
   * Absolute path of the file.
   * @default '/swap.img'
   */
  readonly file?: string;
}

/** Partition table format. */
export class CloudPartitionTable extends Choice {
  /** MBR: for disks of up to 2 TiB, with up to four partitions. */
  public static readonly MBR = new CloudPartitionTable('mbr');
  /** GPT: for disks of any size. */
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

/** Partitions of a disk. */
export interface CloudDiskLayout {
  /**
   * Partition table format.
   * @default CloudPartitionTable.GPT
   */
  readonly table?: CloudPartitionTable;
  /**
   * Size of each partition, in percent of the disk.
   * @default - one partition that fills the disk
   */
  readonly percentages?: number[];
  /**
   * Whether an existing partition table is replaced. Its data is lost.
   * @default false
   */
  readonly overwrite?: boolean;
}

/** Rule by which cloud-init selects the partition for a file system. */
export class CloudPartition extends Choice {
  /** Partition that already has the label and type, or else the device. */
  public static readonly AUTO = new CloudPartition('auto');
  /** Any partition that already has the label and type. */
  public static readonly ANY = new CloudPartition('any');
  /** The device itself, without a partition. */
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

/** File system that cloud-init creates. */
export interface CloudFilesystem {
  /** Disk or partition: `/dev/vdb`, `/dev/vdb1`. */
  readonly device: string;
  /** File system type: `ext4`, `xfs`, `btrfs`, `swap`. */
  readonly filesystem: string;
  /**
   * Label of the file system. An existing file system with this label is kept.
   * @default - none
   */
  readonly label?: string;
  /**
   * Rule that selects a partition of the device.
   * @default - the device itself: `/dev/vdb1` is already a partition
   */
  readonly partition?: CloudPartition;
  /**
   * Whether an existing file system is replaced. Its data is lost.
   * @default false
   */
  readonly overwrite?: boolean;
}

/** Settings for growing partitions after their disk has grown. */
export interface CloudGrowpart {
  /**
   * Whether partitions grow at each boot.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Partitions to grow, as mount points or devices.
   * @default ['/']
   */
  readonly devices?: string[];
}
