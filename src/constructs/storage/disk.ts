import { Size } from 'cdk8s';
import type { Disk as DiskSpec, Volume } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { INamedObject } from '../resource';

/** How a disk is wired to the guest. */
export class DiskBus extends Choice {
  /** Fast; needs a virtio driver in the guest, which Linux has. */
  public static readonly VIRTIO = DiskBus.of('virtio');
  /** Can be plugged while the guest runs. */
  public static readonly SCSI = DiskBus.of('scsi');
  /** Works in every guest. */
  public static readonly SATA = DiskBus.of('sata');
  /** A USB stick. */
  public static readonly USB = DiskBus.of('usb');

  /** Another one that the platform knows. */
  public static of(value: string): DiskBus {
    return new DiskBus(value);
  }
}

/** What the guest takes the disk for. */
export class DiskDevice extends Choice {
  /** A disk. */
  public static readonly DISK = DiskDevice.of('disk');
  /** A CD in a drive. */
  public static readonly CDROM = DiskDevice.of('cdrom');
  /** A SCSI device whose commands reach the storage itself. */
  public static readonly LUN = DiskDevice.of('lun');

  /** Another one that the platform knows. */
  public static of(value: string): DiskDevice {
    return new DiskDevice(value);
  }
}

/** How the host caches a disk. */
export class DiskCache extends Choice {
  /** Not at all: what a guest was told is written, is. */
  public static readonly NONE = DiskCache.of('none');
  /** Reads only. */
  public static readonly WRITE_THROUGH = DiskCache.of('writethrough');
  /** Reads and writes: fast, but a crash of the node loses what the guest did not flush. */
  public static readonly WRITE_BACK = DiskCache.of('writeback');

  /** Another one that the platform knows. */
  public static of(value: string): DiskCache {
    return new DiskCache(value);
  }
}

/** When an image is pulled. */
export class PullPolicy extends Choice {
  /** At each start. */
  public static readonly ALWAYS = PullPolicy.of('Always');
  /** When the node does not have it. */
  public static readonly IF_NOT_PRESENT = PullPolicy.of('IfNotPresent');
  /** Never: the node must have it. */
  public static readonly NEVER = PullPolicy.of('Never');

  /** Another one that Kubernetes knows. */
  public static of(value: string): PullPolicy {
    return new PullPolicy(value);
  }
}

/** What every disk takes. */
export interface DiskOptions {
  /**
   * Name of disk and volume, unique in the VM.
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
   * @default - virtio; sata for a CD, scsi for a LUN
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

/** A disk of a guest and what is on it: disk and volume in one, so that their names cannot differ. */
export class Disk {
  /** From a container image. Writes last until the VM stops. */
  public static containerDisk(image: string, options: ContainerDiskOptions = {}): Disk {
    const { path, pullPolicy, pullSecret } = options;
    return new Disk(
      {
        containerDisk: {
          image,
          ...(path === undefined ? {} : { path }),
          ...(pullPolicy === undefined ? {} : { imagePullPolicy: pullPolicy.value as 'Always' }),
          ...(pullSecret === undefined ? {} : { imagePullSecret: pullSecret.name }),
        },
      },
      options,
    );
  }

  /** Empty, of this size; lasts until the VM stops, over restarts of the guest. */
  public static emptyDisk(size: Size, options: DiskOptions = {}): Disk {
    return new Disk({ emptyDisk: { capacity: quantityOfSize(size) } }, options);
  }

  /** A PersistentVolumeClaim that exists. */
  public static persistentVolumeClaim(claim: INamedObject, options: DiskOptions = {}): Disk {
    return new Disk({ persistentVolumeClaim: { claimName: claim.name } }, options);
  }

  /** A DataVolume that exists. */
  public static dataVolume(dataVolume: INamedObject, options: DiskOptions = {}): Disk {
    return new Disk({ dataVolume: { name: dataVolume.name } }, options);
  }

  /** A small disk with the files of a ConfigMap. */
  public static configMap(configMap: INamedObject, options: DiskOptions = {}): Disk {
    return new Disk({ configMap: { name: configMap.name } }, options);
  }

  /** A small disk with the files of a Secret. */
  public static secret(secret: INamedObject, options: DiskOptions = {}): Disk {
    return new Disk({ secret: { secretName: secret.name } }, options);
  }

  /** Any volume source, as the API writes it: `Disk.of({ hostDisk: { path: '/d.img', type: 'Disk' } })`. */
  public static of(source: { readonly [source: string]: unknown }, options: DiskOptions = {}): Disk {
    return new Disk(source as Partial<Volume>, options);
  }

  private constructor(
    private readonly source: Partial<Volume>,
    private readonly options: DiskOptions,
  ) {}

  /** @internal */
  public _name(index: number): string {
    return this.options.name ?? `disk${index}`;
  }

  /** @internal */
  public _renderVolume(index: number): Volume {
    return { name: this._name(index), ...this.source };
  }

  /** @internal */
  public _renderDisk(index: number): DiskSpec {
    const { device = DiskDevice.DISK, bus, bootOrder, serial, cache, readOnly } = this.options;
    const fallback =
      device === DiskDevice.CDROM ? DiskBus.SATA : device === DiskDevice.LUN ? DiskBus.SCSI : DiskBus.VIRTIO;
    const target = {
      bus: (bus ?? fallback).value,
      ...(readOnly === undefined ? {} : { readonly: readOnly }),
    };
    return {
      name: this._name(index),
      [device.value]: target,
      ...(bootOrder === undefined ? {} : { bootOrder }),
      ...(serial === undefined ? {} : { serial }),
      ...(cache === undefined ? {} : { cache: cache.value as DiskSpec['cache'] }),
    };
  }
}

/** Kubernetes' text of a size: the largest unit that needs no fraction. */
export function quantityOfSize(size: Size): string {
  const kibibytes = size.toKibibytes();
  const units = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
  let amount = kibibytes;
  let unit = 0;
  while (amount > 0 && amount % 1024 === 0 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${amount}${units[unit]}`;
}
