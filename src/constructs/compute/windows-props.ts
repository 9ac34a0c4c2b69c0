import type { Disk } from '../storage/disk';
import type { VirtualMachineProps } from './vm-props';

/** What every VM with Windows takes besides what every VM takes. */
export interface WindowsProps extends VirtualMachineProps {
  /**
   * CD that Windows is installed from, such as `Disk.dataVolume(iso, { device: DiskDevice.CDROM })`. The VM boots from
   * it as long as its disks, which come first in the boot order, are empty.
   * @default - Windows is on a disk already
   */
  readonly installer?: Disk;
  /**
   * CD with virtio drivers, which Windows needs for disks on virtio and for its guest agent, such as
   * `Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM })`.
   * @default - none
   */
  readonly drivers?: Disk;
  /**
   * Time zone of the machine's clock, such as `Europe/Prague`.
   * @default - UTC, which has to be set in the registry of Windows, too
   */
  readonly timezone?: string;
}
