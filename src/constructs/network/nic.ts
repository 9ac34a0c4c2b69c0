import { Choice } from '../choice';

/** Model of the guest's network card. */
export class NicModel extends Choice {
  /** Paravirtualized and fast. Requires a virtio driver in the guest, which Linux has. */
  public static readonly VIRTIO = NicModel.of('virtio');
  /** Emulated Intel gigabit card. Works in Windows without extra drivers. */
  public static readonly E1000E = NicModel.of('e1000e');
  /** Emulated Intel gigabit card, older model. */
  public static readonly E1000 = NicModel.of('e1000');
  /** Emulated Intel 82576, which supports virtual functions. */
  public static readonly IGB = NicModel.of('igb');
  /** Emulated Realtek card with 100 Mbit/s, for old guests. */
  public static readonly RTL8139 = NicModel.of('rtl8139');
  /** Emulated AMD card, for old guests. */
  public static readonly PCNET = NicModel.of('pcnet');
  /** Emulated NE2000 card, for very old guests. */
  public static readonly NE2K_PCI = NicModel.of('ne2k_pci');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): NicModel {
    return new NicModel(value);
  }
}

/** Link state of the guest's network card. */
export class LinkState extends Choice {
  /** Cable plugged in. */
  public static readonly UP = LinkState.of('up');
  /** Cable unplugged. */
  public static readonly DOWN = LinkState.of('down');
  /** Card unplugged while the guest runs. Only with the bridge binding, and not for the first network. */
  public static readonly ABSENT = LinkState.of('absent');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): LinkState {
    return new LinkState(value);
  }
}

/** DHCP option for private use. */
export interface DhcpPrivateOption {
  /** Number of the option, 224 to 254. */
  readonly option: number;
  /** Value of the option. */
  readonly value: string;
}

/** Options that the guest receives by DHCP in addition to its address. */
export interface DhcpOptions {
  /**
   * Boot file (option 67).
   * @default - none
   */
  readonly bootFileName?: string;
  /**
   * Boot server (option 66).
   * @default - none
   */
  readonly tftpServerName?: string;
  /**
   * IPv4 addresses of time servers (option 42).
   * @default - none
   */
  readonly ntpServers?: string[];
  /**
   * DHCP options for private use.
   * @default - none
   */
  readonly privateOptions?: DhcpPrivateOption[];
}

/** Options of every network interface. */
export interface VmNetworkOptions {
  /**
   * Name of the network and the interface: letters, digits, dashes and underscores.
   * @default - `default` for the Pod network, otherwise the name of the attachment
   */
  readonly name?: string;
  /**
   * MAC address of the card, such as `02:00:00:12:34:56`.
   * @default - chosen by the platform
   */
  readonly macAddress?: string;
  /**
   * Model of the network card.
   * @default NicModel.VIRTIO
   */
  readonly model?: NicModel;
  /**
   * Position in the boot order of disks and interfaces, from 1.
   * @default - not used for booting if another device has a boot order
   */
  readonly bootOrder?: number;
  /**
   * Address of the card on the guest's PCI bus: `0000:81:01.0`.
   * @default - chosen by the platform
   */
  readonly pciAddress?: string;
  /**
   * ACPI index of the card, 1 to 16383. Linux names the card `eno` followed by this number, regardless of other
   * devices.
   * @default - none: the card's name depends on its PCI slot
   */
  readonly acpiIndex?: number;
  /**
   * Text that the guest finds next to the interface's address in cloud-init's metadata.
   * @default - none
   */
  readonly tag?: string;
  /**
   * Options that the guest receives by DHCP in addition to its address.
   * @default - none
   */
  readonly dhcpOptions?: DhcpOptions;
  /**
   * Link state of the card.
   * @default LinkState.UP
   */
  readonly linkState?: LinkState;
}
