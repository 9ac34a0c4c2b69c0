import type { CDRomTarget, DiskTarget, LunTarget } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import type { CdromTray } from './disk-choices';

/** What only a plain disk has. */
export interface PlainDiskOptions {
  /**
   * Its fixed address in the guest, such as `0000:81:01.0`; only with the bus virtio.
   * @default - the next free one
   */
  readonly pciAddress?: string;
}

/** What only a CD drive has. */
export interface CdromOptions {
  /**
   * Its tray when the guest starts.
   * @default CdromTray.CLOSED
   */
  readonly tray?: CdromTray;
}

/** What only a LUN has. */
export interface LunOptions {
  /**
   * The guest may take SCSI-3 persistent reservations, as clusters of Windows servers do; only with the bus scsi, and
   * the gate PersistentReservation.
   * @default false
   */
  readonly reservation?: boolean;
}

/** What the guest takes the disk for. */
export class DiskDevice extends Choice {
  /** A disk. */
  public static readonly DISK = DiskDevice.of('disk');
  /** A CD in a drive. */
  public static readonly CDROM = DiskDevice.of('cdrom');
  /** A SCSI device whose commands reach the storage itself. Only of claims. */
  public static readonly LUN = DiskDevice.of('lun');
  /** No disk: a folder that the guest mounts by virtiofs, under the disk's name. */
  public static readonly FILESYSTEM = DiskDevice.of('filesystem');

  /**
   * A disk, with what only a disk has.
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
   * A CD drive, with what only a CD drive has.
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
   * A LUN, with what only a LUN has.
   *
   * @param options whether the guest may make reservations
   * @example
   * vm.addDisk(Disk.persistentVolumeClaim({ name: 'shared' }, { device: DiskDevice.lun({ reservation: true }) }));
   */
  public static lun(options: LunOptions = {}): DiskDevice {
    const { reservation } = options;
    return new DiskDevice('lun', reservation === undefined ? {} : { reservation });
  }

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
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
