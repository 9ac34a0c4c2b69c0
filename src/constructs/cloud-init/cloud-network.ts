import { validateNetwork, type NetworkSource } from '../../api/cloud-init/network';
import { root } from '../../api/findings';
import { Choice } from '../choice';
import { mistakeInCode } from '../validation';
import type { CloudNetworkItem } from './cloud-network-v1';
import { refuse } from './mistakes';
import { locateInV2, renderV2 } from './render-network';
import type { CloudNetworkV2Props } from './cloud-network-v2';

/** Which document a network configuration is. */
export class CloudNetworkFormat extends Choice {
  /** cloud-init's, version 1 or 2. */
  public static readonly CLOUD_INIT = new CloudNetworkFormat('cloud-init');
  /** netplan's: version 2 with keys that only guests with netplan know. */
  public static readonly NETPLAN = new CloudNetworkFormat('netplan');
  /** OpenStack's network_data.json. */
  public static readonly OPENSTACK = new CloudNetworkFormat('openstack');
}

/**
 * How the guest's network is set up, before cloud-init does anything else. Without it, the first interface has DHCP.
 *
 * The NoCloud data source reads versions 1 and 2, ConfigDrive reads OpenStack's format. What cloud-init's schema does not
 * take is refused, all mistakes at once.
 */
export class CloudNetwork {
  /**
   * Version 2, which resembles netplan's files and is rendered for every distribution.
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
   * Version 1: a list of devices, name servers and routes.
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
   * Version 1 or 2 as it is written in YAML; checked by cloud-init's schema.
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
   * Version 2 for a guest that has netplan (Ubuntu), to which cloud-init hands it as it is: it may hold keys that
   * cloud-init's schema does not know, so it is not checked.
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
   * OpenStack's network_data.json, with its lists `links`, `networks` and `services`: for `CloudInit.configDrive`.
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
    /** Which document it is. */
    public readonly format: CloudNetworkFormat,
  ) {}

  /** The document. @internal */
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
