import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { NicModel } from '../network/nic';
import { WindowsRelease } from '../sysprep/windows';
import { mistakeInCode } from '../validation';
import type { Origins } from './render';
import { VirtualMachine } from './virtual-machine';
import { VirtualMachineProps } from './vm-props';
import { mediaOf, originsWithMedia, withWindowsDefaults } from './windows-defaults';
import { WindowsProps } from './windows-props';

/** What a VM with Windows Server takes besides what every VM takes. */
export interface WindowsServerProps extends WindowsProps {
  /**
   * Release of Windows Server. It decides the default size: 2 cores and 4 GiB of memory up to 2022, 4 cores and 8 GiB
   * from 2025 on, whose security features are on by default and need them.
   * @default WindowsRelease.SERVER_2025
   */
  readonly release?: WindowsRelease;
  /**
   * Network card on the Pod network; only used without `networks`. E1000E works without drivers, virtio is faster.
   * @default NicModel.VIRTIO
   */
  readonly nic?: NicModel;
}

/**
 * A VM with what Windows Server 2019, 2022 and 2025 expect, unless the properties say otherwise: UEFI with secure boot,
 * the Hyper-V enlightenments, its clock, a tablet, a virtio network card, cores in one socket, and an hour to shut down.
 * With a preference, all but size and time to shut down is left to it.
 *
 * Unlike `Windows11`, it has no TPM and does not keep the firmware's variables: Windows Server requires neither, and
 * without them the VM needs no storage for its state, so that it can migrate. For BitLocker, pass
 * `devices: { tpm: Tpm.PERSISTENT }` and `firmware: Firmware.efi({ persistent: true })`.
 *
 * Disks and network card are on virtio: `drivers` is needed until the drivers are installed.
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
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props release, disks, installation media and everything else of the VM
   */
  constructor(scope: Construct, id: string, props: WindowsServerProps = {}) {
    super(scope, id, props);
    this.release = props.release ?? WindowsRelease.SERVER_2025;
    this.media = mediaOf(props);
  }

  /** @internal */
  protected _withDefaults(props: WindowsServerProps): VirtualMachineProps {
    const { release = WindowsRelease.SERVER_2025, ...own } = props;
    if (!release.isServer) {
      const cause = `"${release.value}" is not a release of Windows Server`;
      const remedy = 'use WindowsRelease.SERVER_2019, SERVER_2022 or SERVER_2025; for Windows 11, use Windows11';
      mistakeInCode(this.node.path, 'release', cause, remedy, 'windows-release');
    }
    const isLarge = !OLDER.has(release.value);
    return withWindowsDefaults(own, {
      cores: isLarge ? 4 : 2,
      memory: Size.gibibytes(isLarge ? 8 : 4),
      nic: NicModel.VIRTIO,
    });
  }

  /** @internal */
  protected _origins(): Origins {
    // undefined while the constructor of the base class validates; no finding about one value depends on it
    return originsWithMedia(super._origins(), this.media);
  }
}

const OLDER: ReadonlySet<string> = new Set(
  [WindowsRelease.SERVER_2016, WindowsRelease.SERVER_2019, WindowsRelease.SERVER_2022].map(({ value }) => value),
);
