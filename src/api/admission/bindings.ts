import type { ClusterConfig } from '../cluster-config';
import { type Finding, ofKubeVirt, type Path, text } from '../findings';
import type { Interface, Network, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { interfacesAt, networksOf } from './network';
import { gateOff, InstanceRule, mistake } from './rule';
import { mistakesOf } from '../mistakes';

/** MAC address of the in-pod bridge of the masquerade binding. */
const RESERVED_MAC = '02:00:00:00:00:00';

const ways = ['bridge', 'masquerade', 'sriov', 'passtBinding', 'binding'] as const;

/** Returns the networks by name. Of several with one name, the last counts. */
export function networksByName(spec: VirtualMachineInstanceSpec): ReadonlyMap<string, Network> {
  return new Map(networksOf(spec).map((network) => [network.name, network]));
}

/** Validates how each interface is bound to its network. */
export const interfaceBindings: InstanceRule = (spec, at, config) => {
  const networks = networksByName(spec);
  return mistakesOf(spec.domain.devices.interfaces ?? [], (iface, i) => {
    const path = interfacesAt(at).at(i);
    const used: string[] = ways.filter((way) => iface[way]);
    if (iface.slirp && config.permitSlirp) used.push('slirp');
    const errors: Finding[] = [];
    if (used.length !== 1) {
      const message = `logical ${iface.name} interface must have exactly one binding method or binding plugin`;
      const remedy = used.length
        ? `keep one of ${used.join(', ')}`
        : 'add masquerade: {} for the pod network, bridge: {} for others';
      errors.push(...mistake('interface-one-binding', path, message, remedy, { value: used, allowed: ways }));
    }
    return [...errors, ...bindingFits(iface, networks.get(iface.name), path, config)];
  });
};

function bindingFits(iface: Interface, network: Network | undefined, path: Path, config: ClusterConfig): Finding[] {
  const name = path.at('name');
  const errors: Finding[] = [];
  const podOnly = (binding: 'masquerade' | 'passtBinding' | 'slirp', title: string): void => {
    if (!iface[binding] || network?.pod) return;
    const message = `${title} interface only implemented with pod network`;
    errors.push(...mistake('pod-network-only', name, message, 'use bridge: {} here, or a pod network'));
  };
  podOnly('masquerade', 'Masquerade');
  if (iface.masquerade && iface.macAddress === RESERVED_MAC) {
    const message = 'The requested MAC address is reserved for the in-pod bridge. Please choose another one.';
    const got = iface.macAddress;
    errors.push(
      ...mistake('mac-reserved', path.at('macAddress'), message, 'choose another address, or leave it out', {
        value: got,
      }),
    );
  }
  if (iface.bridge && network?.pod && !config.permitBridgeOnPodNetwork) {
    const message = 'Bridge on pod network configuration is not enabled under kubevirt-config';
    const permission = ofKubeVirt('network', 'permitBridgeInterfaceOnPodNetwork');
    const remedy = text`use masquerade: {}, or set ${permission}: true in the KubeVirt object`;
    errors.push(...mistake('bridge-pod-network', name, message, remedy));
  }
  if (iface.passtBinding && !config.hasGate('PasstBinding')) {
    errors.push(...gateOff('gate-passt', name, 'PasstBinding feature gate is not enabled', 'PasstBinding'));
  }
  podOnly('passtBinding', 'PasstBinding');
  if (config.permitSlirp) podOnly('slirp', 'Slirp');
  return errors;
}

/** Validates the link state, which some bindings do not support. */
export const interfaceStates: InstanceRule = (spec, at) => {
  const shared = networksOf(spec).find(({ pod, multus }) => pod || multus?.default);
  return mistakesOf(spec.domain.devices.interfaces ?? [], ({ name, state, sriov, bridge }, i) => {
    if (!state) return [];
    const path = interfacesAt(at).at(i, 'state');
    const allowed = ['up', 'down', 'absent'];
    const errors: Finding[] = [];
    const refuse = (message: string, remedy: string): void => {
      errors.push(...mistake('interface-state', path, message, remedy, { value: state, allowed }));
    };
    if (!allowed.includes(state)) {
      refuse(`logical ${name} interface state value is unsupported: ${state}`, 'use an allowed state');
    }
    if (sriov && (state === 'up' || state === 'down')) {
      refuse(`"${name}" interface's state "${state}" is not supported for SR-IOV NICs`, 'leave state out');
    }
    if (state === 'absent' && !bridge) {
      refuse(`"${name}" interface's state "${state}" is supported only for bridge binding`, 'leave state out');
    }
    if (state === 'absent' && shared?.name === name) {
      refuse(`"${name}" interface's state "${state}" is not supported on default networks`, 'leave state out');
    }
    return errors;
  });
};
