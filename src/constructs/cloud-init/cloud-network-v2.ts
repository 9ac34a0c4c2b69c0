import { Choice } from '../choice';

/** Program that configures the network, in guests with netplan. */
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

/** Name servers of a device. */
export interface CloudNameservers {
  /** Addresses of the name servers. */
  readonly addresses: string[];
  /**
   * DNS search domains.
   * @default - none
   */
  readonly search?: string[];
}

/** A route. */
export interface CloudRoute {
  /** Destination: an address with its prefix length, `0.0.0.0/0`, `::/0` or `default`. */
  readonly to: string;
  /** Address of the gateway. */
  readonly via: string;
  /**
   * Metric of the route, from 0. The route with the lowest metric is preferred.
   * @default - the guest's metric
   */
  readonly metric?: number;
}

/** Settings that the device takes from the DHCP answer. */
export interface CloudDhcpOverrides {
  /**
   * Whether the name servers are used.
   * @default true
   */
  readonly useDns?: boolean;
  /**
   * Whether the routes are used.
   * @default true
   */
  readonly useRoutes?: boolean;
  /**
   * Whether the MTU is used.
   * @default true
   */
  readonly useMtu?: boolean;
  /**
   * Whether the host name is used.
   * @default true
   */
  readonly useHostname?: boolean;
  /**
   * Whether the time servers are used.
   * @default true
   */
  readonly useNtp?: boolean;
  /**
   * Metric of the routes, from 0. The route with the lowest metric is preferred.
   * @default - the guest's metric
   */
  readonly routeMetric?: number;
}

/** Properties of every network device. */
export interface CloudDevice {
  /**
   * Whether the device requests an IPv4 address by DHCP.
   * @default false
   */
  readonly dhcp4?: boolean;
  /**
   * Whether the device requests an IPv6 address by DHCPv6.
   * @default false
   */
  readonly dhcp6?: boolean;
  /**
   * Settings that the device takes from the DHCP answer.
   * @default - everything
   */
  readonly dhcp4Overrides?: CloudDhcpOverrides;
  /**
   * Settings that the device takes from the DHCPv6 answer.
   * @default - everything
   */
  readonly dhcp6Overrides?: CloudDhcpOverrides;
  /**
   * Static addresses with their prefix lengths: `192.0.2.10/24`.
   * @default - none
   */
  readonly addresses?: string[];
  /**
   * Routes. The default gateway is a route to `0.0.0.0/0` or `::/0`.
   * @default - routes from DHCP
   */
  readonly routes?: CloudRoute[];
  /**
   * Name servers.
   * @default - name servers from DHCP
   */
  readonly nameservers?: CloudNameservers;
  /**
   * Maximum transmission unit (MTU), in bytes.
   * @default - the link's MTU
   */
  readonly mtu?: number;
  /**
   * Whether the guest boots without waiting for the device.
   * @default false
   */
  readonly optional?: boolean;
}

/** Conditions that select a network card whose name is not known. */
export interface CloudDeviceMatch {
  /**
   * Kernel name of the card, with `*` as a wildcard.
   * @default - any
   */
  readonly name?: string;
  /**
   * MAC address of the card.
   * @default - any
   */
  readonly macAddress?: string;
  /**
   * Driver of the card, such as `virtio_net`.
   * @default - any
   */
  readonly driver?: string;
}

/** Network card of the guest. */
export interface CloudEthernet extends CloudDevice {
  /**
   * Conditions that select the card. With them, the key in `ethernets` is only an identifier.
   * @default - the card whose name is the key in `ethernets`
   */
  readonly match?: CloudDeviceMatch;
  /**
   * New name of the card.
   * @default - the kernel's name
   */
  readonly setName?: string;
  /**
   * Whether a network packet can wake the guest.
   * @default false
   */
  readonly wakeOnLan?: boolean;
}

/** Bonding mode. */
export class CloudBondMode extends Choice {
  /** Round robin over all interfaces. */
  public static readonly BALANCE_RR = new CloudBondMode('balance-rr');
  /** One active interface; another takes over when it fails. */
  public static readonly ACTIVE_BACKUP = new CloudBondMode('active-backup');
  /** Interface chosen by a hash of the packet. */
  public static readonly BALANCE_XOR = new CloudBondMode('balance-xor');
  /** Every packet on all interfaces. */
  public static readonly BROADCAST = new CloudBondMode('broadcast');
  /** Link Aggregation Control Protocol (802.3ad). */
  public static readonly LACP = new CloudBondMode('802.3ad');
  /** Outgoing traffic distributed by load. */
  public static readonly BALANCE_TLB = new CloudBondMode('balance-tlb');
  /** Outgoing and incoming traffic distributed by load. */
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

/** Several interfaces that act as one. */
export interface CloudBond extends CloudDevice {
  /** Keys of the bonded interfaces in this configuration. */
  readonly interfaces: string[];
  /**
   * Bonding mode.
   * @default CloudBondMode.BALANCE_RR
   */
  readonly mode?: CloudBondMode;
  /**
   * Additional parameters, as cloud-init writes them: `{ 'lacp-rate': 'fast' }`.
   * @default - none
   */
  readonly parameters?: { readonly [key: string]: unknown };
}

/** Bridge between interfaces. */
export interface CloudBridge extends CloudDevice {
  /**
   * Keys of the bridged interfaces in this configuration.
   * @default - none
   */
  readonly interfaces?: string[];
  /**
   * Whether the bridge uses the spanning tree protocol.
   * @default - the guest's setting
   */
  readonly stp?: boolean;
  /**
   * Additional parameters, as cloud-init writes them: `{ 'forward-delay': 4 }`.
   * @default - none
   */
  readonly parameters?: { readonly [key: string]: unknown };
}

/** VLAN interface on top of another interface. */
export interface CloudVlan extends CloudDevice {
  /** VLAN ID, 0 to 4094. */
  readonly id: number;
  /** Key of the underlying interface in this configuration. */
  readonly link: string;
}

/** Network configuration of version 2. Name servers and routes belong to a device. */
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
   * Program that configures the network, in guests with netplan.
   * @default - the guest's program
   */
  readonly renderer?: CloudNetworkRenderer;
}
