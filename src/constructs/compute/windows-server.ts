import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { NicModel } from '../network/nic';
import { WindowsRelease } from '../sysprep/windows';
import { mistakeInCode } from '../validation';
import type { Origins } from './render';
import { VirtualMachine } from './virtual-machine';
import { VirtualMachineProps } from './vm-props';
import { mediaProperties, originsWithMedia, withWindowsDefaults } from './windows-defaults';
import { WindowsProps } from './windows-props';

/** Properties of a VM with Windows Server. */
export interface WindowsServerProps extends WindowsProps {
  /**
   * Release of Windows Server. It sets the default size: 2 cores and 4 GiB of memory up to 2022; 4 cores and 8 GiB from
   * 2025 on, whose default security features need more.
   * @default WindowsRelease.SERVER_2025
   */
  readonly release?: WindowsRelease;
  /**
   * Network card on the Pod network, if `networks` is not set. E1000E works without drivers; virtio is faster.
   * @default NicModel.VIRTIO
   */
  readonly nic?: NicModel;
}

/**
 * Virtual machine with defaults for Windows Server 2019, 2022 and 2025: UEFI with secure boot, Hyper-V enlightenments,
 * the Windows clock settings, a tablet, a virtio network card, cores in one socket, and one hour to shut down.
 *
 * Properties override the defaults. An instance type replaces the default size. A preference replaces all other
 * defaults except the time to shut down.
 *
 * Unlike `Windows11`, it has no TPM and does not keep the variables of its firmware. Windows Server requires neither,
 * and without them the VM needs no storage for its state, so it can migrate. For BitLocker, pass `devices: { tpm:
 * Tpm.PERSISTENT }` and `firmware: Firmware.efi({ persistent: true })`.
 *
 * Disks and the network card use virtio, so pass `drivers` until the drivers are installed.
 *
 * @example
 * new WindowsServer(chart, 'dc', {
 *   release: WindowsRelease.SERVER_2022,
 *   disks: [Disk.blank(Size.gibibytes(80))],
 *   installer: Disk.dataVolume({ name: 'windows-server-iso' }, { device: DiskDevice.CDROM }),
 *   drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM }),
 * });
 */
export class WindowsServer extends VirtualMachine {
  /** Release of Windows Server. */
  public readonly release: WindowsRelease;
  private readonly media: { readonly [position: string]: string };

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props release, disks, installation media and everything else of the VM
   */
  constructor(scope: Construct, id: string, props: WindowsServerProps = {}) {
    super(scope, id, props);
    this.release = props.release ?? WindowsRelease.SERVER_2025;
    this.media = mediaProperties(props);
  }

  /** @internal */
  protected _withDefaults(props: WindowsServerProps): VirtualMachineProps {
    const { release = WindowsRelease.SERVER_2025, ...own } = props;
    if (!release.isServer) {
      const cause = `"${release.value}" is not a release of Windows Server`;
      const remedy = 'use WindowsRelease.SERVER_2019, SERVER_2022 or SERVER_2025; for Windows 11, use Windows11';
      mistakeInCode(this.node.path, 'release', cause, remedy, 'windows-release');
    }
    const answered = props.sysprep?._release();
    if (answered && answered.value !== (props.release ?? answered).value) {
      const cause = `the answers of sysprep are for "${answered.value}", and the VM is for "${release.value}"`;
      mistakeInCode(this.node.path, 'release', cause, 'use the same release in both', 'windows-release');
    }
    const isLarge = !SMALL_RELEASES.has(release.value);
    return withWindowsDefaults(own, {
      subject: this.node.path,
      cores: isLarge ? 4 : 2,
      memory: Size.gibibytes(isLarge ? 8 : 4),
      nic: NicModel.VIRTIO,
    });
  }

  /** @internal */
  protected _origins(): Origins {
    // `media` is undefined while the base constructor validates single values, whose findings do not depend on it
    return originsWithMedia(super._origins(), this.media);
  }
}

const SMALL_RELEASES: ReadonlySet<string> = new Set(
  [WindowsRelease.SERVER_2016, WindowsRelease.SERVER_2019, WindowsRelease.SERVER_2022].map(({ value }) => value),
);
