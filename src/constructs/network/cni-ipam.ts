import { defined } from '../defined';

/** Address assignment by `host-local`. */
export interface HostLocalOptions {
  /**
   * First address to assign.
   * @default - the first address of the subnet
   */
  readonly rangeStart?: string;
  /**
   * Last address to assign.
   * @default - the last address of the subnet
   */
  readonly rangeEnd?: string;
  /**
   * Address of the gateway.
   * @default - the first address of the subnet
   */
  readonly gateway?: string;
  /**
   * Networks that are routed through the gateway: `0.0.0.0/0`.
   * @default - none
   */
  readonly routes?: string[];
}

/** Address assignment by `whereabouts`. */
export interface WhereaboutsOptions {
  /**
   * Networks whose addresses are not assigned.
   * @default - none
   */
  readonly exclude?: string[];
  /**
   * Address of the gateway.
   * @default - none
   */
  readonly gateway?: string;
}

/**
 * IP address management of a network. It assigns an address to the Pod's interface; a guest behind the bridge binding
 * receives that address by DHCP. Without it, guests use the network's own DHCP server or are configured by cloud-init.
 */
export class CniIpam {
  /**
   * Requests addresses for Pods from the network's own DHCP server. Requires CNI's dhcp daemon on the nodes.
   *
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.macvlan('eth1', { ipam: CniIpam.dhcp() }),
   * });
   */
  public static dhcp(): CniIpam {
    return new CniIpam({ type: 'dhcp' });
  }

  /**
   * Assigns addresses of a subnet. Each node does so independently: two nodes may assign the same address.
   *
   * @param subnet subnet, such as `192.0.2.0/24`
   * @param options range, gateway and routes
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.macvlan('eth1', { ipam: CniIpam.hostLocal('192.0.2.0/24', { gateway: '192.0.2.1' }) }),
   * });
   */
  public static hostLocal(subnet: string, options: HostLocalOptions = {}): CniIpam {
    const { rangeStart, rangeEnd, gateway, routes } = options;
    return new CniIpam(
      defined({
        type: 'host-local',
        ranges: [[defined({ subnet, rangeStart, rangeEnd, gateway })]],
        routes: routes?.map((dst) => ({ dst })),
      }),
    );
  }

  /**
   * Assigns addresses of a subnet that are unique in the cluster. Requires whereabouts.
   *
   * @param range range, such as `192.0.2.0/24`
   * @param options excluded ranges and gateway
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.macvlan('eth1', { ipam: CniIpam.whereabouts('192.0.2.0/24') }),
   * });
   */
  public static whereabouts(range: string, options: WhereaboutsOptions = {}): CniIpam {
    const { exclude, gateway } = options;
    return new CniIpam(defined({ type: 'whereabouts', range, exclude: exclude && [...exclude], gateway }));
  }

  /**
   * Assigns fixed addresses with their prefix lengths: `10.1.0.5/24`. For one Pod at a time.
   *
   * @param addresses addresses with their prefix lengths
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.macvlan('eth1', { ipam: CniIpam.fixed(['192.0.2.10/24']) }),
   * });
   */
  public static fixed(addresses: string[]): CniIpam {
    return new CniIpam({ type: 'static', addresses: addresses.map((address) => ({ address })) });
  }

  /**
   * Uses a configuration as the plugin reads it.
   *
   * @param config configuration as the plugin reads it
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.macvlan('eth1', { ipam: CniIpam.raw({ type: 'dhcp' }) }),
   * });
   */
  public static raw(config: { readonly [field: string]: unknown }): CniIpam {
    return new CniIpam(config);
  }

  private constructor(private readonly config: { readonly [field: string]: unknown }) {}

  /** @internal */
  public _render(): object {
    return { ...this.config };
  }
}
