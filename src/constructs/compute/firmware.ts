import type { DomainSpec } from '../../api/generated/kubevirt-v1';

/** How a guest boots by UEFI. */
export interface EfiOptions {
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

/** Facet of a VM: firmware and machine. */
export class VmFirmware {
  private efiOptions?: EfiOptions;
  private type?: string;

  /** The VM checks itself after each change. @internal */
  public _changed: () => void = () => undefined;

  /** Boots by UEFI instead of BIOS. */
  public efi(options: EfiOptions = {}): void {
    this.efiOptions = options;
    this._changed();
  }

  /** Machine type, such as `pc-q35-9.0`. Default: the platform's for the architecture. */
  public machineType(name: string): void {
    this.type = name;
    this._changed();
  }

  /** @internal */
  public _render(): Pick<DomainSpec, 'firmware' | 'features' | 'machine'> {
    const { secureBoot = true, persistent } = this.efiOptions ?? {};
    return {
      ...(this.efiOptions
        ? { firmware: { bootloader: { efi: { secureBoot, ...(persistent === undefined ? {} : { persistent }) } } } }
        : {}),
      ...(this.efiOptions && secureBoot ? { features: { smm: { enabled: true } } } : {}),
      ...(this.type === undefined ? {} : { machine: { type: this.type } }),
    };
  }
}
