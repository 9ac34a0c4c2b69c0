import type { Size } from 'cdk8s';
import { Choice } from '../choice';
import type { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';

/** Windows release, which determines the drivers and how accounts are created. */
export class WindowsRelease extends Choice {
  /** Windows 10. */
  public static readonly WINDOWS_10 = new WindowsRelease('w10');
  /** Windows 11. */
  public static readonly WINDOWS_11 = new WindowsRelease('w11');
  /** Windows Server 2016. */
  public static readonly SERVER_2016 = new WindowsRelease('2k16');
  /** Windows Server 2019. */
  public static readonly SERVER_2019 = new WindowsRelease('2k19');
  /** Windows Server 2022. */
  public static readonly SERVER_2022 = new WindowsRelease('2k22');
  /** Windows Server 2025. */
  public static readonly SERVER_2025 = new WindowsRelease('2k25');

  /**
   * Any other release, named like the folders of the virtio drivers: `w11`, `2k25`.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): WindowsRelease {
    return new WindowsRelease(value);
  }

  /** Whether the release is a server. */
  public get isServer(): boolean {
    return this.value.startsWith('2k');
  }
}

/** Image of the installation medium to install. An invalid number or name is rejected. */
export class WindowsImage {
  /**
   * Selects an image by its number, from 1, as `dism /Get-WimInfo` shows it.
   *
   * @param index number of the image, from 1
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.blank(Size.gibibytes(80))],
   *   installer: Disk.dataVolume({ name: 'windows-server-iso' }, { device: DiskDevice.CDROM }),
   *   drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM }),
   *   sysprep: Sysprep.install({
   *     release: WindowsRelease.SERVER_2025,
   *     image: WindowsImage.index(2),
   *     admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'admin-password' } }),
   *   }),
   * });
   */
  public static index(index: number): WindowsImage {
    if (!Number.isInteger(index) || index < 1) {
      mistakeInCode(
        'WindowsImage.index',
        'index',
        'is not the number of an image',
        'use a whole number from 1',
        'sysprep-image',
      );
    }
    return new WindowsImage('/IMAGE/INDEX', String(index));
  }

  /**
   * Selects an image by its name, such as `Windows 11 Pro` or `Windows Server 2025 SERVERSTANDARD`.
   *
   * @param name name of the image, such as `Windows 11 Pro`
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.blank(Size.gibibytes(80))],
   *   installer: Disk.dataVolume({ name: 'windows-server-iso' }, { device: DiskDevice.CDROM }),
   *   drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM }),
   *   sysprep: Sysprep.install({
   *     release: WindowsRelease.SERVER_2025,
   *     image: WindowsImage.named('Windows Server 2025 SERVERSTANDARD'),
   *     admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'admin-password' } }),
   *   }),
   * });
   */
  public static named(name: string): WindowsImage {
    if (!/^[\x20-\x7e]+$/.test(String(name))) {
      const remedy = 'write the name as dism /Get-WimInfo shows it';
      mistakeInCode('WindowsImage.named', 'name', 'is not the name of an image', remedy, 'sysprep-image');
    }
    return new WindowsImage('/IMAGE/NAME', name);
  }

  private constructor(
    private readonly key: string,
    private readonly value: string,
  ) {}

  /** @internal */
  public _render(): { readonly key: string; readonly value: string } {
    return { key: this.key, value: this.value };
  }
}

/**
 * Product key, which determines the edition of Windows. The constants are keys that Microsoft publishes for its key
 * management service (KMS); they do not activate Windows. A key that is not five groups of five letters and digits is
 * rejected, and the error does not repeat it.
 */
export class WindowsProductKey {
  /** Windows 10 and 11 Pro. */
  public static readonly KMS_PRO = new WindowsProductKey('W269N-WFGWX-YVC9B-4J6C9-T83GX', true);
  /** Windows 10 and 11 Enterprise. */
  public static readonly KMS_ENTERPRISE = new WindowsProductKey('NPPR9-FWDCX-D2C8J-H872K-2YT43', true);
  /** Windows 10 and 11 Education. */
  public static readonly KMS_EDUCATION = new WindowsProductKey('NW6C2-QMPVW-D7KKK-3GKT6-VCFB2', true);
  /** Windows Server 2016 Standard. */
  public static readonly KMS_SERVER_2016_STANDARD = new WindowsProductKey('WC2BQ-8NRM3-FDDYY-2BFGV-KHKQY', true);
  /** Windows Server 2016 Datacenter. */
  public static readonly KMS_SERVER_2016_DATACENTER = new WindowsProductKey('CB7KF-BWN84-R7R2Y-793K2-8XDDG', true);
  /** Windows Server 2019 Standard. */
  public static readonly KMS_SERVER_2019_STANDARD = new WindowsProductKey('N69G4-B89J2-4G8F4-WWYCC-J464C', true);
  /** Windows Server 2019 Datacenter. */
  public static readonly KMS_SERVER_2019_DATACENTER = new WindowsProductKey('WMDGN-G9PQG-XVVXX-R3X43-63DFG', true);
  /** Windows Server 2022 Standard. */
  public static readonly KMS_SERVER_2022_STANDARD = new WindowsProductKey('VDYBN-27WPP-V4HQT-9VMD4-VMK7H', true);
  /** Windows Server 2022 Datacenter. */
  public static readonly KMS_SERVER_2022_DATACENTER = new WindowsProductKey('WX4NM-KYWYW-QJJR4-XV3QB-6VM33', true);
  /** Windows Server 2025 Standard. */
  public static readonly KMS_SERVER_2025_STANDARD = new WindowsProductKey('TVRH6-WHNXV-R9WG3-9XRFY-MY832', true);
  /** Windows Server 2025 Datacenter. */
  public static readonly KMS_SERVER_2025_DATACENTER = new WindowsProductKey('D764K-2NDRG-47T6Q-P8T8W-YP6DF', true);

  /**
   * Uses a key that Microsoft has published and that may be readable in the manifest.
   *
   * @param key five groups of five letters and digits
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.blank(Size.gibibytes(80))],
   *   installer: Disk.dataVolume({ name: 'windows-server-iso' }, { device: DiskDevice.CDROM }),
   *   drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM }),
   *   sysprep: Sysprep.install({
   *     release: WindowsRelease.SERVER_2025,
   *     image: WindowsImage.named('Windows Server 2025 SERVERSTANDARD'),
   *     productKey: WindowsProductKey.published('TVRH6-WHNXV-R9WG3-9XRFY-MY832'),
   *     admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'admin-password' } }),
   *   }),
   * });
   */
  public static published(key: string): WindowsProductKey {
    return new WindowsProductKey(checkedKey('WindowsProductKey.published', key), true);
  }

  /**
   * Uses a private key. It requires `sensitive: true`, which stores the answer file in a generated Secret.
   *
   * @param key five groups of five letters and digits
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.blank(Size.gibibytes(80))],
   *   installer: Disk.dataVolume({ name: 'windows-server-iso' }, { device: DiskDevice.CDROM }),
   *   drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM }),
   *   sysprep: Sysprep.install({
   *     release: WindowsRelease.SERVER_2025,
   *     image: WindowsImage.named('Windows Server 2025 SERVERSTANDARD'),
   *     productKey: WindowsProductKey.own('AAAAA-BBBBB-CCCCC-DDDDD-EEEEE'),
   *     admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'admin-password' } }),
   *     sensitive: true,
   *   }),
   * });
   */
  public static own(key: string): WindowsProductKey {
    return new WindowsProductKey(checkedKey('WindowsProductKey.own', key), false);
  }

  private constructor(
    private readonly key: string,
    /** Whether the key may be readable in the manifest. */
    public readonly isPublic: boolean,
  ) {}

  /** @internal */
  public _render(): string {
    return this.key;
  }
}

function checkedKey(call: string, key: string): string {
  const text = String(key).toUpperCase();
  if (!/^([A-Z0-9]{5}-){4}[A-Z0-9]{5}$/.test(text)) {
    mistakeInCode(call, 'key', 'is not a product key', 'write five groups of five letters and digits', 'sysprep-key');
  }
  return text;
}

/** Partitions of the disk, which is wiped. */
export interface WindowsDiskOptions {
  /**
   * Number of the disk, in Windows' order.
   * @default 0
   */
  readonly disk?: number;
  /**
   * Size of the boot partition.
   * @default - 300 MiB with UEFI, 500 MiB with BIOS
   */
  readonly bootSize?: Size;
  /**
   * Size of the Windows partition.
   * @default - the remaining space
   */
  readonly size?: Size;
}

/** Disk on which Windows is installed. It is wiped. An invalid disk number is rejected. */
export class WindowsDisk {
  /**
   * Partitions the disk for a VM with UEFI: a GPT with EFI, Microsoft Reserved and Windows partitions.
   *
   * @param options number and partitions of the disk
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.blank(Size.gibibytes(80))],
   *   installer: Disk.dataVolume({ name: 'windows-server-iso' }, { device: DiskDevice.CDROM }),
   *   drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM }),
   *   sysprep: Sysprep.install({
   *     release: WindowsRelease.SERVER_2025,
   *     image: WindowsImage.named('Windows Server 2025 SERVERSTANDARD'),
   *     disk: WindowsDisk.uefi({ size: Size.gibibytes(60) }),
   *     admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'admin-password' } }),
   *   }),
   * });
   */
  public static uefi(options: WindowsDiskOptions = {}): WindowsDisk {
    return new WindowsDisk(true, options);
  }

  /**
   * Partitions the disk for a VM with BIOS: an MBR with System Reserved and Windows partitions.
   *
   * @param options number and partitions of the disk
   * @example
   * new VirtualMachine(chart, 'old', {
   *   memory: Size.gibibytes(4),
   *   firmware: Firmware.bios(),
   *   disks: [Disk.blank(Size.gibibytes(60)), Disk.dataVolume({ name: 'iso' }, { device: DiskDevice.CDROM })],
   *   sysprep: Sysprep.install({
   *     release: WindowsRelease.SERVER_2016,
   *     image: WindowsImage.named('Windows Server 2016 SERVERSTANDARD'),
   *     disk: WindowsDisk.bios(),
   *     admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'admin-password' } }),
   *   }),
   * });
   */
  public static bios(options: WindowsDiskOptions = {}): WindowsDisk {
    return new WindowsDisk(false, options);
  }

  private constructor(
    /** Whether the VM boots by UEFI. */
    public readonly isUefi: boolean,
    private readonly options: WindowsDiskOptions,
  ) {
    const { disk } = options;
    if (disk !== undefined && (!Number.isInteger(disk) || disk < 0)) {
      const call = isUefi ? 'WindowsDisk.uefi' : 'WindowsDisk.bios';
      mistakeInCode(call, 'disk', 'is not the number of a disk', 'use a whole number from 0', 'sysprep-disk');
    }
  }

  /** @internal */
  public _options(): WindowsDiskOptions {
    return this.options;
  }
}

/** Options of the administrator account. */
export interface WindowsAdminOptions {
  /**
   * Secret that holds the password under the account's name. The guest agent sets the password when it runs.
   * @default - the password stays empty, and Windows allows no login over the network
   */
  readonly passwordFrom?: INamedObject;
}

/**
 * Administrator account of the machine.
 *
 * The answer file contains no password, since it would be readable in the cluster. The account starts with an empty
 * password, which Windows accepts only on the console, and the guest agent sets the password from the Secret. An
 * invalid name for a local account is rejected.
 */
export class WindowsAdmin {
  /**
   * Uses the account Administrator, which every Windows has, on servers and clients. The account is enabled, and
   * Windows' own setup questions are skipped.
   *
   * @param options Secret with the password
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.cloneOf({ name: 'generalized-server' }, { namespace: 'images' })],
   *   sysprep: Sysprep.firstBoot({ release: WindowsRelease.SERVER_2025, admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'admin-password' } }) }),
   * });
   */
  public static builtIn(options: WindowsAdminOptions = {}): WindowsAdmin {
    return new WindowsAdmin('Administrator', true, options);
  }

  /**
   * Creates a local account with administrator rights, for Windows 10 and 11. A server rejects an account without a
   * password.
   *
   * @param name login name
   * @param options Secret with the password
   * @example
   * new Windows11(chart, 'desktop', {
   *   disks: [Disk.cloneOf({ name: 'generalized-desktop' }, { namespace: 'images' })],
   *   sysprep: Sysprep.firstBoot({
   *     release: WindowsRelease.WINDOWS_11,
   *     admin: WindowsAdmin.local('ops', { passwordFrom: { name: 'ops-password' } }),
   *   }),
   * });
   */
  public static local(name: string, options: WindowsAdminOptions = {}): WindowsAdmin {
    if (!/^[^"/\\[\]:;|=,+*?<>@\s.][^"/\\[\]:;|=,+*?<>@]{0,19}$/.test(String(name)) || name === 'Administrator') {
      const remedy =
        'use up to 20 letters, digits, dashes and underscores; for the built-in account, use WindowsAdmin.builtIn()';
      mistakeInCode('WindowsAdmin.local', 'name', 'is not a valid name of a local account', remedy, 'sysprep-account');
    }
    return new WindowsAdmin(name, false, options);
  }

  /** Secret that holds the password. */
  public readonly passwordFrom?: INamedObject;

  private constructor(
    /** Name of the account. */
    public readonly name: string,
    /** Whether the account is the built-in Administrator. */
    public readonly isBuiltIn: boolean,
    options: WindowsAdminOptions,
  ) {
    this.passwordFrom = options.passwordFrom;
  }
}

/** Pass of Windows' setup in which a component of the answer file is applied. */
export class WindowsPass extends Choice {
  /** In Windows PE, before the installation. */
  public static readonly WINDOWS_PE = new WindowsPass('windowsPE');
  /** On the installed image, before it boots. */
  public static readonly OFFLINE_SERVICING = new WindowsPass('offlineServicing');
  /** While the machine gets its own name and drivers. */
  public static readonly SPECIALIZE = new WindowsPass('specialize');
  /** Before Windows would ask its first questions. */
  public static readonly OOBE_SYSTEM = new WindowsPass('oobeSystem');

  /**
   * Any other pass, as Windows names it.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): WindowsPass {
    return new WindowsPass(value);
  }
}

/** Additional component of the answer file. */
export interface WindowsComponent {
  /** Pass in which the component is applied. */
  readonly pass: WindowsPass;
  /**
   * Name of the component, such as `Microsoft-Windows-Shell-Setup`. If the library also generates a component of this
   * name, the answer file contains both.
   */
  readonly name: string;
  /** Content of the component, as XML. */
  readonly xml: string;
}
