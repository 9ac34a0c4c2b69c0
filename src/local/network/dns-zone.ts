import type { EndpointSlice, Service } from '../core-v1';
import { reverseName } from './dns-message';
import type { Answer } from './dns-message';
import { slicesOf } from './service-table';

/** Names of a cluster according to Kubernetes' DNS specification 1.1.0. Pure. */
export interface Zone {
  /** Records by name. A name without records of the requested type still exists. */
  lookup(name: string): readonly Answer[] | undefined;
  /** Whether the name is in the cluster's domain: then it is not forwarded. */
  owns(name: string): boolean;
}

export function zoneOf(domain: string, services: readonly Service[], slices: readonly EndpointSlice[]): Zone {
  const names = new Map<string, Answer[]>();
  const add = (answer: Answer): void => {
    const list = names.get(answer.name);
    if (!list) names.set(answer.name, [answer]);
    else if (!list.some((known) => JSON.stringify(known) === JSON.stringify(answer))) list.push(answer);
  };
  for (const service of services) addService(service, slicesOf(service, slices), domain, add);
  // an empty name above an existing one exists too: NoError instead of NXDomain
  const parents = new Set<string>();
  for (const name of names.keys()) {
    for (let parent = name; parent.endsWith(domain) && parent !== domain;) {
      parent = parent.slice(parent.indexOf('.') + 1);
      parents.add(parent);
    }
  }
  return {
    lookup: (name) => names.get(name) ?? (parents.has(name) || name === domain ? [] : podName(name, domain)),
    owns: (name) => name === domain || name.endsWith(`.${domain}`) || names.has(name),
  };
}

function addService(
  { metadata, spec = {} }: Service,
  slices: readonly EndpointSlice[],
  domain: string,
  add: (answer: Answer) => void,
): void {
  const base = `${metadata.name}.${metadata.namespace}.svc.${domain}`;
  if (spec.type === 'ExternalName') {
    if (spec.externalName) add({ type: 'CNAME', name: base, value: spec.externalName });
    return;
  }
  const addresses = (spec.clusterIPs?.length ? spec.clusterIPs : [spec.clusterIP ?? '']).filter(Boolean);
  if (addresses.some((address) => address !== 'None')) {
    for (const value of addresses) {
      add({ type: value.includes(':') ? 'AAAA' : 'A', name: base, value });
      add({ type: 'PTR', name: reverseName(value), value: base });
    }
    for (const { name, protocol = 'TCP', port } of spec.ports ?? []) {
      if (name) add({ type: 'SRV', name: `_${name}._${protocol.toLowerCase()}.${base}`, value: base, port });
    }
    return;
  }
  for (const { endpoints: given, ports: givenPorts, addressType } of slices) {
    // Kubernetes writes null for empty lists.
    const endpoints = given ?? [];
    const ports = givenPorts ?? [];
    for (const { addresses: list, conditions, hostname } of endpoints) {
      if (conditions?.ready === false && !spec.publishNotReadyAddresses) continue;
      for (const value of list) {
        const type = addressType === 'IPv6' ? 'AAAA' : 'A';
        const own = `${hostname ?? value.replace(/[.:]/g, '-')}.${base}`;
        add({ type, name: base, value });
        add({ type, name: own, value });
        if (hostname) add({ type: 'PTR', name: reverseName(value), value: own });
        for (const { name, protocol = 'TCP', port } of ports) {
          if (name && port) add({ type: 'SRV', name: `_${name}._${protocol.toLowerCase()}.${base}`, value: own, port });
        }
      }
    }
  }
}

/** Parses `10-77-0-5.<namespace>.pod.<domain>`, a name that contains the address. */
function podName(name: string, domain: string): Answer[] | undefined {
  if (!name.endsWith(`.pod.${domain}`)) return undefined;
  const [address = ''] = name.split('.');
  const ipv4 = address.replaceAll('-', '.');
  if (/^(\d{1,3}\.){3}\d{1,3}$/.test(ipv4) && ipv4.split('.').every((part) => Number(part) < 256)) {
    return [{ type: 'A', name, value: ipv4 }];
  }
  const ipv6 = address.replaceAll('-', ':');
  return /^[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}$/.test(ipv6) ? [{ type: 'AAAA', name, value: ipv6 }] : undefined;
}
