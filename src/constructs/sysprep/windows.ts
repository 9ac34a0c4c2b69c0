import type { Size } from 'cdk8s';
import { Choice } from '../choice';
import type { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';

/** Which Windows is set up: it decides on drivers and on how accounts are made. */
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
   * Any other one, as folders of the virtio drivers are named: `w11`, `2k25`.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): WindowsRelease {
    return new WindowsRelease(value);
  }

  /** Whether it is a server. */
  public get isServer(): boolean {
    return this.value.startsWith('2k');
  }
}

/** Which image of the installation medium is installed. What is no number or name of one is refused. */
export class WindowsImage {
  /**
   * By its number, from 1, as `dism /Get-WimInfo` shows it.
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
      mistakeInCode('WindowsImage.index', 'index', 'is no number of an image', 'count from 1', 'sysprep-image');
    }
    return new WindowsImage('/IMAGE/INDEX', String(index));
  }

  /**
   * By its name, such as `Windows 11 Pro` or `Windows Server 2025 SERVERSTANDARD`.
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
      const remedy = 'write it as dism /Get-WimInfo shows it';
      mistakeInCode('WindowsImage.named', 'name', 'is no name of an image', remedy, 'sysprep-image');
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
 * Keys by which Windows knows its edition. Microsoft publishes those for its key management service: they activate
 * nothing. What is not five groups of five letters and digits is refused, and never repeated in the error.
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
   * A key that Microsoft published, and everybody may read in the manifest.
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
   * A key of one's own. It needs `sensitive: true`, which puts the answer file into a generated Secret.
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
    /** Whether the manifest may hold it. */
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
    mistakeInCode(call, 'key', 'is no product key', 'write five groups of five letters and digits', 'sysprep-key');
  }
  return text;
}

/** How the disk is partitioned; it is wiped. */
export interface WindowsDiskOptions {
  /**
   * Number of the disk, in the order in which Windows sees them.
   * @default 0
   */
  readonly disk?: number;
  /**
   * Size of the partition to boot from.
   * @default - 300 MiB with UEFI, 500 MiB with BIOS
   */
  readonly bootSize?: Size;
  /**
   * Size of the partition of Windows.
   * @default - what is left
   */
  readonly size?: Size;
}

/** The disk that Windows is installed on. It is wiped. A number that no disk has is refused. */
export class WindowsDisk {
  /**
   * For a VM with UEFI: a GPT with the partitions EFI, Microsoft Reserved and Windows.
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
   * For a VM with BIOS: an MBR with the partitions System Reserved and Windows.
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
      mistakeInCode(call, 'disk', 'is no number of a disk', 'count from 0', 'sysprep-disk');
    }
  }

  /** @internal */
  public _options(): WindowsDiskOptions {
    return this.options;
  }
}

/** Whose the machine is. */
export interface WindowsAdminOptions {
  /**
   * Secret that holds the password under the account's name. The guest agent sets it once it runs.
   * @default - the account keeps its empty password, by which Windows lets nobody in from the network
   */
  readonly passwordFrom?: INamedObject;
}

/**
 * The account that administrates the machine.
 *
 * No password is in the answer file, since it would be readable in the cluster: the account starts with an empty one, which
 * Windows accepts on the console alone, and the guest agent sets the one of the Secret. A name that no local account can
 * have is refused.
 */
export class WindowsAdmin {
  /**
   * The account Administrator that every Windows has, for servers and clients. Windows' own questions are skipped, and the
   * account is enabled.
   *
   * @param options where the password is
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
   * A local account among the administrators, for Windows 10 and 11: a server refuses one without a password.
   *
   * @param name login name
   * @param options where the password is
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
        'use up to 20 letters, digits, dashes and underscores; the built-in account is WindowsAdmin.builtIn()';
      mistakeInCode('WindowsAdmin.local', 'name', 'is no name of a local account', remedy, 'sysprep-account');
    }
    return new WindowsAdmin(name, false, options);
  }

  /** Secret that holds the password. */
  public readonly passwordFrom?: INamedObject;

  private constructor(
    /** Name of the account. */
    public readonly name: string,
    /** Whether it is the account that every Windows has. */
    public readonly isBuiltIn: boolean,
    options: WindowsAdminOptions,
  ) {
    this.passwordFrom = options.passwordFrom;
  }
}

/** When a component of the answer file is applied. */
export class WindowsPass extends Choice {
  /** In Windows PE, before anything is installed. */
  public static readonly WINDOWS_PE = new WindowsPass('windowsPE');
  /** On the installed image, before it boots. */
  public static readonly OFFLINE_SERVICING = new WindowsPass('offlineServicing');
  /** While the machine gets its own names and drivers. */
  public static readonly SPECIALIZE = new WindowsPass('specialize');
  /** When Windows would ask its first questions. */
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

/** A component of the answer file that no property reaches. */
export interface WindowsComponent {
  /** When it is applied. */
  readonly pass: WindowsPass;
  /** Its name, such as `Microsoft-Windows-Shell-Setup`. One that our properties make already is another one beside it. */
  readonly name: string;
  /** Its content, as XML. */
  readonly xml: string;
}
