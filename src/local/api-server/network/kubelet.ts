import { errors } from '../errors';
import { Store } from '../store/store';
import { AnyObject, KeyPair } from '../types';
import { Peer } from './https-client';

/** Node addresses in the order in which the API server tries them. */
const ADDRESS_TYPES = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];

/** Returns the address of a node's kubelet. @throws StatusError */
export function kubeletPeer(store: Store, nodeName: string, client: KeyPair, ca: string): Peer {
  const node = store.get({ resource: '/nodes', namespace: '', name: nodeName });
  if (!node) throw errors.internal(`nodes ${JSON.stringify(nodeName)} not found`);
  const addresses: { type: string; address: string }[] = node.status?.addresses ?? [];
  // Names of our nodes need not resolve here: the IP address first.
  const order = ['InternalIP', ...ADDRESS_TYPES];
  const host = order.map((type) => addresses.find((item) => item.type === type)?.address).find(Boolean);
  if (!host) throw errors.internal(`no preferred addresses found; known addresses: []`);
  const port: number = node.status?.daemonEndpoints?.kubeletEndpoint?.Port || 10250;
  return { host, port, ca, ...client };
}

/** Node of a Pod that can be reached. @throws StatusError 400 as Kubernetes words it */
export function requireNode(pod: AnyObject): string {
  const node: string = pod.spec?.nodeName ?? '';
  if (!node) throw errors.badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  return node;
}
