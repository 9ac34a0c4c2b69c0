import { Choice } from '../choice';
import { CniIpam } from './cni-ipam';

/** How macvlan lets its interfaces talk with each other. */
export class MacvlanMode extends Choice {
  /** As on one switch. */
  public static readonly BRIDGE = MacvlanMode.of('bridge');
  /** Not at all. */
  public static readonly PRIVATE = MacvlanMode.of('private');
  /** By the switch outside, which must reflect frames. */
  public static readonly VEPA = MacvlanMode.of('vepa');
  /** There is one interface only, which has the card to itself. */
  public static readonly PASSTHRU = MacvlanMode.of('passthru');

  /**
   * Another one that the plugin knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): MacvlanMode {
    return new MacvlanMode(value);
  }
}

/** On which layer ipvlan forwards. */
export class IpvlanMode extends Choice {
  /** By MAC address, as a switch. */
  public static readonly L2 = IpvlanMode.of('l2');
  /** By IP address, as a router. */
  public static readonly L3 = IpvlanMode.of('l3');
  /** The same with the node's connection tracking. */
  public static readonly L3S = IpvlanMode.of('l3s');

  /**
   * Another one that the plugin knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): IpvlanMode {
    return new IpvlanMode(value);
  }
}

/** Link of a virtual function. */
export class SriovLinkState extends Choice {
  /** As that of the card. */
  public static readonly AUTO = SriovLinkState.of('auto');
  /** Up. */
  public static readonly ENABLE = SriovLinkState.of('enable');
  /** Down. */
  public static readonly DISABLE = SriovLinkState.of('disable');

  /**
   * Another one that the plugin knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): SriovLinkState {
    return new SriovLinkState(value);
  }
}

/** What most CNI plugins take. */
export interface CniOptions {
  /**
   * Who gives addresses.
   * @default - nobody
   */
  readonly ipam?: CniIpam;
  /**
   * Version of the CNI specification that the configuration is in.
   * @default 0.3.1
   */
  readonly cniVersion?: string;
}

/** What plugins take whose interfaces have a packet size. */
export interface CniLinkOptions extends CniOptions {
  /**
   * Largest packet, in bytes.
   * @default - the kernel's
   */
  readonly mtu?: number;
}

/** What a bridge of the nodes takes. */
export interface CniBridgeOptions extends CniLinkOptions {
  /**
   * VLAN of the port on the bridge, 1 to 4094; the guest does not see the tag.
   * @default - none
   */
  readonly vlan?: number;
  /**
   * VLANs that the guest may use by tagging its frames itself, 1 to 4094 each.
   * @default - none
   */
  readonly vlanTrunk?: number[];
  /**
   * Whether the port also keeps the bridge's own VLAN beside `vlan`.
   * @default true
   */
  readonly preserveDefaultVlan?: boolean;
  /**
   * Frames with another sender than the interface's MAC address are dropped.
   * @default false
   */
  readonly macSpoofCheck?: boolean;
  /**
   * Ports of guests do not reach each other, only the uplink.
   * @default false
   */
  readonly portIsolation?: boolean;
  /**
   * The bridge has the first address of `ipam` and is the Pods' gateway.
   * @default false
   */
  readonly isGateway?: boolean;
  /**
   * What leaves the network is sent in the node's name. Needs `isGateway`.
   * @default false
   */
  readonly ipMasquerade?: boolean;
}

/** What macvlan takes. */
export interface CniMacvlanOptions extends CniLinkOptions {
  /**
   * How the interfaces talk with each other.
   * @default MacvlanMode.BRIDGE
   */
  readonly mode?: MacvlanMode;
}

/** What ipvlan takes. */
export interface CniIpvlanOptions extends CniLinkOptions {
  /**
   * On which layer it forwards.
   * @default IpvlanMode.L2
   */
  readonly mode?: IpvlanMode;
}

/** What Open vSwitch takes. */
export interface CniOvsOptions extends CniLinkOptions {
  /**
   * VLAN of the port, 1 to 4094; the guest does not see the tag.
   * @default - none
   */
  readonly vlan?: number;
}

/** What SR-IOV takes. */
export interface CniSriovOptions extends CniOptions {
  /**
   * VLAN of the virtual function, 1 to 4094; the guest does not see the tag.
   * @default - none
   */
  readonly vlan?: number;
  /**
   * Priority in that VLAN, 0 to 7.
   * @default 0
   */
  readonly vlanQos?: number;
  /**
   * Frames with another sender than the function's MAC address are dropped.
   * @default - as the card is set
   */
  readonly spoofCheck?: boolean;
  /**
   * The guest may change the function's MAC address and listen to everything.
   * @default - as the card is set
   */
  readonly trust?: boolean;
  /**
   * Link of the function.
   * @default - as the card is set
   */
  readonly linkState?: SriovLinkState;
  /**
   * Least rate, in Mbit/s.
   * @default - none
   */
  readonly minTxRate?: number;
  /**
   * Greatest rate, in Mbit/s.
   * @default - none
   */
  readonly maxTxRate?: number;
}

/** What an overlay network of OVN-Kubernetes takes. */
export interface CniOvnOptions {
  /**
   * Name of the network: attachments in other namespaces with the same name and settings are the same network.
   * @default - that of the attachment
   */
  readonly networkName?: string;
  /**
   * Networks that addresses are given from: `10.200.0.0/16`.
   * @default - OVN gives no addresses
   */
  readonly subnets?: string[];
  /**
   * Networks in these whose addresses are not given.
   * @default - none
   */
  readonly excludeSubnets?: string[];
  /**
   * Largest packet, in bytes.
   * @default - OVN's
   */
  readonly mtu?: number;
  /**
   * A VM keeps its address over restarts and migrations. Needs `subnets`.
   * @default false
   */
  readonly allowPersistentIps?: boolean;
  /**
   * Version of the CNI specification that the configuration is in.
   * @default 0.3.1
   */
  readonly cniVersion?: string;
}

/** What a physical network behind OVN-Kubernetes takes. */
export interface CniLocalnetOptions extends CniOvnOptions {
  /**
   * VLAN of the physical network, 1 to 4094.
   * @default - none
   */
  readonly vlan?: number;
}

/** What a configuration of one's own takes. */
export interface CniRawOptions {
  /**
   * Pool of devices that a device plugin offers, and that each Pod on the network asks for.
   * @default - none
   */
  readonly resourceName?: string;
}
