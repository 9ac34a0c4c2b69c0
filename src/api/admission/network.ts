import { isIP } from 'node:net';
import type { ClusterConfig } from '../cluster-config';
import type { FieldError, Path } from '../field-error';
import type { Interface, Network } from '../generated/kubevirt-v1';
import { duplicates, InstanceRule, mistake } from './rule';

/** The in-pod bridge of the masquerade binding has it. */
const RESERVED_MAC = '02:00:00:00:00:00';
const bindings = ['bridge', 'masquerade', 'sriov', 'passtBinding', 'slirp', 'macvtap', 'passt', 'binding'] as const;

const interfacesAt = (at: Path): Path => at.at('domain', 'devices', 'interfaces');

/** Networks and interfaces pair up by name, one to one. */
export const interfacesMatchNetworks: InstanceRule = (spec, at) => {
  const interfaces = spec.domain.devices.interfaces ?? [];
  const networks = spec.networks ?? [];
  const names = networks.map(({ name }) => name);
  const path = interfacesAt(at);
  return [
    ...duplicates(networks, ({ name }) => name).flatMap(({ key, index }) =>
      mistake(
        'network-name-unique',
        at.at('networks', index, 'name'),
        `Network with name "${key}" already exists, every network must have a unique name`,
        'rename one of them',
        { got: key, type: 'FieldValueDuplicate' },
      ),
    ),
    ...duplicates(interfaces, ({ name }) => name).flatMap(({ key, index }) =>
      mistake(
        'interface-name-unique',
        path.at(index, 'name'),
        'Only one interface can be connected to one specific network',
        'give each interface a network of its own',
        { got: key, type: 'FieldValueDuplicate' },
      ),
    ),
    ...interfaces.flatMap(({ name }, i) =>
      names.includes(name)
        ? []
        : mistake(
            'interface-has-network',
            path.at(i, 'name'),
            `${path.at(i, 'name')} '${name}' not found.`,
            'add a network of this name or rename the interface',
            {
              got: name,
              allowed: names,
            },
          ),
    ),
    ...networks.flatMap(({ name }, i) =>
      interfaces.some((iface) => iface.name === name)
        ? []
        : mistake(
            'network-has-interface',
            at.at('networks', i, 'name'),
            `${at.at('networks', i, 'name')} '${name}' not found.`,
            'add an interface of this name or remove the network',
            {
              got: name,
              allowed: interfaces.map((iface) => iface.name),
            },
          ),
    ),
  ];
};

/** What a network is: one of pod, multus, resource claim; at most one pod network. */
export const networkSources: InstanceRule = (spec, at) => {
  const networks = spec.networks ?? [];
  const errors = networks.flatMap((network, i) => {
    const path = at.at('networks', i);
    const sources = [network.pod, network.multus, network.resourceClaim].filter(Boolean).length;
    if (sources === 0) {
      return mistake('network-source', path, 'should have a network type', 'add pod: {} or multus: {networkName: …}', {
        type: 'FieldValueRequired',
      });
    }
    if (sources > 1)
      return mistake('network-source', path, 'should have only one network type', 'split it into two networks');
    if (network.multus && !network.multus.networkName) {
      return mistake(
        'multus-name',
        path.at('multus', 'networkName'),
        'CNI delegating plugin must have a networkName',
        'name the NetworkAttachmentDefinition',
        {
          type: 'FieldValueRequired',
        },
      );
    }
    return networkName(network.name, path.at('name'));
  });
  const pods = networks.flatMap((network, i) => (network.pod || network.multus?.default ? [i] : []));
  if (pods.length > 1) {
    errors.push(
      ...mistake(
        'pod-network-one',
        interfacesAt(at),
        `more than one interface is connected to a pod network in ${interfacesAt(at)}`,
        `keep ${at.at('networks', pods[0])} and make the others multus networks`,
        { type: 'FieldValueDuplicate' },
      ),
    );
  }
  return errors;
};

function networkName(name: string, at: Path): FieldError[] {
  if (/^[A-Za-z0-9_-]{1,63}$/.test(name)) return [];
  const message =
    'Network interface name can only contain alphabetical characters, numbers, dashes (-) or underscores (_)';
  return mistake('network-name', at, message, 'rename network and interface', { got: name });
}

