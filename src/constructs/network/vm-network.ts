import type { DHCPOptions, Interface, Network } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import { nameOf, namespaceOf } from '../storage/reference';
import type { DhcpOptions, VmNetworkOptions } from './nic';
import { VmBinding } from './vm-binding';
import type { VmPort, VmPortRange } from './vm-port';

/** What an interface on the Pod's network takes. */
export interface PodNetworkOptions extends VmNetworkOptions {
  /**
   * Ports on which the guest listens. Behind NAT these are the only ones that are forwarded; the other bindings open
   * all, and the list is for readers. Names and target ports count, the numbers that Services show do not.
   * @default - all
   */
  readonly ports?: VmPort[];
  /**
   * Range that the guest is in behind NAT: an IPv4 network such as `10.0.2.0/24`.
   * @default - 10.0.2.0/24
   */
  readonly vmNetworkCidr?: string;
  /**
   * The same for IPv6.
   * @default - fd10:0:2::/120
   */
  readonly vmIpv6NetworkCidr?: string;
}

/** What an interface behind NAT takes. */
export interface MasqueradeOptions extends PodNetworkOptions {
  /**
   * Ranges of ports that are forwarded, instead of `ports`; at most 10. Needs the feature gate PortRangesSpec.
   * @default - all
   */
  readonly portRanges?: VmPortRange[];
}

/** What an interface on a Multus network takes. */
export interface MultusOptions extends VmNetworkOptions {
  /**
   * How the guest reaches the network.
   * @default VmBinding.BRIDGE
   */
  readonly binding?: VmBinding;
  /**
   * The network takes the place of the Pod's own. At most one does, and then there is no Pod network.
   * @default false
   */
  readonly isDefault?: boolean;
}

/** What an interface of a claimed device takes. */
export interface ClaimedNetworkOptions extends VmNetworkOptions {
  /**
   * How the guest gets the device: SR-IOV, or a plugin.
   * @default VmBinding.SRIOV
   */
  readonly binding?: VmBinding;
}

/** What an interface with a binding plugin takes. */
export interface BindingPluginOptions extends PodNetworkOptions {
  /**
   * The network that it attaches to: a NetworkAttachmentDefinition.
   * @default - the Pod network
   */
  readonly attachment?: INamedObject;
}

/**
 * A network that a guest is attached to, with the interface that it sees there. An attachment that tells another kind
 * than NetworkAttachmentDefinition is refused.
 */
export class VmNetwork {
  /**
   * The Pod's network behind NAT: the guest has a private address, the Pod's address leads to it.
   *
   * @param options open ports, addresses, and how the guest sees the interface
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.masquerade({ ports: [VmPort.HTTP] })],
   * });
   */
  public static masquerade(options: MasqueradeOptions = {}): VmNetwork {
    const ranges = options.portRanges?.map(({ protocol, start, end }) => ({ protocol: protocol.value, start, end }));
    const more = ranges ? { portRanges: ranges } : {};
    return onPod({ ...VmBinding.MASQUERADE._render(), ...more }, options);
  }

  /**
   * The Pod's network itself: the guest takes over the Pod's address. Such a VM does not migrate.
   *
   * @param options how the guest sees the interface
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.bridge()],
   * });
   */
  public static bridge(options: PodNetworkOptions = {}): VmNetwork {
    return onPod(VmBinding.BRIDGE._render(), options);
  }

  /**
   * The Pod's network through passt: the guest has the Pod's address, and nothing in the Pod needs privileges.
   *
   * @param options how the guest sees the interface
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.passt()],
   * });
   */
  public static passt(options: PodNetworkOptions = {}): VmNetwork {
    return onPod(VmBinding.PASST._render(), options);
  }

  /**
   * The Pod's network through QEMU's user-mode networking: slow, outgoing mostly. KubeVirt gave it up; virt8s serves it
   * where the KubeVirt object says `permitSlirpInterface`.
   *
   * @param options how the guest sees the interface
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.slirp()],
   * });
   */
  public static slirp(options: PodNetworkOptions = {}): VmNetwork {
    return onPod(VmBinding.SLIRP._render(), options);
  }

  /**
   * What the platform attaches to a guest that names no networks: the Pod's network, as the KubeVirt object says
   * (`spec.configuration.network.defaultNetworkInterface`, by default a bridge, which does not migrate). It is the only
   * one of its guest.
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.platform()],
   * });
   */
  public static platform(): VmNetwork {
    return PLATFORM;
  }

  /**
   * A further network by Multus.
   *
   * @param attachment the NetworkAttachmentDefinition: a `NetworkAttachment`, or anything whose name is `name` (in the
   * VM's namespace) or `namespace/name`
   * @param options binding, and how the guest sees the interface
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.masquerade(), VmNetwork.multus({ name: 'lan' })],
   * });
   */
  public static multus(attachment: INamedObject, options: MultusOptions = {}): VmNetwork {
    const networkName = referenceTo(attachment);
    return VmNetwork._make(
      networkName.slice(networkName.indexOf('/') + 1),
      (options.binding ?? VmBinding.BRIDGE)._render(),
      { multus: { networkName, ...(options.isDefault === undefined ? {} : { default: options.isDefault }) } },
      options,
    );
  }

  /**
   * A virtual function of an SR-IOV card, by Multus.
   *
   * @param attachment the NetworkAttachmentDefinition; its annotation `k8s.v1.cni.cncf.io/resourceName` says from which
   * pool of devices the function is
   * @param options how the guest sees the interface
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.masquerade(), VmNetwork.sriov({ name: 'fast-lan' })],
   * });
   */
  public static sriov(attachment: INamedObject, options: VmNetworkOptions = {}): VmNetwork {
    return VmNetwork.multus(attachment, { ...options, binding: VmBinding.SRIOV });
  }

