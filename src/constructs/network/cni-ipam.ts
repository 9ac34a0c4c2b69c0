import { defined } from '../defined';

/** How `host-local` gives addresses. */
export interface HostLocalOptions {
  /**
   * First address that is given.
   * @default - the first of the network
   */
  readonly rangeStart?: string;
  /**
   * Last address that is given.
   * @default - the last of the network
   */
  readonly rangeEnd?: string;
  /**
   * The gateway's address.
   * @default - the first of the network
   */
  readonly gateway?: string;
  /**
   * Networks that are reached through the gateway: `0.0.0.0/0`.
   * @default - none
   */
  readonly routes?: string[];
}

/** How `whereabouts` gives addresses. */
export interface WhereaboutsOptions {
  /**
   * Networks whose addresses are not given.
   * @default - none
   */
  readonly exclude?: string[];
  /**
   * The gateway's address.
   * @default - none
   */
  readonly gateway?: string;
}

/**
 * Who gives addresses on a network. It is the Pod's interface that gets one; a guest behind the bridge binding is told
 * it by DHCP. Without any, guests ask the network's own DHCP server, or are configured by cloud-init.
 */
export class CniIpam {
  /**
   * The network's own DHCP server, for the Pod's interface. Needs CNI's dhcp daemon on the nodes.
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
   * Addresses of a network, by each node for itself: two nodes may give the same one.
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
   * Addresses of a network, by the whole cluster. Needs whereabouts.
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
   * These addresses, with the length of their network: `10.1.0.5/24`. For one Pod at a time.
   *
   * @param addresses addresses with the length of their prefix
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.macvlan('eth1', { ipam: CniIpam.fixed(['192.0.2.10/24']) }),
   * });
   */
  public static fixed(addresses: string[]): CniIpam {
    return new CniIpam({ type: 'static', addresses: addresses.map((address) => ({ address })) });
  }

  /**
   * As the plugin reads it.
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
