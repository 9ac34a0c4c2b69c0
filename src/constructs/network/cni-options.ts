import { Choice } from '../choice';
import { CniIpam } from './cni-ipam';

/** Communication between macvlan interfaces on the same card. */
export class MacvlanMode extends Choice {
  /** Interfaces communicate directly, as on one switch. */
  public static readonly BRIDGE = MacvlanMode.of('bridge');
  /** Interfaces cannot communicate with each other. */
  public static readonly PRIVATE = MacvlanMode.of('private');
  /** Interfaces communicate through the external switch, which must reflect frames. */
  public static readonly VEPA = MacvlanMode.of('vepa');
  /** A single interface, which has the card to itself. */
  public static readonly PASSTHRU = MacvlanMode.of('passthru');

  /**
   * Any other value that the plugin supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): MacvlanMode {
    return new MacvlanMode(value);
  }
}

/** Layer on which ipvlan forwards packets. */
export class IpvlanMode extends Choice {
  /** By MAC address, as a switch does. */
  public static readonly L2 = IpvlanMode.of('l2');
  /** By IP address, as a router does. */
  public static readonly L3 = IpvlanMode.of('l3');
  /** By IP address, with the node's connection tracking. */
  public static readonly L3S = IpvlanMode.of('l3s');

  /**
   * Any other value that the plugin supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): IpvlanMode {
    return new IpvlanMode(value);
  }
}

/** Link state of a virtual function. */
export class SriovLinkState extends Choice {
  /** Link state of the card. */
  public static readonly AUTO = SriovLinkState.of('auto');
  /** Always up. */
  public static readonly ENABLE = SriovLinkState.of('enable');
  /** Always down. */
  public static readonly DISABLE = SriovLinkState.of('disable');

  /**
   * Any other value that the plugin supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): SriovLinkState {
    return new SriovLinkState(value);
  }
}

/** Options that most CNI plugins accept. */
export interface CniOptions {
  /**
   * IP address management.
   * @default - no addresses are assigned
   */
  readonly ipam?: CniIpam;
  /**
   * Version of the CNI specification that the configuration follows.
   * @default 0.3.1
   */
  readonly cniVersion?: string;
}

/** Options of plugins whose interfaces have an MTU. */
export interface CniLinkOptions extends CniOptions {
  /**
   * Maximum transmission unit (MTU), in bytes.
   * @default - the kernel's default
   */
  readonly mtu?: number;
}

/** Options of a bridge on the nodes. */
export interface CniBridgeOptions extends CniLinkOptions {
  /**
   * VLAN of the bridge port, 1 to 4094. The guest does not see the tag.
   * @default - none
   */
  readonly vlan?: number;
  /**
   * VLANs that the guest can use by tagging its frames, 1 to 4094 each.
   * @default - none
   */
  readonly vlanTrunk?: number[];
  /**
   * Whether the port also keeps the bridge's default VLAN in addition to `vlan`.
   * @default true
   */
  readonly preserveDefaultVlan?: boolean;
  /**
   * Whether frames are dropped whose source is not the interface's MAC address.
   * @default false
   */
  readonly macSpoofCheck?: boolean;
  /**
   * Whether guests can reach only the uplink, and not each other.
   * @default false
   */
  readonly portIsolation?: boolean;
  /**
   * Whether the bridge gets the first address of `ipam` and is the Pods' gateway.
   * @default false
   */
  readonly isGateway?: boolean;
  /**
   * Whether packets that leave the network get the node's address as their source. Requires `isGateway`.
   * @default false
   */
  readonly ipMasquerade?: boolean;
}

/** Options of macvlan. */
export interface CniMacvlanOptions extends CniLinkOptions {
  /**
   * How the interfaces communicate with each other.
   * @default MacvlanMode.BRIDGE
   */
  readonly mode?: MacvlanMode;
}

/** Options of ipvlan. */
export interface CniIpvlanOptions extends CniLinkOptions {
  /**
   * Layer on which packets are forwarded.
   * @default IpvlanMode.L2
   */
  readonly mode?: IpvlanMode;
}

/** Options of Open vSwitch. */
export interface CniOvsOptions extends CniLinkOptions {
  /**
   * VLAN of the port, 1 to 4094. The guest does not see the tag.
   * @default - none
   */
  readonly vlan?: number;
}

/** Options of SR-IOV. */
export interface CniSriovOptions extends CniOptions {
  /**
   * VLAN of the virtual function, 1 to 4094. The guest does not see the tag.
   * @default - none
   */
  readonly vlan?: number;
  /**
   * Priority in the VLAN, 0 to 7.
   * @default 0
   */
  readonly vlanQos?: number;
  /**
   * Whether frames are dropped whose source is not the function's MAC address.
   * @default - the card's setting
   */
  readonly spoofCheck?: boolean;
  /**
   * Whether the guest can change the function's MAC address and enable promiscuous mode.
   * @default - the card's setting
   */
  readonly trust?: boolean;
  /**
   * Link state of the function.
   * @default - the card's setting
   */
  readonly linkState?: SriovLinkState;
  /**
   * Minimum transmit rate, in Mbit/s.
   * @default - none
   */
  readonly minTxRate?: number;
  /**
   * Maximum transmit rate, in Mbit/s.
   * @default - none
   */
  readonly maxTxRate?: number;
}

/** Options of an overlay network of OVN-Kubernetes. */
export interface CniOvnOptions {
  /**
   * Name of the network. Attachments in other namespaces with the same name and settings join the same network.
   * @default - the name of the attachment
   */
  readonly networkName?: string;
  /**
   * Subnets from which addresses are assigned: `10.200.0.0/16`.
   * @default - OVN assigns no addresses
   */
  readonly subnets?: string[];
  /**
   * Parts of `subnets` whose addresses are not assigned.
   * @default - none
   */
  readonly excludeSubnets?: string[];
  /**
   * Maximum transmission unit (MTU), in bytes.
   * @default - OVN's default
   */
  readonly mtu?: number;
  /**
   * Whether a VM keeps its address across restarts and migrations. Requires `subnets`.
   * @default false
   */
  readonly allowPersistentIps?: boolean;
  /**
   * Version of the CNI specification that the configuration follows.
   * @default 0.3.1
   */
  readonly cniVersion?: string;
}

/** Options of a physical network behind OVN-Kubernetes. */
export interface CniLocalnetOptions extends CniOvnOptions {
  /**
   * VLAN of the physical network, 1 to 4094.
   * @default - none
   */
  readonly vlan?: number;
}

/** Options of a custom configuration. */
export interface CniRawOptions {
  /**
   * Resource of a device plugin that each Pod on the network requests.
   * @default - none
   */
  readonly resourceName?: string;
}
