import { validateNetwork, type NetworkSource } from '../../api/cloud-init/network';
import { root } from '../../api/findings';
import { Choice } from '../choice';
import { mistakeInCode } from '../validation';
import type { CloudNetworkItem } from './cloud-network-v1';
import { refuse } from './mistakes';
import { locateInV2, renderV2 } from './render-network';
import type { CloudNetworkV2Props } from './cloud-network-v2';

/** Format of a network configuration. */
export class CloudNetworkFormat extends Choice {
  /** Version 1 or 2 of cloud-init's format. */
  public static readonly CLOUD_INIT = new CloudNetworkFormat('cloud-init');
  /** Netplan's format: version 2 with keys that only netplan supports. */
  public static readonly NETPLAN = new CloudNetworkFormat('netplan');
  /** OpenStack's `network_data.json`. */
  public static readonly OPENSTACK = new CloudNetworkFormat('openstack');
}

/**
 * Network configuration of the guest, which cloud-init applies before everything else. Without it, the first interface
 * uses DHCP.
 *
 * The NoCloud data source reads versions 1 and 2; ConfigDrive reads OpenStack's format. A configuration that
 * cloud-init's schema rejects is an error that lists all mistakes.
 */
export class CloudNetwork {
  /**
   * Creates a configuration of version 2, which resembles netplan's files. cloud-init converts it for every
   * distribution.
   *
   * @param props interfaces, bonds, bridges and VLANs
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v2({ ethernets: { enp1s0: { dhcp4: true } } }),
   *   }),
   * });
   */
  public static v2(props: CloudNetworkV2Props): CloudNetwork {
    const config = renderV2(props);
    refuse('CloudNetwork.v2', validateNetwork(config, root, 'NoCloud'), locateInV2);
    return new CloudNetwork(config, CloudNetworkFormat.CLOUD_INIT);
  }

  /**
   * Creates a configuration of version 1: a list of devices, name servers and routes.
   *
   * @param items interfaces, routes and DNS servers
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.v1(CloudNetworkItem.physical('enp1s0', { subnets: [CloudSubnet.dhcp4()] })),
   *   }),
   * });
   */
  public static v1(...items: CloudNetworkItem[]): CloudNetwork {
    const config = { version: 1, config: items.map((item) => item._render()) };
    const locate = (path: { parts: readonly (string | number)[] }): string => `items${pathText(path.parts.slice(1))}`;
    refuse('CloudNetwork.v1', validateNetwork(config, root, 'NoCloud'), locate);
    return new CloudNetwork(config, CloudNetworkFormat.CLOUD_INIT);
  }

  /**
   * Uses a configuration of version 1 or 2 as it is written in YAML. It is validated against cloud-init's schema.
   *
   * @param config configuration as cloud-init reads it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.raw({ version: 2, ethernets: { enp1s0: { dhcp4: true } } }),
   *   }),
   * });
   */
  public static raw(config: { readonly [key: string]: unknown }): CloudNetwork {
    refuse('CloudNetwork.raw', validateNetwork(config, root, 'NoCloud'));
    return new CloudNetwork({ ...config }, CloudNetworkFormat.CLOUD_INIT);
  }

  /**
   * Uses a configuration of version 2 for a guest with netplan, such as Ubuntu. cloud-init passes it to netplan
   * unchanged, so it may contain keys that cloud-init's schema does not know. It is not validated.
   *
   * @param config configuration as netplan reads it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     networkConfig: CloudNetwork.netplan({ version: 2, ethernets: { enp1s0: { dhcp4: true } } }),
   *   }),
   * });
   */
  public static netplan(config: { readonly [key: string]: unknown }): CloudNetwork {
    if (config.version !== 2) {
      mistakeInCode('CloudNetwork.netplan', 'version', 'must be 2', 'add version: 2', 'cloud-network-version');
    }
    return new CloudNetwork({ ...config }, CloudNetworkFormat.NETPLAN);
  }

  /**
   * Uses OpenStack's `network_data.json`, with its lists `links`, `networks` and `services`. For
   * `CloudInit.configDrive`.
   *
   * @param config configuration as OpenStack writes it (`network_data.json`)
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.configDrive({
   *     networkConfig: CloudNetwork.openStack({
   *       links: [{ id: 'enp1s0', type: 'phy' }],
   *       networks: [{ id: 'lan', link: 'enp1s0', type: 'ipv4_dhcp' }],
   *     }),
   *   }),
   * });
   */
  public static openStack(config: { readonly [key: string]: unknown }): CloudNetwork {
    refuse('CloudNetwork.openStack', validateNetwork(config, root, 'ConfigDrive'));
    return new CloudNetwork({ ...config }, CloudNetworkFormat.OPENSTACK);
  }

  private constructor(
    private readonly config: Record<string, unknown>,
    /** Format of the configuration. */
    public readonly format: CloudNetworkFormat,
  ) {}

  /** Returns the document. @internal */
  public _render(): Record<string, unknown> {
    return this.config;
  }

  /** @internal */
  public _source(): NetworkSource {
    return this.format === CloudNetworkFormat.OPENSTACK ? 'ConfigDrive' : 'NoCloud';
  }
}

const pathText = (parts: readonly (string | number)[]): string =>
  parts.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
