import type { DHCPOptions, Interface, Network } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import { nameOf, namespaceOf } from '../storage/reference';
import type { DhcpOptions, VmNetworkOptions } from './nic';
import { VmBinding } from './vm-binding';
import type { VmPort, VmPortRange } from './vm-port';

/** Options of an interface on the Pod network. */
export interface PodNetworkOptions extends VmNetworkOptions {
  /**
   * Ports on which the guest listens. With NAT, only these are forwarded; other bindings open all ports, and the list
   * is only documentation. Names and target ports are used; the port numbers of Services are not.
   * @default - all ports
   */
  readonly ports?: VmPort[];
  /**
   * IPv4 network of the guest with NAT, such as `10.0.2.0/24`.
   * @default - 10.0.2.0/24
   */
  readonly vmNetworkCidr?: string;
  /**
   * IPv6 network of the guest with NAT.
   * @default - fd10:0:2::/120
   */
  readonly vmIpv6NetworkCidr?: string;
}

/** Options of an interface with NAT. */
export interface MasqueradeOptions extends PodNetworkOptions {
  /**
   * Port ranges that are forwarded, instead of `ports`. At most 10. Requires the feature gate PortRangesSpec.
   * @default - all ports
   */
  readonly portRanges?: VmPortRange[];
}

/** Options of an interface on a Multus network. */
export interface MultusOptions extends VmNetworkOptions {
  /**
   * How the interface is connected to the network.
   * @default VmBinding.BRIDGE
   */
  readonly binding?: VmBinding;
  /**
   * Whether the network replaces the Pod network. At most one network of a VM can, and the VM then has no Pod network.
   * @default false
   */
  readonly isDefault?: boolean;
}

/** Options of an interface for a claimed device. */
export interface ClaimedNetworkOptions extends VmNetworkOptions {
  /**
   * How the guest gets the device: SR-IOV or a plugin.
   * @default VmBinding.SRIOV
   */
  readonly binding?: VmBinding;
}

/** Options of an interface with a binding plugin. */
export interface BindingPluginOptions extends PodNetworkOptions {
  /**
   * NetworkAttachmentDefinition to attach to.
   * @default - the Pod network
   */
  readonly attachment?: INamedObject;
}

/**
 * Network of a guest and the interface that is connected to it. An attachment of another kind than
 * NetworkAttachmentDefinition is rejected.
 */
export class VmNetwork {
  /**
   * Connects to the Pod network through NAT: the guest has a private address and is reached through the Pod's address.
   *
   * @param options open ports, addresses and settings of the interface
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
   * Connects directly to the Pod network: the guest takes over the Pod's address. Such a VM cannot migrate.
   *
   * @param options settings of the interface
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
   * Connects to the Pod network through passt: the guest has the Pod's address, and the Pod needs no privileges.
   *
   * @param options settings of the interface
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
   * Connects to the Pod network through QEMU's user-mode networking, which is slow and mainly for outgoing connections.
   * KubeVirt has removed it; virt8s supports it if the KubeVirt object sets `permitSlirpInterface`.
   *
   * @param options settings of the interface
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
   * Uses the platform's default interface on the Pod network, as a VM without `networks` does. The KubeVirt object
   * configures it (`spec.configuration.network.defaultNetworkInterface`; by default a bridge, which cannot migrate). It
   * must be the guest's only network.
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
   * Attaches an additional network with Multus.
   *
   * @param attachment NetworkAttachmentDefinition: a `NetworkAttachment`, or an object whose name is `name` (in the
   *   VM's namespace) or `namespace/name`
   * @param options binding and settings of the interface
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
   * Attaches a virtual function of an SR-IOV card with Multus.
   *
   * @param attachment NetworkAttachmentDefinition; its annotation `k8s.v1.cni.cncf.io/resourceName` names the device
   *   plugin's resource for the function
   * @param options settings of the interface
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
   * Connects to a network through a binding plugin: the Pod network, or the network of `attachment`.
   *
   * @param plugin name under which the KubeVirt object registers the plugin (`spec.configuration.network.binding`)
   * @param options attachment and settings of the interface
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
   * Attaches a network device from a claim of dynamic resource allocation. Requires the feature gate
   * NetworkDevicesWithDRA. Cannot be combined with Multus networks.
   *
   * @param claim name of the claim in the VM's resource claims
   * @param request name of the request in that claim
   * @param options binding and settings of the interface
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
   * Uses a network and a binding as the API writes them, for settings that no other factory covers.
   *
   * @param source network without its name: `{ pod: {} }`
   * @param binding interface without its name: `{ bridge: {} }`
   * @param options settings of the interface
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

  /** Name of the network and the interface. */
  public readonly name: string;

  private constructor(
    defaultName: string,
    private readonly fields: Partial<Interface>,
    private readonly source: Partial<Network>,
    private readonly options: VmNetworkOptions,
  ) {
    this.name = options.name ?? defaultName;
  }

  /** Returns whether the platform attaches the network; then nothing is rendered. @internal */
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

/** Shared by all guests, since nothing is rendered for it. */
const PLATFORM = VmNetwork._make('default', {}, {}, {});

/** Creates a network with this binding to the Pod network. */
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

/** Returns `namespace/name` if the namespace is known, since the VM may be in another namespace. */
function referenceTo(attachment: INamedObject): string {
  const kinds = ['NetworkAttachmentDefinition'];
  const name = nameOf('VmNetwork: attachment', attachment, kinds, 'give it a NetworkAttachment');
  const namespace = namespaceOf(attachment);
  return namespace && !name.includes('/') ? `${namespace}/${name}` : name;
}
