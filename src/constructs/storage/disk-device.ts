import type { CDRomTarget, DiskTarget, LunTarget } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import type { CdromTray } from './disk-choices';

/** Options of a plain disk. */
export interface PlainDiskOptions {
  /**
   * Fixed PCI address in the guest, such as `0000:81:01.0`. Requires the bus virtio.
   * @default - the next free address
   */
  readonly pciAddress?: string;
}

/** Options of a CD drive. */
export interface CdromOptions {
  /**
   * State of the tray when the guest starts.
   * @default CdromTray.CLOSED
   */
  readonly tray?: CdromTray;
}

/** Options of a LUN. */
export interface LunOptions {
  /**
   * Whether the guest can use SCSI-3 persistent reservations, as clusters of Windows servers do. Requires the bus scsi
   * and the feature gate PersistentReservation.
   * @default false
   */
  readonly reservation?: boolean;
}

/** Device type of a disk in the guest. */
export class DiskDevice extends Choice {
  /** Plain disk. */
  public static readonly DISK = DiskDevice.of('disk');
  /** CD drive with a CD. */
  public static readonly CDROM = DiskDevice.of('cdrom');
  /** SCSI device whose commands reach the storage itself. Only for claims. */
  public static readonly LUN = DiskDevice.of('lun');
  /** Directory that the guest mounts with virtiofs, by the disk's name. Not a disk. */
  public static readonly FILESYSTEM = DiskDevice.of('filesystem');

  /**
   * Presents the disk as a plain disk with these options.
   *
   * @param options PCI address
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.dataVolume({ name: 'web-root' }, { device: DiskDevice.plain({ pciAddress: '0000:81:01.0' }) })],
   * });
   */
  public static plain(options: PlainDiskOptions = {}): DiskDevice {
    const { pciAddress } = options;
    return new DiskDevice('disk', pciAddress === undefined ? {} : { pciAddress });
  }

  /**
   * Presents the disk as a CD drive with these options.
   *
   * @param options state of the tray
   * @example
   * vm.addDisk(Disk.dataVolume({ name: 'tools-iso' }, { device: DiskDevice.cdrom({ tray: CdromTray.OPEN }) }));
   */
  public static cdrom(options: CdromOptions = {}): DiskDevice {
    const { tray } = options;
    return new DiskDevice('cdrom', tray === undefined ? {} : { tray: tray.value as CDRomTarget['tray'] });
  }

  /**
   * Presents the disk as a LUN with these options.
   *
   * @param options whether the guest can use persistent reservations
   * @example
   * vm.addDisk(Disk.persistentVolumeClaim({ name: 'shared' }, { device: DiskDevice.lun({ reservation: true }) }));
   */
  public static lun(options: LunOptions = {}): DiskDevice {
    const { reservation } = options;
    return new DiskDevice('lun', reservation === undefined ? {} : { reservation });
  }

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): DiskDevice {
    return new DiskDevice(value);
  }

  private constructor(
    value: string,
    private readonly fields: DiskTarget & CDRomTarget & LunTarget = {},
  ) {
    super(value);
  }

  /** @internal */
  public _fields(): object {
    return this.fields;
  }
}
