import type { CloudBondMode, CloudRoute } from './cloud-network-v2';
import { type Config, given } from './given';

/** Options of a static subnet. */
export interface CloudSubnetOptions {
  /**
   * Address of the default gateway.
   * @default - none
   */
  readonly gateway?: string;
  /**
   * Addresses of name servers.
   * @default - none
   */
  readonly nameservers?: string[];
  /**
   * DNS search domains.
   * @default - none
   */
  readonly search?: string[];
  /**
   * Additional routes.
   * @default - none
   */
  readonly routes?: CloudRoute[];
}

/** Address configuration of a device, in version 1. */
export class CloudSubnet {
  /**
   * Requests an IPv4 address by DHCP.
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(CloudNetworkItem.physical('enp1s0', { subnets: [CloudSubnet.dhcp4()] })),
   *   }),
   * });
   */
  public static dhcp4(): CloudSubnet {
    return new CloudSubnet({ type: 'dhcp4' });
  }

  /**
   * Requests an IPv6 address by DHCPv6.
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(CloudNetworkItem.physical('enp1s0', { subnets: [CloudSubnet.dhcp6()] })),
   *   }),
   * });
   */
  public static dhcp6(): CloudSubnet {
    return new CloudSubnet({ type: 'dhcp6' });
  }

  /**
   * Configures an IPv6 address from router advertisements (SLAAC).
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(CloudNetworkItem.physical('enp1s0', { subnets: [CloudSubnet.slaac()] })),
   *   }),
   * });
   */
  public static slaac(): CloudSubnet {
    return new CloudSubnet({ type: 'ipv6_slaac' });
  }

  /**
   * Brings the device up without an address.
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(CloudNetworkItem.physical('enp1s0', { subnets: [CloudSubnet.manual()] })),
   *   }),
   * });
   */
  public static manual(): CloudSubnet {
    return new CloudSubnet({ type: 'manual' });
  }

  /**
   * Sets a static IPv4 or IPv6 address with its prefix length: `192.0.2.10/24`.
   *
   * @param address address with its prefix length, such as `192.0.2.10/24`
   * @param options gateway, DNS servers and routes
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(CloudNetworkItem.physical('enp1s0', {
   *       subnets: [CloudSubnet.address('192.0.2.10/24', { gateway: '192.0.2.1' })],
   *     })),
   *   }),
   * });
   */
  public static address(address: string, options: CloudSubnetOptions = {}): CloudSubnet {
    const { gateway, nameservers, search, routes } = options;
    return new CloudSubnet({
      type: String(address).includes(':') ? 'static6' : 'static',
      address,
      ...given('gateway', gateway),
      ...given('dns_nameservers', nameservers),
      ...given('dns_search', search),
      ...given(
        'routes',
        routes?.map(({ to, via, metric }) => ({ destination: to, gateway: via, ...given('metric', metric) })),
      ),
    });
  }

  private constructor(private readonly config: Config) {}

  /** @internal */
  public _render(): Config {
    return this.config;
  }
}

/** Options of a device, in version 1. */
export interface CloudItemOptions {
  /**
   * Addresses of the device.
   * @default - no addresses
   */
  readonly subnets?: CloudSubnet[];
  /**
   * MAC address: for a network card, the address of the card to configure; for other devices, the address to assign.
   * @default - any
   */
  readonly macAddress?: string;
  /**
   * Maximum transmission unit (MTU), in bytes.
   * @default - the link's MTU
   */
  readonly mtu?: number;
}

/** Options of a bond, in version 1. */
export interface CloudBondItemOptions extends CloudItemOptions {
  /** Names of the bonded interfaces. */
  readonly interfaces: string[];
  /**
   * Bonding mode.
   * @default CloudBondMode.BALANCE_RR
   */
  readonly mode?: CloudBondMode;
  /**
   * Additional parameters, as cloud-init writes them: `{ 'bond-miimon': 100 }`.
   * @default - none
   */
  readonly parameters?: { readonly [key: string]: unknown };
}

/** Options of a bridge, in version 1. */
export interface CloudBridgeItemOptions {
  /** Names of the bridged interfaces. */
  readonly interfaces: string[];
  /**
   * Addresses of the bridge.
   * @default - no addresses
   */
  readonly subnets?: CloudSubnet[];
  /**
   * Parameters, as cloud-init writes them: `{ bridge_stp: 'off' }`.
   * @default - none
   */
  readonly parameters?: { readonly [key: string]: unknown };
}

