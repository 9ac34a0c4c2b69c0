import type { Disk } from '../storage/disk';
import type { VirtualMachineProps } from './vm-props';

/** Properties of every VM with Windows. */
export interface WindowsProps extends VirtualMachineProps {
  /**
   * Installation CD of Windows, such as `Disk.dataVolume(iso, { device: DiskDevice.CDROM })`. The VM boots from it
   * while its disks, which come first in the boot order, are empty.
   * @default - none: Windows is installed already
   */
  readonly installer?: Disk;
  /**
   * CD with the virtio drivers that Windows needs for virtio disks and the guest agent, such as
   * `Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM })`.
   * @default - none
   */
  readonly drivers?: Disk;
  /**
   * Time zone of the machine's clock, such as `Europe/Prague`.
   * @default - UTC, which Windows must be configured for in its registry
   */
  readonly timezone?: string;
}
