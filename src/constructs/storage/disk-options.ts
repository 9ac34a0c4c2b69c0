import type { ApiObjectMetadata, Size } from 'cdk8s';
import type { BlockSize } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import type { DataVolumeOptions } from './claim-options';
import type { DiskBus, DiskCache, DiskErrorPolicy, DiskIo, PullPolicy } from './disk-choices';
import type { DiskDevice } from './disk-device';
import type {
  CloneOptions,
  GcsSourceOptions,
  HttpSourceOptions,
  ImageioSourceOptions,
  RegistrySourceOptions,
  S3SourceOptions,
  VddkSourceOptions,
} from './source-options';

/** Sector sizes in bytes, each a power of 2 from 512 to 2,097,152. */
export interface CustomBlockSize {
  /** Logical sector size in bytes: the smallest unit that the guest reads or writes. */
  readonly logical: number;
  /** Physical sector size in bytes: the smallest unit that the storage reads or writes. At least `logical`. */
  readonly physical: number;
  /**
   * Smallest unit that can be discarded, in bytes. A multiple of `logical`.
   * @default - the value of `logical`
   */
  readonly discardGranularity?: number;
}

/** Sector sizes that the guest sees. */
export class DiskBlockSize {
  /**
   * Sets the sector sizes.
   *
   * @param sizes logical and physical sector size, in bytes
   * @example
   * vm.addDisk(Disk.blank(Size.gibibytes(50), { blockSize: DiskBlockSize.custom({ logical: 4096, physical: 4096 }) }));
   */
  public static custom(sizes: CustomBlockSize): DiskBlockSize {
    const { logical, physical, discardGranularity } = sizes;
    return new DiskBlockSize({
      custom: { logical, physical, ...(discardGranularity === undefined ? {} : { discardGranularity }) },
    });
  }

  /**
   * Uses the sector sizes that the volume reports; `false` turns this off.
   *
   * @param enabled whether the sizes of the volume are used
   * @example
   * vm.addDisk(Disk.blank(Size.gibibytes(50), { blockSize: DiskBlockSize.matchVolume() }));
   */
  public static matchVolume(enabled = true): DiskBlockSize {
    return new DiskBlockSize({ matchVolume: { enabled } });
  }

  private constructor(private readonly size: BlockSize) {}

  /** @internal */
  public _render(): BlockSize {
    return this.size;
  }
}

/** Options of every disk. */
export interface DiskOptions {
  /**
   * Name of the disk and its volume: a DNS label, unique in the VM.
   * @default - `disk0`, `disk1`, … by position
   */
  readonly name?: string;
  /**
   * Device type in the guest.
   * @default DiskDevice.DISK
   */
  readonly device?: DiskDevice;
  /**
   * Bus of the disk.
   * @default - scsi if the disk can be unplugged; otherwise the bus of the VM's preference. Without a preference:
   * virtio, sata for a CD drive, scsi for a LUN
   */
  readonly bus?: DiskBus;
  /**
   * Boot order: position from 1 in which the firmware tries disks and interfaces.
   * @default - position in the list, if no disk or interface sets a boot order
   */
  readonly bootOrder?: number;
  /**
   * Serial number that the guest sees: at most 36 letters, digits and `_.+-`.
   * @default - none
   */
  readonly serial?: string;
  /**
   * Whether the guest is prevented from writing to the disk.
   * @default false
   */
  readonly readOnly?: boolean;
  /**
   * Cache mode on the host.
   * @default - none if the storage allows it, otherwise writethrough
   */
  readonly cache?: DiskCache;
  /**
   * I/O mode on the host.
   * @default - native for block devices and preallocated files, otherwise threads
   */
  readonly io?: DiskIo;
  /**
   * Whether the disk has its own I/O thread. Requires the bus virtio.
   * @default false
   */
  readonly dedicatedIoThread?: boolean;
  /**
   * Reaction to an I/O error of the storage.
   * @default DiskErrorPolicy.STOP
   */
  readonly errorPolicy?: DiskErrorPolicy;
  /**
   * Whether several VMs can write to the disk at the same time. Requires a cluster file system.
   * @default false
   */
  readonly shareable?: boolean;
  /**
   * Tag that cloud-init's metadata lists with the address of the disk, so that the guest can identify it.
   * @default - none
   */
  readonly tag?: string;
  /**
   * Sector sizes that the guest sees.
   * @default - 512 bytes
   */
  readonly blockSize?: DiskBlockSize;
  /**
   * Whether changed blocks are tracked for backups. The platform sets this if a label requests tracking.
   * @default - set by the platform
   */
  readonly changedBlockTracking?: boolean;
}

