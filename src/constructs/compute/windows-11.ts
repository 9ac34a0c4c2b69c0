import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { NicModel } from '../network/nic';
import { Tpm } from './device-choices';
import type { Origins } from './render';
import { VirtualMachine } from './virtual-machine';
import { VirtualMachineProps } from './vm-props';
import { mediaOf, originsWithMedia, withWindowsDefaults } from './windows-defaults';
import { WindowsProps } from './windows-props';

/** What a VM with Windows 11 takes besides what every VM takes. */
export interface Windows11Props extends WindowsProps {
  /**
   * Network card on the Pod network; only used without `networks`. E1000E works without drivers, virtio is faster.
   * @default NicModel.E1000E
   */
  readonly nic?: NicModel;
}

/**
 * A VM with what Windows 11 requires, unless the properties say otherwise: UEFI with secure boot and a TPM 2.0, both
 * kept over restarts (BitLocker needs that), the Hyper-V enlightenments, its clock, a tablet, four cores in one socket
 * and 8 GiB of memory (unless an instancetype decides), and an hour to shut down. With a preference, all but size and
 * time to shut down is left to it.
 *
 * @example
 * new Windows11(chart, 'desktop', {
 *   disks: [Disk.blank(Size.gibibytes(64))],
 *   installer: Disk.dataVolume({ name: 'windows-11-iso' }, { device: DiskDevice.CDROM }),
 *   drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM }),
 *   timezone: 'Europe/Prague',
 * });
 */
export class Windows11 extends VirtualMachine {
  private readonly media: { readonly [position: string]: string };

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props disks, installation media and everything else of the VM
   */
  constructor(scope: Construct, id: string, props: Windows11Props = {}) {
    super(scope, id, props);
    this.media = mediaOf(props);
  }

  /** @internal */
  protected _withDefaults(props: Windows11Props): VirtualMachineProps {
    return withWindowsDefaults(props, {
      cores: 4,
      memory: Size.gibibytes(8),
      nic: NicModel.E1000E,
      tpm: Tpm.PERSISTENT,
      persistent: true,
    });
  }

  /** @internal */
  protected _origins(): Origins {
    // undefined while the constructor of the base class validates; no finding about one value depends on it
    return originsWithMedia(super._origins(), this.media);
  }
}
