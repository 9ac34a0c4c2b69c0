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

/** Version of the CNI specification that every plugin below supports. */
const CNI_VERSION = '0.3.1';

type Config = { readonly [field: string]: unknown };

/** Configuration of a network, as plugins of the Container Network Interface (CNI) read it. */
export class Cni {
  /**
   * Attaches to a Linux bridge on the nodes. The bridge is created if it does not exist; to reach other nodes, give it
   * an uplink.
   *
   * @param bridge name of the bridge on the nodes, such as `br1`
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
   * Creates interfaces with their own MAC addresses on a network card of the nodes. A guest behind the bridge binding
   * receives no answers, since the card knows only the Pod's address: use a binding plugin or MacvlanMode.PASSTHRU.
   *
   * @param master network card, such as `eth1`
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
   * Creates interfaces that share the MAC address of a network card of the nodes. For binding plugins: a guest behind
   * the bridge binding receives no answers.
   *
   * @param master network card, such as `eth1`
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
   * Attaches to an Open vSwitch bridge on the nodes, through ovs-cni.
   *
   * @param bridge name of the bridge on the nodes
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
   * Assigns virtual functions of SR-IOV cards. For `VmNetwork.sriov`.
   *
   * @param resourceName resource of the device plugin, such as `example.com/sriov_net`
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
   * Creates an isolated network across all nodes, with OVN-Kubernetes. The attachment must have a namespace.
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
   * Attaches to a physical network of the nodes, with OVN-Kubernetes. The attachment must have a namespace.
   *
   * @param physicalNetworkName name of the network in the nodes' bridge mappings
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
   * Combines several plugins. Each one works on the result of the previous ones. Name and version are set once for the
   * whole chain.
   *
   * @param plugins plugins, in the order in which they are called
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
   * Uses a configuration as the plugin reads it. `cniVersion` and `name` are added if they are missing.
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
    /** Resource of the device plugin that each Pod on the network requests. */
    public readonly resourceName: string | undefined,
    private readonly isPlaced: boolean,
    private readonly config: (name: string, namespace: string | undefined) => Config,
  ) {}

  /** Returns whether the configuration can be rendered only with a namespace. @internal */
  public _needsNamespace(): boolean {
    return this.isPlaced;
  }

  /** Renders the configuration. The same attachment always gives the same text. @internal */
  public _render(attachment: { readonly name: string }): string {
    return JSON.stringify(this.config(attachment.name, namespaceOf(attachment)));
  }
}
