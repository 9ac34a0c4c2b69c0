import type { Interface } from '../../api/generated/kubevirt-v1';

/** Connection of a guest's interface to its network. */
export class VmBinding {
  /** Bridge. On the Pod network, the guest takes over the Pod's address. */
  public static readonly BRIDGE = new VmBinding('bridge', { bridge: {} });
  /** NAT. Only for the Pod network. */
  public static readonly MASQUERADE = new VmBinding('masquerade', { masquerade: {} });
  /**
   * User-mode networking with passt. Only for the Pod network. Requires the feature gate PasstBinding, which is on by
   * default.
   */
  public static readonly PASST = new VmBinding('passt', { passtBinding: {} });
  /** Virtual function of an SR-IOV card. */
  public static readonly SRIOV = new VmBinding('sriov', { sriov: {} });
  /**
   * User-mode networking with QEMU. Only for the Pod network. KubeVirt has removed it; virt8s supports it if the
   * platform permits it.
   */
  public static readonly SLIRP = new VmBinding('slirp', { slirp: {} });

  /**
   * Selects a binding plugin that is registered under this name in the KubeVirt object
   * (`spec.configuration.network.binding`).
   *
   * @param name name of the plugin in the KubeVirt object
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.multus({ name: 'lan' }, { binding: VmBinding.plugin('macvtap') })],
   * });
   */
  public static plugin(name: string): VmBinding {
    return new VmBinding(name, { binding: { name } });
  }

  private constructor(
    /** Name of the binding or the plugin. */
    public readonly name: string,
    private readonly fields: Partial<Interface>,
  ) {}

  /** @internal */
  public _render(): Partial<Interface> {
    return this.fields;
  }
}