  /**
   * A network through a binding plugin: the Pod's, or that of `attachment`.
   *
   * @param plugin the name under which the KubeVirt object registers it (`spec.configuration.network.binding`)
   * @param options attachment, and how the guest sees the interface
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.binding('passt')],
   * });
   */
  public static binding(plugin: string, options: BindingPluginOptions = {}): VmNetwork {
    const { attachment } = options;
    const binding = VmBinding.plugin(plugin);
    return attachment ? VmNetwork.multus(attachment, { ...options, binding }) : onPod(binding._render(), options);
  }

  /**
   * A network device that a claim of dynamic resource allocation gives. Needs the feature gate NetworkDevicesWithDRA,
   * and no Multus network beside it.
   *
   * @param claim name of the claim in the VM's resource claims
   * @param request name of the request in that claim
   * @param options binding, and how the guest sees the interface
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.masquerade(), VmNetwork.resourceClaim('nic', 'nic-request')],
   *   resourceClaims: [VmResourceClaim.fromTemplate({ name: 'fast-nic' }, { name: 'nic' })],
   * });
   */
  public static resourceClaim(claim: string, request: string, options: ClaimedNetworkOptions = {}): VmNetwork {
    return VmNetwork._make(
      claim,
      (options.binding ?? VmBinding.SRIOV)._render(),
      { resourceClaim: { claimName: claim, requestName: request } },
      options,
    );
  }

  /**
   * A network and a binding as the API writes them, for what no other factory reaches.
   *
   * @param source the network without its name: `{ pod: {} }`
   * @param binding the interface without its name: `{ bridge: {} }`
   * @param options how the guest sees the interface
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.of({ pod: {} }, { masquerade: {} })],
   * });
   */
  public static of(
    source: { readonly [field: string]: unknown },
    binding: { readonly [field: string]: unknown },
    options: VmNetworkOptions = {},
  ): VmNetwork {
    return VmNetwork._make('default', binding, source, options);
  }

  /** @internal */
  public static _make(
    defaultName: string,
    binding: Partial<Interface>,
    source: Partial<Network>,
    options: VmNetworkOptions,
  ): VmNetwork {
    return new VmNetwork(defaultName, binding, source, options);
  }

  /** Name of network and interface. */
  public readonly name: string;

  private constructor(
    defaultName: string,
    private readonly fields: Partial<Interface>,
    private readonly source: Partial<Network>,
    private readonly options: VmNetworkOptions,
  ) {
    this.name = options.name ?? defaultName;
  }

  /** Is it for the platform to attach? Then nothing is rendered. @internal */
  public _isPlatform(): boolean {
    return this === PLATFORM;
  }

  /** @internal */
  public _renderInterface(): Interface {
    const { macAddress, model, bootOrder, pciAddress, acpiIndex, tag, dhcpOptions, linkState } = this.options;
    return {
      name: this.name,
      ...this.fields,
      ...(macAddress === undefined ? {} : { macAddress }),
      ...(model === undefined ? {} : { model: model.value as Interface['model'] }),
      ...(bootOrder === undefined ? {} : { bootOrder }),
      ...(pciAddress === undefined ? {} : { pciAddress }),
      ...(acpiIndex === undefined ? {} : { acpiIndex }),
      ...(tag === undefined ? {} : { tag }),
      ...(dhcpOptions === undefined ? {} : { dhcpOptions: renderDhcp(dhcpOptions) }),
      ...(linkState === undefined ? {} : { state: linkState.value as Interface['state'] }),
    };
  }

  /** @internal */
  public _renderNetwork(): Network {
    return { name: this.name, ...this.source };
  }
}

/** Nothing is rendered of it, so that one does for all guests. */
const PLATFORM = VmNetwork._make('default', {}, {}, {});

/** Bound to the Pod's own network. */
function onPod(binding: Partial<Interface>, options: PodNetworkOptions): VmNetwork {
  const { vmNetworkCidr, vmIpv6NetworkCidr, ports } = options;
  const open = ports?.map(({ targetPort, protocol, name }) => ({
    name,
    port: targetPort,
    protocol: protocol.value as 'TCP',
  }));
  const pod = {
    ...(vmNetworkCidr === undefined ? {} : { vmNetworkCIDR: vmNetworkCidr }),
    ...(vmIpv6NetworkCidr === undefined ? {} : { vmIPv6NetworkCIDR: vmIpv6NetworkCidr }),
  };
  return VmNetwork._make('default', { ...binding, ...(open ? { ports: open } : {}) }, { pod }, options);
}

function renderDhcp({ bootFileName, tftpServerName, ntpServers, privateOptions }: DhcpOptions): DHCPOptions {
  return {
    ...(bootFileName === undefined ? {} : { bootFileName }),
    ...(tftpServerName === undefined ? {} : { tftpServerName }),
    ...(ntpServers === undefined ? {} : { ntpServers: [...ntpServers] }),
    ...(privateOptions === undefined
      ? {}
      : { privateOptions: privateOptions.map(({ option, value }) => ({ option, value })) }),
  };
}

/** `namespace/name` where the namespace is known: the VM may be in another one. */
function referenceTo(attachment: INamedObject): string {
  const kinds = ['NetworkAttachmentDefinition'];
  const name = nameOf('VmNetwork: attachment', attachment, kinds, 'give it a NetworkAttachment');
  const namespace = namespaceOf(attachment);
  return namespace && !name.includes('/') ? `${namespace}/${name}` : name;
}
