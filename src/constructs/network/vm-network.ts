import type { Interface, Network } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { INamedObject } from '../resource';
import { VmPort } from './vm-port';

/** Which network card a guest sees. */
export class NicModel extends Choice {
  /** Fast; needs a virtio driver in the guest, which Linux has. */
  public static readonly VIRTIO = NicModel.of('virtio');
  /** Emulated Intel gigabit: works in Windows without drivers. */
  public static readonly E1000E = NicModel.of('e1000e');
  /** Emulated Intel gigabit, older. */
  public static readonly E1000 = NicModel.of('e1000');

  /** Another one that the platform knows. */
  public static of(value: string): NicModel {
    return new NicModel(value);
  }
}

/** What every interface takes. */
export interface VmNetworkOptions {
  /**
   * Name of network and interface.
   * @default - `default` for the Pod network, else the name of what it attaches to
   */
  readonly name?: string;
  /**
   * Address of the card, such as `02:00:00:12:34:56`.
   * @default - chosen by the platform
   */
  readonly macAddress?: string;
  /**
   * Which card the guest sees.
   * @default NicModel.VIRTIO
   */
  readonly model?: NicModel;
  /**
   * Position in the order in which the firmware tries disks and interfaces, from 1.
   * @default - not tried while something else has an order
   */
  readonly bootOrder?: number;
}

/** What an interface behind NAT takes. */
export interface MasqueradeOptions extends VmNetworkOptions {
  /**
   * The only ports that are forwarded to the guest.
   * @default - all
   */
  readonly ports?: VmPort[];
}

/** A network that a guest is attached to, with the interface that it sees there. */
export class VmNetwork {
  /** The Pod's network behind NAT: the guest has a private address, the Pod's address leads to it. */
  public static masquerade(options: MasqueradeOptions = {}): VmNetwork {
    const ports = options.ports?.map(({ targetPort, protocol, name }) => ({
      name,
      port: targetPort,
      protocol: protocol.value as 'TCP',
    }));
    return new VmNetwork('default', { masquerade: {}, ...(ports ? { ports } : {}) }, { pod: {} }, options);
  }

  /** The Pod's network itself: the guest takes over the Pod's address. Such a VM does not migrate. */
  public static bridge(options: VmNetworkOptions = {}): VmNetwork {
    return new VmNetwork('default', { bridge: {} }, { pod: {} }, options);
  }

  /** A further network by Multus: a NetworkAttachmentDefinition, `name` or `namespace/name`. */
  public static multus(attachment: INamedObject, options: VmNetworkOptions = {}): VmNetwork {
    const name = attachment.name.split('/').pop() as string;
    return new VmNetwork(name, { bridge: {} }, { multus: { networkName: attachment.name } }, options);
  }

  /** Name of network and interface. */
  public readonly name: string;

  private constructor(
    defaultName: string,
    private readonly binding: Partial<Interface>,
    private readonly source: Partial<Network>,
    private readonly options: VmNetworkOptions,
  ) {
    this.name = options.name ?? defaultName;
  }

  /** @internal */
  public _renderInterface(): Interface {
    const { macAddress, model, bootOrder } = this.options;
    return {
      name: this.name,
      ...this.binding,
      ...(macAddress === undefined ? {} : { macAddress }),
      ...(model === undefined ? {} : { model: model.value as Interface['model'] }),
      ...(bootOrder === undefined ? {} : { bootOrder }),
    };
  }

  /** @internal */
  public _renderNetwork(): Network {
    return { name: this.name, ...this.source };
  }
}