/** Device, name servers or route of a network configuration of version 1. */
export class CloudNetworkItem {
  /**
   * Configures a network card.
   *
   * @param name name of the interface
   * @param options addresses, MAC address and MTU
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(CloudNetworkItem.physical('enp1s0', { subnets: [CloudSubnet.dhcp4()] })),
   *   }),
   * });
   */
  public static physical(name: string, options: CloudItemOptions = {}): CloudNetworkItem {
    return new CloudNetworkItem({ type: 'physical', name, ...renderOptions(options) });
  }

  /**
   * Combines several interfaces into one (bonding).
   *
   * @param name name of the bond
   * @param options interfaces, mode and addresses
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(
   *       CloudNetworkItem.physical('enp1s0'),
   *       CloudNetworkItem.physical('enp2s0'),
   *       CloudNetworkItem.bond('bond0', { interfaces: ['enp1s0', 'enp2s0'], subnets: [CloudSubnet.dhcp4()] }),
   *     ),
   *   }),
   * });
   */
  public static bond(name: string, options: CloudBondItemOptions): CloudNetworkItem {
    const params = { ...given('bond-mode', options.mode?.value), ...options.parameters };
    const { interfaces } = options;
    return new CloudNetworkItem({ type: 'bond', name, bond_interfaces: interfaces, params, ...renderOptions(options) });
  }

  /**
   * Creates a bridge between interfaces.
   *
   * @param name name of the bridge
   * @param options interfaces and addresses
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(
   *       CloudNetworkItem.physical('enp1s0'),
   *       CloudNetworkItem.bridge('br0', { interfaces: ['enp1s0'], subnets: [CloudSubnet.dhcp4()] }),
   *     ),
   *   }),
   * });
   */
  public static bridge(name: string, options: CloudBridgeItemOptions): CloudNetworkItem {
    const { interfaces, parameters, subnets } = options;
    return new CloudNetworkItem({
      type: 'bridge',
      name,
      bridge_interfaces: interfaces,
      params: { ...parameters },
      ...renderOptions({ subnets }),
    });
  }

  /**
   * Creates a VLAN interface on top of another interface.
   *
   * @param name name of the new interface
   * @param link name of the underlying interface
   * @param id VLAN ID, 0 to 4094
   * @param options addresses, MAC address and MTU
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(
   *       CloudNetworkItem.physical('enp1s0'),
   *       CloudNetworkItem.vlan('enp1s0.20', 'enp1s0', 20, { subnets: [CloudSubnet.dhcp4()] }),
   *     ),
   *   }),
   * });
   */
  public static vlan(name: string, link: string, id: number, options: CloudItemOptions = {}): CloudNetworkItem {
    return new CloudNetworkItem({ type: 'vlan', name, vlan_link: link, vlan_id: id, ...renderOptions(options) });
  }

  /**
   * Sets name servers and search domains for all devices.
   *
   * @param addresses addresses of DNS servers
   * @param search DNS search domains
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(
   *       CloudNetworkItem.physical('enp1s0', { subnets: [CloudSubnet.address('192.0.2.10/24')] }),
   *       CloudNetworkItem.nameservers(['192.0.2.53'], ['shop.example']),
   *     ),
   *   }),
   * });
   */
  public static nameservers(addresses: string[], search?: string[]): CloudNetworkItem {
    return new CloudNetworkItem({ type: 'nameserver', address: addresses, ...given('search', search) });
  }

  /**
   * Adds a route.
   *
   * @param route destination and gateway
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(
   *       CloudNetworkItem.physical('enp1s0', { subnets: [CloudSubnet.address('192.0.2.10/24')] }),
   *       CloudNetworkItem.route({ to: '198.51.100.0/24', via: '192.0.2.1' }),
   *     ),
   *   }),
   * });
   */
  public static route(route: CloudRoute): CloudNetworkItem {
    const { to, via, metric } = route;
    return new CloudNetworkItem({ type: 'route', destination: to, gateway: via, ...given('metric', metric) });
  }

  private constructor(private readonly config: Config) {}

  /** @internal */
  public _render(): Config {
    return this.config;
  }
}

function renderOptions({ subnets, macAddress, mtu }: CloudItemOptions): Config {
  return {
    ...given('mac_address', macAddress?.toLowerCase()),
    ...given('mtu', mtu),
    ...(subnets?.length ? { subnets: subnets.map((subnet) => subnet._render()) } : {}),
  };
}
