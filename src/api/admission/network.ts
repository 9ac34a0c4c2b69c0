import { type Finding, named, type Path, text } from '../findings';
import type { ClusterConfig } from '../cluster-config';
import type { Network, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { networkPairs, required } from './dra';
import { duplicates, gateOff, InstanceRule, mistake } from './rule';
import { mistakesOf } from '../mistakes';

/** Network as older manifests may have it. */
export type AnyNetwork = Network & {
  /** CNI-Genie, which KubeVirt no longer supports. */
  readonly genie?: { readonly networkName?: string };
};

/** Returns all networks, including those of CNI-Genie. */
export function networksOf(spec: VirtualMachineInstanceSpec): readonly AnyNetwork[] {
  return spec.networks ?? [];
}

/** Path of the interfaces. */
export const interfacesAt = (at: Path): Path => at.at('domain', 'devices', 'interfaces');

/** At most one network may be the Pod network. */
export const onePodNetwork: InstanceRule = (spec, at) => {
  const networks = networksOf(spec);
  const pods = networks.flatMap(({ pod }, i) => (pod ? [i] : []));
  const defaults = networks.flatMap(({ multus }, i) => (multus?.default ? [i] : []));
  const errors: Finding[] = [];
  if (pods.length > 1) {
    const field = `${at.at('interfaces')}`;
    errors.push(
      ...mistake(
        'pod-network-one',
        at.at('networks', pods[1]),
        text`more than one interface is connected to a pod network in ${named(interfacesAt(at), field)}`,
        text`keep ${at.at('networks', pods[0])} and make the others multus networks`,
        { type: 'FieldValueDuplicate', field },
      ),
    );
  }
  const field = `${at.at('networks')}`;
  if (defaults.length > 1) {
    const message = 'Multus CNI should only have one default network';
    const path = at.at('networks', defaults[1], 'multus', 'default');
    errors.push(...mistake('multus-default-one', path, message, 'keep one default: true', { field }));
  }
  if (pods.length > 0 && defaults.length > 0) {
    const message = 'Pod network cannot be defined when Multus default network is defined';
    const path = at.at('networks', defaults[0], 'multus', 'default');
    errors.push(...mistake('pod-network-one', path, message, 'remove pod, or default: true', { field }));
  }
  return errors;
};

/** A network must have one type: pod, multus or resource claim. */
export const networkSources: InstanceRule = (spec, at) => {
  const networks = networksOf(spec);
  const errors = mistakesOf(networks, (network, i) => {
    const path = at.at('networks', i);
    const { pod, multus, resourceClaim, genie } = network;
    const sources = [pod, multus, resourceClaim, genie].filter(Boolean).length;
    const type = 'FieldValueRequired';
    if (sources === 0) {
      const remedy = 'add pod: {} or multus: {networkName: …}';
      return mistake('network-source', path, 'should have a network type', remedy, { type });
    }
    if (sources === 1) return [];
    return mistake('network-source', path, 'should have only one network type', 'split it into two', { type });
  });
  const nameless = networks.findIndex(
    ({ multus, genie }) => (multus && !multus.networkName) || (genie && !genie.networkName),
  );
  if (nameless < 0) return errors;
  const field = `${at.at('networks', nameless)}`;
  const source = networks[nameless].multus ? 'multus' : 'genie';
  return [
    ...errors,
    ...mistake(
      'network-named',
      at.at('networks', nameless, source, 'networkName'),
      'CNI delegating plugin must have a networkName',
      'write the name of a NetworkAttachmentDefinition',
      { type: 'FieldValueRequired', field },
    ),
  ];
};

export const networksAreUnique: InstanceRule = (spec, at) =>
  mistakesOf(
    duplicates(networksOf(spec), ({ name }) => name),
    ({ key, index }) =>
      mistake(
        'network-name-unique',
        at.at('networks', index, 'name'),
        `Network with name "${key}" already exists, every network must have a unique name`,
        'rename one of them',
        { value: key, type: 'FieldValueDuplicate' },
      ),
  );

/** Each network must have one interface of its name, and each interface one network. */
export const interfacesMatchNetworks: InstanceRule = (spec, at) => {
  const interfaces = spec.domain.devices.interfaces ?? [];
  const networks = networksOf(spec);
  const networkNames = networks.map(({ name }) => name);
  const interfaceNames = interfaces.map(({ name }) => name);
  const [hasNetwork, hasInterface] = [new Set(networkNames), new Set(interfaceNames)];
  const path = interfacesAt(at);
  return [
    ...mistakesOf(networkNames, (name, i) => {
      if (hasInterface.has(name)) return [];
      const own = at.at('networks', i, 'name');
      const remedy = 'add an interface of this name or remove the network';
      return mistake('network-has-interface', own, `${own} '${name}' not found.`, remedy, {
        value: name,
        allowed: interfaceNames,
        type: 'FieldValueRequired',
      });
    }),
    ...mistakesOf(
      duplicates(interfaces, ({ name }) => name),
      ({ key, index }) =>
        mistake(
          'interface-name-unique',
          path.at(index, 'name'),
          'Only one interface can be connected to one specific network',
          'give each interface a network of its own',
          { value: key, type: 'FieldValueDuplicate' },
        ),
    ),
    ...mistakesOf(interfaceNames, (name, i) => {
      if (hasNetwork.has(name)) return [];
      const own = path.at(i, 'name');
      const remedy = 'add a network of this name or rename the interface';
      return mistake('interface-has-network', own, `${own} '${name}' not found.`, remedy, {
        value: name,
        allowed: networkNames,
      });
    }),
  ];
};

/** Validates networks whose devices come from resource claims. */
export const claimedNetworks: InstanceRule = (spec, at, config) => {
  const networks = networksOf(spec);
  const first = networks.findIndex(({ resourceClaim }) => resourceClaim);
  if (first < 0) return [];
  const field = `${at.at('networks')}`;
  const path = at.at('networks', first);
  if (!config.hasGate('NetworkDevicesWithDRA')) {
    const message = 'vmi.spec.networks contains DRA networks but NetworkDevicesWithDRA feature gate is not enabled';
    return gateOff('gate-dra-networks', path, message, 'NetworkDevicesWithDRA', { field });
  }
  if (networks.some(({ multus }) => multus)) {
    const message = 'mixing Multus and DRA resourceClaim networks in the same VMI is not supported';
    return mistake('dra-networks-unmixed', path, message, 'keep one kind', { field });
  }
  return claimsOfNetworks(spec, at);
};

function claimsOfNetworks(spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  const pairs = networkPairs(spec);
  const interfaces = spec.domain.devices.interfaces ?? [];
  // from the last to the first: of several with one name, the first counts
  const byName = new Map(interfaces.map((iface, index) => [iface.name, { iface, index }] as const).reverse());
  return mistakesOf(networksOf(spec), ({ name, resourceClaim }, i) => {
    if (!resourceClaim) return [];
    const { claimName, requestName } = resourceClaim;
    const path = at.at('networks', i);
    const claim = path.at('resourceClaim');
    const errors: Finding[] = [];
    const own = byName.get(name);
    if (own && !own.iface.sriov && !own.iface.binding) {
      const message = `DRA network "${name}" requires an SR-IOV or binding plugin interface`;
      errors.push(
        ...mistake('dra-network-binding', interfacesAt(at).at(own.index), message, 'write sriov: {}', {
          field: `${interfacesAt(at)}`,
        }),
      );
    }
    if (!claimName) errors.push(...required(claim.at('claimName'), 'claimName is required for DRA network'));
    if (!requestName) errors.push(...required(claim.at('requestName'), 'requestName is required for DRA network'));
    if (!claimName || !requestName) return errors;
    if (!known.has(claimName)) {
      const message = `network references resourceClaim "${claimName}" which is not defined in spec.resourceClaims`;
      errors.push(
        ...mistake('resource-claim-named', claim.at('claimName'), message, 'add the claim to resourceClaims', {
          value: claimName,
          allowed: [...known],
          type: 'FieldValueNotFound',
        }),
      );
    }
    const key = `${claimName}/${requestName}`;
    if (pairs.get(key) !== i) {
      const message = `duplicate claimName/requestName combination "${key}"`;
      errors.push(
        ...mistake('claim-request-unique', path, message, 'use another request', {
          value: key,
          type: 'FieldValueDuplicate',
        }),
      );
    }
    return errors;
  });
}

/**
 * Reports bindings that KubeVirt discontinued. virt8s still has slirp, where the platform permits it. Only at creation.
 *
 * @param named path of the spec in KubeVirt's messages
 */
export function discontinuedBindings(
  spec: VirtualMachineInstanceSpec,
  at: Path,
  config: ClusterConfig,
  named = at,
): Finding[] {
  return mistakesOf(spec.domain.devices.interfaces ?? [], (iface, i) => {
    const gone = (binding: string, message: string, remedy: string): Finding[] =>
      mistake('binding-discontinued', interfacesAt(at).at(i, binding), message, remedy, {
        field: `${interfacesAt(named).at(i, binding)}`,
      });
    return [
      ...(iface.slirp && !config.permitSlirp
        ? gone(
            'slirp',
            'Slirp interface support has been discontinued since v1.3',
            'use passtBinding: {} or masquerade: {}, or set spec.configuration.network.permitSlirpInterface: true ' +
              'in the KubeVirt object',
          )
        : []),
      ...(iface.passt
        ? gone('passt', 'Passt network binding has been discontinued since v1.3', 'use passtBinding: {}')
        : []),
      ...(iface.macvtap
        ? gone('macvtap', 'Macvtap network binding has been discontinued since v1.3', 'use bridge: {}')
        : []),
    ];
  });
}
