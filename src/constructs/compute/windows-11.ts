import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { NicModel } from '../network/nic';
import { Tpm } from './device-choices';
import type { Origins } from './render';
import { VirtualMachine } from './virtual-machine';
import { VirtualMachineProps } from './vm-props';
import { mediaProperties, originsWithMedia, withWindowsDefaults } from './windows-defaults';
import { requireWhatSetupRequires } from './windows-11-requirements';
import { WindowsProps } from './windows-props';

/** Properties of a VM with Windows 11. */
export interface Windows11Props extends WindowsProps {
  /**
   * Network card on the Pod network, if `networks` is not set. E1000E works without drivers; virtio is faster.
   * @default NicModel.E1000E
   */
  readonly nic?: NicModel;
}

/**
 * Virtual machine with defaults for Windows 11: UEFI with secure boot and a TPM 2.0, both with persistent state
 * (BitLocker requires it), Hyper-V enlightenments, the Windows clock settings, a tablet, four cores in one socket, 8
 * GiB of memory, and one hour to shut down.
 *
 * Properties override the defaults. An instance type replaces the default size. A preference replaces all other
 * defaults except the time to shut down.
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
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props disks, installation media and everything else of the VM
   */
  constructor(scope: Construct, id: string, props: Windows11Props = {}) {
    super(scope, id, props);
    this.media = mediaProperties(props);
  }

  /** @internal */
  protected _withDefaults(props: Windows11Props): VirtualMachineProps {
    const whole = withWindowsDefaults(props, {
      subject: this.node.path,
      cores: 4,
      memory: Size.gibibytes(8),
      nic: NicModel.E1000E,
      tpm: Tpm.PERSISTENT,
      persistent: true,
    });
    requireWhatSetupRequires(this.node.path, props, whole);
    return whole;
  }

  /** @internal */
  protected _origins(): Origins {
    // `media` is undefined while the base constructor validates single values, whose findings do not depend on it
    return originsWithMedia(super._origins(), this.media);
  }
}
