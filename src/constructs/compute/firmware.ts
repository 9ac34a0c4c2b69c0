import type { Bootloader, EFI, Firmware as FirmwareSpec, Volume } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import { PullPolicy } from '../storage/disk-choices';
import { defined, definedOrNone } from '../defined';
import { secretOf } from '../storage/reference';

/** Where a kernel is in its image, and what it is told. */
export interface KernelBootOptions {
  /**
   * Path of the kernel in the image.
   * @default - the disk's own kernel boots
   */
  readonly kernelPath?: string;
  /**
   * Path of the initial ramdisk in the image.
   * @default - none
   */
  readonly initrdPath?: string;
  /**
   * Command line of the kernel, such as `console=ttyS0 root=/dev/vda`. Only with a kernel.
   * @default - none
   */
  readonly args?: string;
  /**
   * When the image is pulled.
   * @default - always for `latest`, else when the node does not have it
   */
  readonly pullPolicy?: PullPolicy;
  /**
   * Secret with the registry's credentials.
   * @default - none
   */
  readonly pullSecret?: INamedObject;
}

/** A kernel that boots instead of what is on the disk. */
export class KernelBoot {
  /**
   * From a container image.
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

/** What every firmware takes. */
export interface FirmwareOptions {
  /**
   * UUID that the guest reads by SMBIOS. Set it when a licence hangs on it.
   * @default - derived from the VM's name
   */
  readonly uuid?: string;
  /**
   * Serial number that the guest reads by SMBIOS.
   * @default - none
   */
  readonly serial?: string;
  /**
   * A kernel that boots instead of what is on the disk.
   * @default - what is on the disk
   */
  readonly kernelBoot?: KernelBoot;
  /**
   * Secret with the ACPI table SLIC, by which Windows 7 finds its licence, in its key `slic.bin`.
   * @default - none
   */
  readonly slicTable?: INamedObject;
  /**
   * Secret with the ACPI table MSDM, by which Windows from 8 on finds its licence, in its key `msdm.bin`.
   * @default - none
   */
  readonly msdmTable?: INamedObject;
}

/** How a guest boots by BIOS. */
export interface BiosOptions extends FirmwareOptions {
  /**
   * The BIOS writes to the serial console.
   * @default false
   */
  readonly useSerial?: boolean;
}

/** How a guest boots by UEFI. */
export interface EfiOptions extends FirmwareOptions {
  /**
   * Only signed boot loaders start. Switches on System Management Mode, which it needs.
   * @default true
   */
  readonly secureBoot?: boolean;
  /**
   * Keeps the firmware's variables over restarts.
   * @default false
   */
  readonly persistent?: boolean;
}

/** Names of the volumes that hold ACPI tables. */
const SLIC_VOLUME = 'acpi-slic';
const MSDM_VOLUME = 'acpi-msdm';

/** How a guest boots, and what its firmware says of it. */
export class Firmware {
  /**
   * BIOS: the default of amd64.
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
   * UEFI: the default of arm64.
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
   * The architecture's own, with these options.
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

  /** The same with this kernel. @internal */
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

  /** The volumes that hold its tables. @internal */
  public _renderVolumes(): Volume[] {
    const { slicTable, msdmTable } = this.options;
    return [
      ...(slicTable ? [{ name: SLIC_VOLUME, secret: { secretName: secretOf('Firmware: slicTable', slicTable) } }] : []),
      ...(msdmTable ? [{ name: MSDM_VOLUME, secret: { secretName: secretOf('Firmware: msdmTable', msdmTable) } }] : []),
    ];
  }
}

/** UEFI as the API writes it. */
export function renderEfi({ secureBoot = true, persistent }: EfiOptions): EFI {
  return defined({ secureBoot, persistent });
}
