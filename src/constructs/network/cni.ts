import { namespaceOf } from '../storage/reference';
import type {
  CniBridgeOptions,
  CniIpvlanOptions,
  CniLocalnetOptions,
  CniMacvlanOptions,
  CniOptions,
  CniOvnOptions,
  CniOvsOptions,
  CniRawOptions,
  CniSriovOptions,
} from './cni-options';
import { defined } from '../defined';

/** Version of the CNI specification that every plugin named here knows. */
const CNI_VERSION = '0.3.1';

type Config = { readonly [field: string]: unknown };

/** Which network an attachment is, as the plugins of the Container Network Interface read it. */
export class Cni {
  /**
   * A Linux bridge of the nodes. It is made when it is not there; give it an uplink to leave the node.
   *
   * @param bridge its name on the nodes, such as `br1`
   * @param options VLAN, addresses and MTU
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.bridge('br1', { vlan: 20 }),
   * });
   */
  public static bridge(bridge: string, options: CniBridgeOptions = {}): Cni {
    return Cni.plugin(options, 'bridge', {
      bridge,
      isGateway: options.isGateway,
      ipMasq: options.ipMasquerade,
      mtu: options.mtu,
      vlan: options.vlan,
      vlanTrunk: options.vlanTrunk?.map((id) => ({ id })),
      preserveDefaultVlan: options.preserveDefaultVlan,
      macspoofchk: options.macSpoofCheck,
      portIsolation: options.portIsolation,
    });
  }

  /**
   * Interfaces with MAC addresses of their own on a card of the nodes. A guest behind the bridge binding gets no
   * answers, since the card knows only the Pod's address: use it with a binding plugin, or MacvlanMode.PASSTHRU.
   *
   * @param master the card, such as `eth1`
   * @param options mode, addresses and MTU
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.macvlan('eth1', { mode: MacvlanMode.BRIDGE }),
   * });
   */
  public static macvlan(master: string, options: CniMacvlanOptions = {}): Cni {
    return Cni.plugin(options, 'macvlan', { master, mode: options.mode?.value, mtu: options.mtu });
  }

  /**
   * Interfaces that share the MAC address of a card of the nodes. For binding plugins; a guest behind the bridge binding
   * gets no answers.
   *
   * @param master the card, such as `eth1`
   * @param options mode, addresses and MTU
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.ipvlan('eth1', { mode: IpvlanMode.L2 }),
   * });
   */
  public static ipvlan(master: string, options: CniIpvlanOptions = {}): Cni {
    return Cni.plugin(options, 'ipvlan', { master, mode: options.mode?.value, mtu: options.mtu });
  }

  /**
   * A bridge of Open vSwitch on the nodes, by ovs-cni.
   *
   * @param bridge its name on the nodes
   * @param options VLAN, addresses and MTU
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.ovs('br-ex', { vlan: 20 }),
   * });
   */
  public static ovs(bridge: string, options: CniOvsOptions = {}): Cni {
    return Cni.plugin(options, 'ovs', { bridge, vlan: options.vlan, mtu: options.mtu });
  }

  /**
   * Virtual functions of SR-IOV cards: for `VmNetwork.sriov`.
   *
   * @param resourceName the pool that the device plugin offers, such as `example.com/sriov_net`
   * @param options VLAN, rates and trust of the virtual function
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.sriov('vendor.example/sriov_net', { vlan: 20 }),
   * });
   */
  public static sriov(resourceName: string, options: CniSriovOptions = {}): Cni {
    const onOff = (value: boolean | undefined): string | undefined =>
      value === undefined ? undefined : value ? 'on' : 'off';
    const fields = {
      vlan: options.vlan,
      vlanQoS: options.vlanQos,
      spoofchk: onOff(options.spoofCheck),
      trust: onOff(options.trust),
      link_state: options.linkState?.value,
      min_tx_rate: options.minTxRate,
      max_tx_rate: options.maxTxRate,
    };
    return Cni.plugin(options, 'sriov', fields, resourceName);
  }