/** Options of a container disk. */
export interface ContainerDiskOptions extends DiskOptions {
  /**
   * Path of the disk in the image.
   * @default - the only file in `/disk`
   */
  readonly path?: string;
  /**
   * Policy for pulling the image.
   * @default - always for the tag `latest`; otherwise only if the node does not have the image
   */
  readonly pullPolicy?: PullPolicy;
  /**
   * Secret with the credentials of the registry.
   * @default - none
   */
  readonly pullSecret?: INamedObject;
}

/** Options of a disk that can be plugged in and unplugged while the guest runs. */
export interface PluggableDiskOptions extends DiskOptions {
  /**
   * Whether the disk can be unplugged while the guest runs. Requires the bus scsi or virtio.
   * @default false
   */
  readonly hotpluggable?: boolean;
}

/** Options of a disk on an existing claim. */
export interface ClaimDiskOptions extends PluggableDiskOptions {
  /**
   * Whether the claim is mounted read-only, which requires `readOnly` for a plain disk.
   * @default false
   */
  readonly readOnlyClaim?: boolean;
}

/** Options of an ephemeral disk on a claim, whose writes are lost. */
export interface EphemeralDiskOptions extends DiskOptions {
  /**
   * Whether the claim is mounted read-only.
   * @default false
   */
  readonly readOnlyClaim?: boolean;
}

/** Options of a disk in a file of the node. */
export interface HostDiskOptions extends DiskOptions {
  /**
   * Size with which a missing file is created.
   * @default - the file must exist
   */
  readonly createWithSize?: Size;
  /**
   * Whether all nodes share this file, so that the VM can migrate.
   * @default false
   */
  readonly shared?: boolean;
}

/** Options of a small disk with the files of an object. */
export interface FilesDiskOptions extends DiskOptions {
  /**
   * Label of the file system, such as `cidata`, `config-2`, `OEMDRV`.
   * @default - none
   */
  readonly volumeLabel?: string;
}

/** Options of a small disk with the files of a ConfigMap or Secret. */
export interface OptionalFilesDiskOptions extends FilesDiskOptions {
  /**
   * Whether the object may be missing.
   * @default false
   */
  readonly optional?: boolean;
}

/** Options of the target of a memory dump. */
export interface MemoryDumpOptions {
  /**
   * Name of the volume.
   * @default - `disk0`, `disk1`, … by position
   */
  readonly name?: string;
  /**
   * Whether the volume can be unplugged while the guest runs.
   * @default false
   */
  readonly hotpluggable?: boolean;
  /**
   * Whether the volume is read-only.
   * @default false
   */
  readonly readOnly?: boolean;
}

/** Options of a directory of the launcher's container. */
export interface ContainerPathOptions {
  /**
   * Name of the volume. The guest mounts the directory by this name.
   * @default - `disk0`, `disk1`, … by position
   */
  readonly name?: string;
  /**
   * Whether the directory is read-only. Must be true.
   * @default - true
   */
  readonly readOnly?: boolean;
}

/** Options of a disk that is created together with its VM: those of disk, volume and DataVolume. */
export interface OwnDiskOptions extends PluggableDiskOptions, DataVolumeOptions {
  /**
   * Name, labels and annotations of the DataVolume.
   * @default - name VM-DISK, such as `web-disk0`
   */
  readonly dataVolumeMetadata?: ApiObjectMetadata;
}

/** Options of a disk whose source has a size. */
export interface CopiedDiskOptions extends OwnDiskOptions {
  /**
   * Size of the disk, at least that of the source.
   * @default - size of the source
   */
  readonly size?: Size;
}

/** Options of a disk from an HTTP server. */
export interface HttpDiskOptions extends OwnDiskOptions, HttpSourceOptions {}

/** Options of a disk from S3. */
export interface S3DiskOptions extends OwnDiskOptions, S3SourceOptions {}

/** Options of a disk from Google Cloud Storage. */
export interface GcsDiskOptions extends OwnDiskOptions, GcsSourceOptions {}

/** Options of a disk that is imported from a container image or an image stream. */
export interface RegistryDiskOptions extends OwnDiskOptions, RegistrySourceOptions {}

/** Options of a disk from oVirt. */
export interface ImageioDiskOptions extends OwnDiskOptions, ImageioSourceOptions {}

/** Options of a disk from VMware. */
export interface VddkDiskOptions extends OwnDiskOptions, VddkSourceOptions {}

/** Options of a cloned disk. */
export interface CloneDiskOptions extends CopiedDiskOptions, CloneOptions {}
