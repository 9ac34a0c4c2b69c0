import type { Bootloader, EFI, Firmware as FirmwareSpec, Volume } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import { PullPolicy } from '../storage/disk-choices';
import { defined, definedOrNone } from '../defined';
import { secretOf } from '../storage/reference';

/** Options of a kernel from a container image. */
export interface KernelBootOptions {
  /**
   * Path of the kernel in the image.
   * @default - the guest boots from its disk
   */
  readonly kernelPath?: string;
  /**
   * Path of the initial ramdisk in the image.
   * @default - none
   */
  readonly initrdPath?: string;
  /**
   * Kernel command line, such as `console=ttyS0 root=/dev/vda`. Requires `kernelPath`.
   * @default - none
   */
  readonly args?: string;
  /**
   * Policy for pulling the image.
   * @default - always for the tag `latest`; otherwise only if the node does not have the image
   */
  readonly pullPolicy?: PullPolicy;
  /**
   * Secret with the credentials of the registry.
   * @default - none
   */
  readonly pullSecret?: INamedObject;
}

/** Kernel that boots instead of the one on the disk. */
export class KernelBoot {
  /**
   * Boots a kernel from a container image.
   *
   * @param image container image with the kernel
   * @param options paths in the image, and arguments of the kernel
   * @example
   * new Appliance(chart, 'router', {
   *   kernel: KernelBoot.container('registry.example/router:1', {
   *     kernelPath: '/boot/vmlinuz',
   *     args: 'console=ttyS0',
   *   }),
   * });
   */
  public static container(image: string, options: KernelBootOptions = {}): KernelBoot {
    return new KernelBoot(image, options);
  }

  private constructor(
    private readonly image: string,
    private readonly options: KernelBootOptions,
  ) {}

  /** @internal */
  public _render(): FirmwareSpec['kernelBoot'] {
    const { kernelPath, initrdPath, args, pullPolicy, pullSecret } = this.options;
    return defined({
      container: defined({
        image: this.image,
        kernelPath,
        initrdPath,
        imagePullPolicy: pullPolicy?.value as 'Always' | undefined,
        imagePullSecret: pullSecret && secretOf('KernelBoot: pullSecret', pullSecret),
      }),
      kernelArgs: args,
    });
  }
}

/** Options of every firmware. */
export interface FirmwareOptions {
  /**
   * UUID that the guest reads from SMBIOS. Set it if a licence depends on it.
   * @default - derived from the VM's name
   */
  readonly uuid?: string;
  /**
   * Serial number that the guest reads from SMBIOS.
   * @default - none
   */
  readonly serial?: string;
  /**
   * Kernel that boots instead of the one on the disk.
   * @default - the guest boots from its disk
   */
  readonly kernelBoot?: KernelBoot;
  /**
   * Secret with the ACPI table SLIC under the key `slic.bin`. Windows 7 reads its licence from it.
   * @default - none
   */
  readonly slicTable?: INamedObject;
  /**
   * Secret with the ACPI table MSDM under the key `msdm.bin`. Windows 8 and later read their licence from it.
   * @default - none
   */
  readonly msdmTable?: INamedObject;
}

/** Options of a BIOS. */
export interface BiosOptions extends FirmwareOptions {
  /**
   * Whether the BIOS writes to the serial console.
   * @default false
   */
  readonly useSerial?: boolean;
}

/** Options of UEFI firmware. */
export interface EfiOptions extends FirmwareOptions {
  /**
   * Whether only signed boot loaders start. Enables System Management Mode, which secure boot requires.
   * @default true
   */
  readonly secureBoot?: boolean;
  /**
   * Whether the variables of the firmware survive restarts.
   * @default false
   */
  readonly persistent?: boolean;
}

/** Names of the volumes that hold ACPI tables. */
const SLIC_VOLUME = 'acpi-slic';
const MSDM_VOLUME = 'acpi-msdm';

/** Firmware of a guest: boot method, identity in SMBIOS, kernel and ACPI tables. */
export class Firmware {
  /**
   * Boots with BIOS, the default on amd64.
   *
   * @param options serial console, identity and kernel
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   firmware: Firmware.bios({ useSerial: true }),
   * });
   */
  public static bios(options: BiosOptions = {}): Firmware {
    return new Firmware({ bios: defined({ useSerial: options.useSerial }) }, options);
  }

  /**
   * Boots with UEFI, the default on arm64.
   *
   * @param options secure boot, persistence, identity and kernel
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   firmware: Firmware.efi({ secureBoot: true, persistent: true }),
   * });
   */
  public static efi(options: EfiOptions = {}): Firmware {
    return new Firmware({ efi: renderEfi(options) }, options);
  }

  /**
   * Boots with the default firmware of the architecture, with these options.
   *
   * @param options identity and kernel
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   firmware: Firmware.platform({ serial: 'web-0001' }),
   * });
   */
  public static platform(options: FirmwareOptions): Firmware {
    return new Firmware(undefined, options);
  }

  /** Whether only signed boot loaders start. */
  public readonly secureBoot: boolean;

  private constructor(
    private readonly bootloader: Bootloader | undefined,
    private readonly options: FirmwareOptions,
  ) {
    this.secureBoot = bootloader?.efi?.secureBoot === true;
  }

  /** Returns a copy with this kernel. @internal */
  public _withKernel(kernelBoot: KernelBoot): Firmware {
    return new Firmware(this.bootloader, { ...this.options, kernelBoot });
  }

  /** @internal */
  public _render(): FirmwareSpec | undefined {
    const { uuid, serial, kernelBoot, slicTable, msdmTable } = this.options;
    return definedOrNone({
      bootloader: this.bootloader,
      uuid,
      serial,
      kernelBoot: kernelBoot?._render(),
      acpi: definedOrNone({
        slicNameRef: slicTable && SLIC_VOLUME,
        msdmNameRef: msdmTable && MSDM_VOLUME,
      }),
    });
  }

  /** Renders the volumes that hold the ACPI tables. @internal */
  public _renderVolumes(): Volume[] {
    const { slicTable, msdmTable } = this.options;
    return [
      ...(slicTable ? [{ name: SLIC_VOLUME, secret: { secretName: secretOf('Firmware: slicTable', slicTable) } }] : []),
      ...(msdmTable ? [{ name: MSDM_VOLUME, secret: { secretName: secretOf('Firmware: msdmTable', msdmTable) } }] : []),
    ];
  }
}

/** Renders UEFI options as the API writes them. */
export function renderEfi({ secureBoot = true, persistent }: EfiOptions): EFI {
  return defined({ secureBoot, persistent });
}