  /**
   * A network of its own over all nodes, by OVN-Kubernetes. The attachment's metadata must say its namespace.
   *
   * @param options subnets and MTU
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   metadata: { namespace: 'shop' },
   *   config: Cni.ovnLayer2({ subnets: ['10.100.0.0/24'] }),
   * });
   */
  public static ovnLayer2(options: CniOvnOptions = {}): Cni {
    return Cni.ovn('layer2', options, {});
  }

  /**
   * A physical network of the nodes, by OVN-Kubernetes. The attachment's metadata must say its namespace.
   *
   * @param physicalNetworkName its name in the nodes' bridge mappings
   * @param options VLAN, subnets and MTU
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   metadata: { namespace: 'shop' },
   *   config: Cni.ovnLocalnet('physnet', { vlan: 20 }),
   * });
   */
  public static ovnLocalnet(physicalNetworkName: string, options: CniLocalnetOptions = {}): Cni {
    return Cni.ovn('localnet', options, { physicalNetworkName, vlanID: options.vlan });
  }

  /**
   * Several plugins, each working on what the ones before it made. The name and version are those of the whole.
   *
   * @param plugins plugins, which are called in this order
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.chain([Cni.bridge('br1'), Cni.raw({ type: 'tuning' })]),
   * });
   */
  public static chain(plugins: Cni[]): Cni {
    const resourceName = plugins.find((plugin) => plugin.resourceName !== undefined)?.resourceName;
    return new Cni(
      resourceName,
      plugins.some(({ isPlaced }) => isPlaced),
      (name, namespace) => ({
        cniVersion: CNI_VERSION,
        name,
        plugins: plugins.map((plugin) => {
          const { cniVersion: _version, name: _name, ...own } = plugin.config(name, namespace);
          return own;
        }),
      }),
    );
  }

  /**
   * As the plugin reads it; `cniVersion` and `name` are added when they are missing.
   *
   * @param config configuration as the plugin reads it
   * @param options resource of the device plugin
   * @example
   * new NetworkAttachment(chart, 'lan', {
   *   config: Cni.raw({ cniVersion: '1.0.0', type: 'bridge', bridge: 'br1' }),
   * });
   */
  public static raw(config: { readonly [field: string]: unknown }, options: CniRawOptions = {}): Cni {
    return new Cni(options.resourceName, false, (name) => ({ cniVersion: CNI_VERSION, name, ...config }));
  }

  private static plugin({ cniVersion, ipam }: CniOptions, type: string, fields: Config, resourceName?: string): Cni {
    return new Cni(resourceName, false, (name) =>
      defined({ cniVersion: cniVersion ?? CNI_VERSION, name, type, ...fields, ipam: ipam?._render() }),
    );
  }

  private static ovn(topology: string, options: CniOvnOptions, fields: Config): Cni {
    return new Cni(undefined, true, (name, namespace) =>
      defined({
        cniVersion: options.cniVersion ?? CNI_VERSION,
        name: options.networkName ?? name,
        type: 'ovn-k8s-cni-overlay',
        topology,
        ...fields,
        subnets: options.subnets?.join(','),
        excludeSubnets: options.excludeSubnets?.join(','),
        mtu: options.mtu,
        allowPersistentIPs: options.allowPersistentIps,
        netAttachDefName: `${namespace}/${name}`,
      }),
    );
  }

  private constructor(
    /** Pool of devices that each Pod on the network asks for. */
    public readonly resourceName: string | undefined,
    private readonly isPlaced: boolean,
    private readonly config: (name: string, namespace: string | undefined) => Config,
  ) {}

  /** Can it be rendered only with a namespace? @internal */
  public _needsNamespace(): boolean {
    return this.isPlaced;
  }

  /** The same text for the same attachment, always. @internal */
  public _render(attachment: { readonly name: string }): string {
    return JSON.stringify(this.config(attachment.name, namespaceOf(attachment)));
  }
}
