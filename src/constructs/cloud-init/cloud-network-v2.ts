import { Choice } from '../choice';

/** Which program sets the network up, in guests with netplan. */
export class CloudNetworkRenderer extends Choice {
  /** systemd-networkd. */
  public static readonly NETWORKD = new CloudNetworkRenderer('networkd');
  /** NetworkManager. */
  public static readonly NETWORK_MANAGER = new CloudNetworkRenderer('NetworkManager');

  /**
   * Any other program, as netplan writes it.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CloudNetworkRenderer {
    return new CloudNetworkRenderer(value);
  }
}

/** Who answers a device's questions for names. */
export interface CloudNameservers {
  /** Their addresses. */
  readonly addresses: string[];
  /**
   * Domains to try.
   * @default - none
   */
  readonly search?: string[];
}

/** A route. */
export interface CloudRoute {
  /** Where to: an address with its prefix length, `0.0.0.0/0`, `::/0` or `default`. */
  readonly to: string;
  /** By which gateway. */
  readonly via: string;
  /**
   * Its cost, from 0: the route with the least is taken.
   * @default - the guest's
   */
  readonly metric?: number;
}

/** What is taken from DHCP's answer. */
export interface CloudDhcpOverrides {
  /**
   * Take its name servers.
   * @default true
   */
  readonly useDns?: boolean;
  /**
   * Take its routes.
   * @default true
   */
  readonly useRoutes?: boolean;
  /**
   * Take its MTU.
   * @default true
   */
  readonly useMtu?: boolean;
  /**
   * Take its host name.
   * @default true
   */
  readonly useHostname?: boolean;
  /**
   * Take its time servers.
   * @default true
   */
  readonly useNtp?: boolean;
  /**
   * Cost of its routes, from 0: the least is taken.
   * @default - the guest's
   */
  readonly routeMetric?: number;
}

/** What every device has. */
export interface CloudDevice {
  /**
   * Address by DHCP.
   * @default false
   */
  readonly dhcp4?: boolean;
  /**
   * IPv6 address by DHCP.
   * @default false
   */
  readonly dhcp6?: boolean;
  /**
   * What is taken from DHCP's answer.
   * @default - everything
   */
  readonly dhcp4Overrides?: CloudDhcpOverrides;
  /**
   * What is taken from DHCPv6' answer.
   * @default - everything
   */
  readonly dhcp6Overrides?: CloudDhcpOverrides;
  /**
   * Static addresses with their prefix length: `192.0.2.10/24`.
   * @default - none
   */
  readonly addresses?: string[];
  /**
   * Routes. The way out is a route to `0.0.0.0/0` or `::/0`.
   * @default - those by DHCP
   */
  readonly routes?: CloudRoute[];
  /**
   * Name servers.
   * @default - those by DHCP
   */
  readonly nameservers?: CloudNameservers;
  /**
   * Largest packet, in bytes.
   * @default - the link's
   */
  readonly mtu?: number;
  /**
   * The boot does not wait for it.
   * @default false
   */
  readonly optional?: boolean;
}

/** Which device of the guest is meant, when its name is not known. */
export interface CloudDeviceMatch {
  /**
   * Name of the kernel, with `*`.
   * @default - any
   */
  readonly name?: string;
  /**
   * MAC address.
   * @default - any
   */
  readonly macAddress?: string;
  /**
   * Its driver, such as `virtio_net`.
   * @default - any
   */
  readonly driver?: string;
}

/** A network card of the guest. */
export interface CloudEthernet extends CloudDevice {
  /**
   * Which card is meant; its key is then only a name for it here.
   * @default - the one of the name
   */
  readonly match?: CloudDeviceMatch;
  /**
   * What the card is to be called.
   * @default - as the kernel does
   */
  readonly setName?: string;
  /**
   * Whether a packet may wake it.
   * @default false
   */
  readonly wakeOnLan?: boolean;
}

/** How a bond uses its members. */
export class CloudBondMode extends Choice {
  /** In turn. */
  public static readonly BALANCE_RR = new CloudBondMode('balance-rr');
  /** One at a time. */
  public static readonly ACTIVE_BACKUP = new CloudBondMode('active-backup');
  /** By a hash of the packet. */
  public static readonly BALANCE_XOR = new CloudBondMode('balance-xor');
  /** Each packet by all. */
  public static readonly BROADCAST = new CloudBondMode('broadcast');
  /** LACP. */
  public static readonly LACP = new CloudBondMode('802.3ad');
  /** By load, outgoing. */
  public static readonly BALANCE_TLB = new CloudBondMode('balance-tlb');
  /** By load, both ways. */
  public static readonly BALANCE_ALB = new CloudBondMode('balance-alb');

  /**
   * Any other mode, as the kernel writes it.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CloudBondMode {
    return new CloudBondMode(value);
  }
}

/** Several devices that act as one. */
export interface CloudBond extends CloudDevice {
  /** Its members, by their keys here. */
  readonly interfaces: string[];
  /**
   * How they are used.
   * @default CloudBondMode.BALANCE_RR
   */
  readonly mode?: CloudBondMode;
  /**
   * Further parameters, as cloud-init writes them: `{ 'lacp-rate': 'fast' }`.
   * @default - none
   */
  readonly parameters?: { readonly [key: string]: unknown };
}

/** A bridge between devices. */
export interface CloudBridge extends CloudDevice {
  /**
   * Its members, by their keys here.
   * @default - none
   */
  readonly interfaces?: string[];
  /**
   * Spanning tree protocol.
   * @default - the guest's
   */
  readonly stp?: boolean;
  /**
   * Further parameters, as cloud-init writes them: `{ 'forward-delay': 4 }`.
   * @default - none
   */
  readonly parameters?: { readonly [key: string]: unknown };
}

/** A VLAN on a device. */
export interface CloudVlan extends CloudDevice {
  /** Its id, 0 to 4094. */
  readonly id: number;
  /** The device it is on, by its key here. */
  readonly link: string;
}

/** Network configuration, version 2. Name servers and routes belong to a device. */
export interface CloudNetworkV2Props {
  /**
   * Network cards, by name.
   * @default - none
   */
  readonly ethernets?: { readonly [name: string]: CloudEthernet };
  /**
   * Bonds, by name.
   * @default - none
   */
  readonly bonds?: { readonly [name: string]: CloudBond };
  /**
   * Bridges, by name.
   * @default - none
   */
  readonly bridges?: { readonly [name: string]: CloudBridge };
  /**
   * VLANs, by name.
   * @default - none
   */
  readonly vlans?: { readonly [name: string]: CloudVlan };
  /**
   * Which program sets the network up, in guests with netplan.
   * @default - the guest's
   */
  readonly renderer?: CloudNetworkRenderer;
}
