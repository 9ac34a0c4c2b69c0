import { createHash } from 'node:crypto';
import type { ClusterConfig } from '../../../api/cluster-config';
import type { Interface, Network, VirtualMachineInstance } from '../../../api';
import { qualified } from './input';
import type { RenderInput } from './input';
import { unknownPlugin } from './sidecars';

const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

/** Name of each secondary network's interface in the Pod. */
export type InterfaceNames = (network: string) => string;

/** Annotations that describe the guest's networks to Multus, CNI-Genie and Istio. */
export function networkAnnotations({ vmi, config }: RenderInput): Record<string, string> {
  const { interfaces = [] } = vmi.spec.domain.devices;
  const networks = vmi.spec.networks ?? [];
  const plugged = interfaces.filter(({ state }) => state !== 'absent');
  const attached = plugged.flatMap(({ name }) => networks.find((network) => network.name === name) ?? []);
  const multus = multusNetworks(vmi, config, plugged, attached, named(attached, hashedName));
  const main = networks.find((network) => network.multus?.default)?.multus?.networkName;
  const genie = networks.flatMap((network) => (network.genie ? [network.genie.networkName] : []));
  return {
    ...(multus && { [NETWORKS]: multus }),
    ...(main && { 'v1.multus-cni.io/default-network': main }),
    // KubeVirt removed Genie; it cannot be combined with Multus
    ...(!multus && genie.length > 0 && { cni: genie.join(',') }),
    ...(interfaces.some(({ masquerade }) => masquerade) && {
      'istio.io/reroute-virtual-interfaces': 'k6t-eth0',
      'traffic.sidecar.istio.io/kubevirtInterfaces': 'k6t-eth0',
    }),
  };
}

/**
 * A guest that was started with numbered interface names keeps them in a migration, because its domain refers to them.
 * `status` is Multus' annotation `k8s.v1.cni.cncf.io/network-status` of the source Pod.
 */
export function migrationNetworkAnnotation(
  { vmi, config }: RenderInput,
  status: string | undefined,
): Record<string, string> {
  if (config.hasGate('PodSecondaryInterfaceNamingUpgrade') || !hasNumberedNames(status)) return {};
  const networks = vmi.spec.networks ?? [];
  const secondary = networks.filter(isSecondary).map(({ name }) => name);
  const numbered = named(networks, (name) => `net${secondary.indexOf(name) + 1}`);
  const { interfaces = [] } = vmi.spec.domain.devices;
  return { [NETWORKS]: multusNetworks(vmi, config, interfaces, networks, numbered) ?? '' };
}

function hasNumberedNames(status: string | undefined): boolean {
  try {
    const found: unknown = JSON.parse(status ?? '[]');
    return Array.isArray(found) && found.some((entry) => /^net\d+$/.test(String(entry?.interface)));
  } catch {
    return false;
  }
}

/** Multus' list of networks, in the given order. @throws when a binding plugin is not in the configuration */
function multusNetworks(
  vmi: VirtualMachineInstance,
  config: ClusterConfig,
  interfaces: readonly Interface[],
  networks: readonly Network[],
  nameOf: InterfaceNames,
): string | undefined {
  const elements = networks.flatMap((network) => {
    const device = interfaces.find(({ name }) => name === network.name);
    const own = isSecondary(network) && network.multus ? [element(vmi, network.multus.networkName)] : [];
    return [
      ...own.map((base) => ({
        ...base,
        ...(device?.macAddress && { mac: device.macAddress }),
        interface: nameOf(network.name),
      })),
      ...(device?.binding ? pluginNetwork(vmi, config, device.binding.name, network.name) : []),
    ];
  });
  return elements.length > 0 ? JSON.stringify(elements) : undefined;
}

/** The main network keeps the name of every Pod's main interface, even if another network claims to be the main one. */
function named(networks: readonly Network[], secondary: InterfaceNames): InterfaceNames {
  const main = networks.find(({ pod, multus }) => pod || multus?.default)?.name;
  return (network) => (network === main ? 'eth0' : secondary(network));
}

const isSecondary = ({ multus }: Network): boolean => multus !== undefined && !multus.default;

function element(vmi: VirtualMachineInstance, networkName: string): { name: string; namespace: string } {
  const [namespace, name] = qualified(networkName, vmi);
  return { name, namespace };
}

/** Network of a binding plugin's CNI, with the name of the guest's network that it serves. */
function pluginNetwork(
  vmi: VirtualMachineInstance,
  { networkBindings }: ClusterConfig,
  pluginName: string,
  network: string,
): object[] {
  const plugin = networkBindings[pluginName];
  if (!plugin) throw new Error(unknownPlugin(pluginName, Object.keys(networkBindings)));
  const definition = plugin.networkAttachmentDefinition;
  return definition ? [{ ...element(vmi, definition), 'cni-args': { logicNetworkName: network } }] : [];
}

/** Derived from the network's name; leaves room for `-nic` in the kernel's 15 characters. */
const hashedName: InterfaceNames = (network) => `pod${createHash('sha256').update(network).digest('hex').slice(0, 11)}`;
