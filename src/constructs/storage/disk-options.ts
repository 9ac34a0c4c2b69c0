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

/** Sector sizes in bytes; each a power of 2 from 512 to 2,097,152. */
export interface CustomBlockSize {
  /** What the guest reads and writes at once, in bytes. */
  readonly logical: number;
  /** What the storage reads and writes at once, in bytes; at least `logical`. */
  readonly physical: number;
  /**
   * Least that is discarded at once, in bytes; a multiple of `logical`.
   * @default - `logical`
   */
  readonly discardGranularity?: number;
}

/** Sector sizes that the guest sees. */
export class DiskBlockSize {
  /**
   * These.
   *
   * @param sizes logical and physical size of a block, in bytes
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
   * What the volume reports; `false` says that it shall not be asked.
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

/** What every disk takes. */
export interface DiskOptions {
  /**
   * Name of disk and volume, a DNS label, unique in the VM.
   * @default - `disk0`, `disk1`, … by position
   */
  readonly name?: string;
  /**
   * What the guest takes it for.
   * @default DiskDevice.DISK
   */
  readonly device?: DiskDevice;
  /**
   * How it is wired to the guest.
   * @default - scsi for what can be unplugged; else what the VM's preference says; without one virtio, sata for a CD,
   * scsi for a LUN
   */
  readonly bus?: DiskBus;
  /**
   * Position in the order in which the firmware tries disks and interfaces, from 1.
   * @default - by position, while nothing has an order
   */
  readonly bootOrder?: number;
  /**
   * Serial number that the guest sees: letters, digits and `_.+-`, at most 36.
   * @default - none
   */
  readonly serial?: string;
  /**
   * The guest cannot write to it.
   * @default false
   */
  readonly readOnly?: boolean;
  /**
   * How the host caches it.
   * @default - none where the storage allows, else writethrough
   */
  readonly cache?: DiskCache;
  /**
   * How the host reads and writes it.
   * @default - native for block devices and files with all their space set aside, else threads
   */
  readonly io?: DiskIo;
  /**
   * It gets an I/O thread of its own; only with the bus virtio.
   * @default false
   */
  readonly dedicatedIoThread?: boolean;
  /**
   * What an error of the storage does to the guest.
   * @default DiskErrorPolicy.STOP
   */
  readonly errorPolicy?: DiskErrorPolicy;
  /**
   * Several VMs may write to it at the same time: their file system must know of each other.
   * @default false
   */
  readonly shareable?: boolean;
  /**
   * A text that the guest finds in cloud-init's metadata beside the disk's address.
   * @default - none
   */
  readonly tag?: string;
  /**
   * Sector sizes that the guest sees.
   * @default - 512 bytes
   */
  readonly blockSize?: DiskBlockSize;
  /**
   * Changed blocks are tracked for backups. The platform writes it where a label asks for tracking.
   * @default - as the platform decides
   */
  readonly changedBlockTracking?: boolean;
}

/** What a disk from an image takes. */
export interface ContainerDiskOptions extends DiskOptions {
  /**
   * Where in the image the disk is.
   * @default - the only file in `/disk`
   */
  readonly path?: string;
  /**
   * When the image is pulled.
   * @default - always for `latest`, else when the node does not have it
   */
  readonly pullPolicy?: PullPolicy;
  /**
   * Secret with the registry's credentials.
   * @default - none
   */
  readonly pullSecret?: INamedObject;
}

/** What a disk takes that can come and go while the guest runs. */
export interface PluggableDiskOptions extends DiskOptions {
  /**
   * It can be unplugged while the guest runs. Its bus is scsi or virtio.
   * @default false
   */
  readonly hotpluggable?: boolean;
}

/** What the disk of an existing claim takes. */
export interface ClaimDiskOptions extends PluggableDiskOptions {
  /**
   * The claim is mounted for reading: nothing may be written, whatever the guest sees.
   * @default false
   */
  readonly readOnlyClaim?: boolean;
}

/** What a disk over a claim takes, whose writes are lost. */
export interface EphemeralDiskOptions extends DiskOptions {
  /**
   * The claim is mounted for reading.
   * @default false
   */
  readonly readOnlyClaim?: boolean;
}

/** What a file of the node takes. */
export interface HostDiskOptions extends DiskOptions {
  /**
   * Its size if it is missing and has to be made.
   * @default - it must exist
   */
  readonly createWithSize?: Size;
  /**
   * All nodes have the same file there: the VM can move.
   * @default false
   */
  readonly shared?: boolean;
}

/** What a small disk with the files of an object takes. */
export interface FilesDiskOptions extends DiskOptions {
  /**
   * Label of its file system, such as `cidata`, `config-2`, `OEMDRV`.
   * @default - none
   */
  readonly volumeLabel?: string;
}

/** What a small disk with the files of a ConfigMap or Secret takes. */
export interface OptionalFilesDiskOptions extends FilesDiskOptions {
  /**
   * The object need not exist.
   * @default false
   */
  readonly optional?: boolean;
}

/** What the target of a memory dump takes. */
export interface MemoryDumpOptions {
  /**
   * Name of the volume.
   * @default - `disk0`, `disk1`, … by position
   */
  readonly name?: string;
  /**
   * It can be unplugged while the guest runs.
   * @default false
   */
  readonly hotpluggable?: boolean;
  /**
   * Nothing may be written.
   * @default false
   */
  readonly readOnly?: boolean;
}

/** What a folder of the launcher's container takes. */
export interface ContainerPathOptions {
  /**
   * Name of the volume, by which the guest mounts it.
   * @default - `disk0`, `disk1`, … by position
   */
  readonly name?: string;
  /**
   * Only true is allowed.
   * @default - true
   */
  readonly readOnly?: boolean;
}

/** What a disk takes that is made together with its VM: disk, volume and DataVolume in one. */
export interface OwnDiskOptions extends PluggableDiskOptions, DataVolumeOptions {
  /**
   * Name, labels, annotations of the DataVolume.
   * @default - named VM-DISK: `web-disk0`
   */
  readonly dataVolumeMetadata?: ApiObjectMetadata;
}

/** What a disk takes that is made of something with a size of its own. */
export interface CopiedDiskOptions extends OwnDiskOptions {
  /**
   * Its size; not below that of the source.
   * @default - size of the source
   */
  readonly size?: Size;
}

/** What a disk from an HTTP server takes. */
export interface HttpDiskOptions extends OwnDiskOptions, HttpSourceOptions {}

/** What a disk from S3 takes. */
export interface S3DiskOptions extends OwnDiskOptions, S3SourceOptions {}

/** What a disk from Google Cloud Storage takes. */
export interface GcsDiskOptions extends OwnDiskOptions, GcsSourceOptions {}

/** What a disk takes that is imported from a container image or an image stream. */
export interface RegistryDiskOptions extends OwnDiskOptions, RegistrySourceOptions {}

/** What a disk from oVirt takes. */
export interface ImageioDiskOptions extends OwnDiskOptions, ImageioSourceOptions {}

/** What a disk from VMware takes. */
export interface VddkDiskOptions extends OwnDiskOptions, VddkSourceOptions {}

/** What a clone takes. */
export interface CloneDiskOptions extends CopiedDiskOptions, CloneOptions {}
