import type { CloudBondMode, CloudRoute } from './cloud-network-v2';
import { type Config, given } from './given';

/** What a static subnet has beside its address. */
export interface CloudSubnetOptions {
  /**
   * The way out.
   * @default - none
   */
  readonly gateway?: string;
  /**
   * Addresses of name servers.
   * @default - none
   */
  readonly nameservers?: string[];
  /**
   * Domains to try.
   * @default - none
   */
  readonly search?: string[];
  /**
   * Further routes.
   * @default - none
   */
  readonly routes?: CloudRoute[];
}

/** How a device gets an address, in version 1. */
export class CloudSubnet {
  /**
   * By DHCP.
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
   * By DHCPv6.
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
   * By router advertisements.
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
   * Not at all: the device is up without one.
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
   * A static address with its prefix length, IPv4 or IPv6: `192.0.2.10/24`.
   *
   * @param address address with the length of its prefix, such as `192.0.2.10/24`
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

/** What a device of version 1 has. */
export interface CloudItemOptions {
  /**
   * How it gets its addresses.
   * @default - not at all
   */
  readonly subnets?: CloudSubnet[];
  /**
   * MAC address: that of the card which is meant, or the one to use.
   * @default - any
   */
  readonly macAddress?: string;
  /**
   * Largest packet, in bytes.
   * @default - the link's
   */
  readonly mtu?: number;
}

/** What a bond of version 1 has. */
export interface CloudBondItemOptions extends CloudItemOptions {
  /** Names of its members. */
  readonly interfaces: string[];
  /**
   * How they are used.
   * @default CloudBondMode.BALANCE_RR
   */
  readonly mode?: CloudBondMode;
  /**
   * Further parameters, as cloud-init writes them: `{ 'bond-miimon': 100 }`.
   * @default - none
   */
  readonly parameters?: { readonly [key: string]: unknown };
}

/** What a bridge of version 1 has. */
export interface CloudBridgeItemOptions {
  /** Names of its members. */
  readonly interfaces: string[];
  /**
   * How it gets its addresses.
   * @default - not at all
   */
  readonly subnets?: CloudSubnet[];
  /**
   * Parameters, as cloud-init writes them: `{ bridge_stp: 'off' }`.
   * @default - none
   */
  readonly parameters?: { readonly [key: string]: unknown };
}

/** A device, the name servers or a route of network configuration version 1. */
export class CloudNetworkItem {
  /**
   * A network card.
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
   * Several devices that act as one.
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
   * A bridge between devices.
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
   * A VLAN of this id, 0 to 4094, on a device.
   *
   * @param name name of the new interface
   * @param link name of the interface below
   * @param id VLAN ID, 1 to 4094
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
   * Name servers of all devices, with domains to try.
   *
   * @param addresses addresses of DNS servers
   * @param search domains that are searched
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
   * A route.
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
