import { Choice } from '../choice';

/** Which network card a guest sees. */
export class NicModel extends Choice {
  /** Fast; needs a virtio driver in the guest, which Linux has. */
  public static readonly VIRTIO = NicModel.of('virtio');
  /** Emulated Intel gigabit: works in Windows without drivers. */
  public static readonly E1000E = NicModel.of('e1000e');
  /** Emulated Intel gigabit, older. */
  public static readonly E1000 = NicModel.of('e1000');
  /** Emulated Intel 82576, which has virtual functions of its own. */
  public static readonly IGB = NicModel.of('igb');
  /** Emulated Realtek 100 Mbit/s, for old guests. */
  public static readonly RTL8139 = NicModel.of('rtl8139');
  /** Emulated AMD, for old guests. */
  public static readonly PCNET = NicModel.of('pcnet');
  /** Emulated NE2000, for very old guests. */
  public static readonly NE2K_PCI = NicModel.of('ne2k_pci');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): NicModel {
    return new NicModel(value);
  }
}

/** Whether the guest sees a cable in its card, and a card at all. */
export class LinkState extends Choice {
  /** The cable is plugged in. */
  public static readonly UP = LinkState.of('up');
  /** The cable is out. */
  public static readonly DOWN = LinkState.of('down');
  /** The card is unplugged while the guest runs. Only with the bridge binding, and not on the first network. */
  public static readonly ABSENT = LinkState.of('absent');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): LinkState {
    return new LinkState(value);
  }
}

/** An option of DHCP for private use. */
export interface DhcpPrivateOption {
  /** Its number, 224 to 254. */
  readonly option: number;
  /** Its value. */
  readonly value: string;
}

/** What the guest is told by DHCP besides its address. */
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
   * Time servers, by IPv4 address (option 42).
   * @default - none
   */
  readonly ntpServers?: string[];
  /**
   * Options for private use.
   * @default - none
   */
  readonly privateOptions?: DhcpPrivateOption[];
}

/** What every interface takes. */
export interface VmNetworkOptions {
  /**
   * Name of network and interface: letters, digits, dashes and underscores.
   * @default - `default` for the Pod network, else the name of what it attaches to
   */
  readonly name?: string;
  /**
   * Address of the card, such as `02:00:00:12:34:56`.
   * @default - chosen by the platform
   */
  readonly macAddress?: string;
  /**
   * Which card the guest sees.
   * @default NicModel.VIRTIO
   */
  readonly model?: NicModel;
  /**
   * Position in the order in which the firmware tries disks and interfaces, from 1.
   * @default - not tried while something else has an order
   */
  readonly bootOrder?: number;
  /**
   * Where the card is on the guest's PCI bus: `0000:81:01.0`.
   * @default - chosen by the platform
   */
  readonly pciAddress?: string;
  /**
   * 1 to 16383. Linux names the card `eno` and this number, whatever else is plugged in.
   * @default - none: the name follows from the slot
   */
  readonly acpiIndex?: number;
  /**
   * A text that the guest finds in cloud-init's metadata beside the interface's address.
   * @default - none
   */
  readonly tag?: string;
  /**
   * What the guest is told by DHCP besides its address.
   * @default - nothing
   */
  readonly dhcpOptions?: DhcpOptions;
  /**
   * Whether the guest sees a cable.
   * @default LinkState.UP
   */
  readonly linkState?: LinkState;
}