/** How an interface is bound to its network. */
export const interfaceBindings: InstanceRule = (spec, at, config) =>
  (spec.domain.devices.interfaces ?? []).flatMap((iface, i) => {
    const path = interfacesAt(at).at(i);
    const network = spec.networks?.find(({ name }) => name === iface.name);
    const used = bindings.filter((binding) => iface[binding]);
    if (iface.state === 'absent' && used.length === 0) return [];
    if (used.length > 1) {
      return mistake(
        'interface-one-binding',
        path,
        `logical ${iface.name} interface cannot have more than one binding`,
        `keep one of ${used.join(', ')}`,
      );
    }
    if (used.length === 0) {
      return mistake(
        'interface-has-binding',
        path,
        `logical ${iface.name} interface has no binding`,
        'add masquerade: {} for the pod network, bridge: {} for others',
        {
          allowed: [...bindings.filter((b) => !['slirp', 'macvtap', 'passt'].includes(b))],
          type: 'FieldValueRequired',
        },
      );
    }
    return bindingFits(iface, used[0], network, path, config);
  });

function bindingFits(
  iface: Interface,
  binding: (typeof bindings)[number],
  network: Network | undefined,
  path: Path,
  config: ClusterConfig,
): FieldError[] {
  const podOnly = (name: string): FieldError[] =>
    network && !network.pod
      ? mistake(
          `${binding.toLowerCase()}-pod-network`,
          path.at('name'),
          `${name} interface only implemented with pod network`,
          'use bridge: {} here, or a pod network',
          { got: iface.name },
        )
      : [];
  switch (binding) {
    case 'masquerade':
      return [
        ...podOnly('Masquerade'),
        ...(iface.macAddress?.toLowerCase() === RESERVED_MAC
          ? mistake(
              'mac-reserved',
              path.at('macAddress'),
              'The requested MAC address is reserved for the in-pod bridge. Please choose another one.',
              'choose another one',
              { got: iface.macAddress },
            )
          : []),
      ];
    case 'bridge':
      if (!network?.pod || config.permitBridgeOnPodNetwork) return [];
      return mistake(
        'bridge-permitted',
        path.at('name'),
        'Bridge on pod network configuration is not enabled under kubevirt-config',
        'use masquerade: {}',
        { got: iface.name },
      );
    case 'sriov':
      if (!network || network.multus || network.resourceClaim) return [];
      return mistake(
        'sriov-network',
        path.at('name'),
        'SRIOV interface only implemented with multus network',
        'use a multus network',
        { got: iface.name },
      );
    case 'passtBinding':
      if (!config.hasGate('PasstBinding'))
        return mistake(
          'gate-passt',
          path.at('passtBinding'),
          'PasstBinding feature gate is not enabled',
          'remove PasstBinding from disabledFeatureGates of the KubeVirt object',
        );
      return podOnly('Passt');
    case 'slirp':
      if (config.permitSlirp) return podOnly('Slirp');
      return discontinued(
        'Slirp',
        path.at('slirp'),
        'use masquerade: {}, or set network.permitSlirpInterface in the KubeVirt object',
      );
    case 'macvtap':
      return discontinued(
        'Macvtap',
        path.at('macvtap'),
        'use binding: {name: macvtap} with the plugin registered in the KubeVirt object',
      );
    case 'passt':
      return discontinued('Passt', path.at('passt'), 'use passtBinding: {}');
    case 'binding': {
      const name = iface.binding?.name ?? '';
      if (config.networkBindings[name]) return [];
      return mistake(
        'binding-plugin',
        path.at('binding', 'name'),
        `binding plugin "${name}" is not registered`,
        'register it in spec.configuration.network.binding of the KubeVirt object',
        {
          got: name,
          allowed: Object.keys(config.networkBindings),
        },
      );
    }
  }
}

function discontinued(name: string, at: Path, remedy: string): FieldError[] {
  return mistake('binding-discontinued', at, `${name} interface support has been discontinued since v1.3`, remedy);
}

/** Address ranges that a guest is given behind masquerade. */
export const podNetworkRanges: InstanceRule = (spec, at) =>
  (spec.networks ?? []).flatMap(({ pod }, i) => {
    const path = at.at('networks', i, 'pod');
    return (['vmNetworkCIDR', 'vmIPv6NetworkCIDR'] as const).flatMap((field) => {
      const range = pod?.[field];
      if (!range || isCidr(range, field === 'vmNetworkCIDR' ? 4 : 6)) return [];
      return mistake(
        'pod-network-cidr',
        path.at(field),
        `'${range}' is no address range`,
        field === 'vmNetworkCIDR' ? 'write it like 10.0.2.0/24' : 'write it like fd10:0:2::0/120',
        { got: range },
      );
    });
  });

function isCidr(text: string, family: 4 | 6): boolean {
  const [address, bits, ...rest] = text.split('/');
  const most = family === 4 ? 30 : 126;
  return (
    rest.length === 0 &&
    isIP(address) === family &&
    /^\d+$/.test(bits ?? '') &&
    Number(bits) >= 1 &&
    Number(bits) <= most
  );
}
