import type { Interface } from '../../api/generated/kubevirt-v1';

/** How an interface of the guest reaches its network. */
export class VmBinding {
  /** The guest is bridged to the network, or takes over the Pod's address. */
  public static readonly BRIDGE = new VmBinding('bridge', { bridge: {} });
  /** The guest is behind NAT. Pod network only. */
  public static readonly MASQUERADE = new VmBinding('masquerade', { masquerade: {} });
  /** User-mode networking by passt. Pod network only; needs the feature gate PasstBinding, which is on by default. */
  public static readonly PASST = new VmBinding('passt', { passtBinding: {} });
  /** A virtual function of an SR-IOV card. */
  public static readonly SRIOV = new VmBinding('sriov', { sriov: {} });
  /** User-mode networking by QEMU. Pod network only; KubeVirt gave it up, virt8s has it where the platform permits it. */
  public static readonly SLIRP = new VmBinding('slirp', { slirp: {} });

  /**
   * A plugin that the KubeVirt object registers under this name (`spec.configuration.network.binding`).
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
    /** Name of the way, or of the plugin. */
    public readonly name: string,
    private readonly fields: Partial<Interface>,
  ) {}

  /** @internal */
  public _render(): Partial<Interface> {
    return this.fields;
  }
}
