import { selects } from '../../../api/kinds/label-selector';
import type { Labels } from '../../core-v1';
import type { NetworkPolicy, PolicyPeer, PolicyPod, PolicyPort, PolicyType } from './networking-v1';
import { type Addresses, addressesOf, merge, type Range, union, without } from './ranges';

/** Decides which connections of a Pod the policies allow. Pure. */

export type Protocol = 'tcp' | 'udp' | 'sctp';
export type Ports = ReadonlyMap<Protocol, readonly Range[]>;

/** Connections that are allowed. */
export interface Flow {
  /** Addresses at the other end. Default: all. */
  readonly addresses?: Addresses;
  /** Destination ports. Default: all, of every protocol. */
  readonly ports?: Ports;
}

export interface Cluster {
  readonly policies: readonly NetworkPolicy[];
  readonly pods: readonly PolicyPod[];
  /** Labels of the namespaces by name. */
  readonly namespaces: ReadonlyMap<string, Labels>;
  /** Addresses of the DNS server that Pods of this node use. */
  readonly dns: readonly string[];
}

interface Rule {
  readonly ports?: readonly PolicyPort[];
  readonly peers?: readonly PolicyPeer[];
}

/** Pods and networks that a rule allows. */
interface Peers {
  readonly pods: readonly PolicyPod[];
  readonly addresses: Addresses;
}

const ALL_PORTS: Range = { from: 0n, to: 65_535n };

/**
 * The engine's DNS server as policies see it: in most clusters it is a Pod with these labels, and policies that allow
 * DNS select them.
 */
const dnsPod = (addresses: readonly string[]): PolicyPod => ({
  uid: '',
  namespace: 'kube-system',
  labels: { 'k8s-app': 'kube-dns' },
  hostNetwork: false,
  addresses,
  ports: [
    { name: 'dns', protocol: 'UDP', port: 53 },
    { name: 'dns-tcp', protocol: 'TCP', port: 53 },
  ],
});

/** Answers for the Pods of one cluster; peers of a rule are searched once. */
export class PolicyDecider {
  private readonly peers = new Map<readonly PolicyPeer[], Peers>();
  private readonly candidates: readonly PolicyPod[];
  private readonly dns: PolicyPod;

  public constructor(private readonly cluster: Cluster) {
    this.dns = dnsPod(cluster.dns);
    this.candidates = [...cluster.pods.filter(({ hostNetwork }) => !hostNetwork), this.dns];
  }

  /** Connections that are allowed in one direction; undefined if no policy isolates the Pod in it. */
  public flowsOf(pod: PolicyPod, type: PolicyType): Flow[] | undefined {
    const selecting = this.cluster.policies.filter(
      ({ metadata, spec }) =>
        metadata.namespace === pod.namespace &&
        typesOf(spec).includes(type) &&
        selects(spec.podSelector ?? {}, pod.labels),
    );
    if (!selecting.length) return undefined;
    return selecting.flatMap(({ metadata: { namespace = '' }, spec }) =>
      type === 'Ingress'
        ? (spec.ingress ?? []).flatMap(({ ports, from }) => this.ingress(pod, namespace, { ports, peers: from }))
        : (spec.egress ?? []).flatMap(({ ports, to }) => this.egress(namespace, { ports, peers: to })),
    );
  }

  private ingress(pod: PolicyPod, namespace: string, { ports, peers }: Rule): Flow[] {
    const addresses = peers?.length ? this.peersOf(namespace, peers).addresses : undefined;
    if (!ports?.length) return [{ addresses }];
    const resolved = portsOf(ports, pod);
    return resolved.size ? [{ addresses, ports: resolved }] : [];
  }

  private egress(namespace: string, { ports, peers }: Rule): Flow[] {
    const found = peers?.length ? this.peersOf(namespace, peers) : undefined;
    const dns = found?.pods.includes(this.dns) ? this.dnsFlow(ports) : [];
    if (!ports?.length) return [{ addresses: found?.addresses }, ...dns];
    const fixed = portsOf(ports);
    return [
      ...(fixed.size ? [{ addresses: found?.addresses, ports: fixed }] : []),
      ...namedFlows(ports, found?.pods ?? this.candidates),
      ...dns,
    ];
  }

  /** Only the DNS port: the other ports of its addresses belong to the node. */
  private dnsFlow(ports: readonly PolicyPort[] | undefined): Flow[] {
    const own = portsOf([{ protocol: 'UDP', port: 53 }, { port: 53 }]);
    const allowed = ports?.length ? portsOf(ports, this.dns) : own;
    const both = [...own].filter(([protocol]) =>
      allowed.get(protocol)?.some(({ from, to }) => from <= 53n && 53n <= to),
    );
    return both.length ? [{ addresses: addressesOf(this.dns.addresses), ports: new Map(both) }] : [];
  }

  private peersOf(namespace: string, peers: readonly PolicyPeer[]): Peers {
    const known = this.peers.get(peers);
    if (known) return known;
    const pods = this.candidates.filter((pod) => peers.some((peer) => this.matches(peer, namespace, pod)));
    const blocks = peers.flatMap(({ ipBlock }) =>
      ipBlock ? without(addressesOf([ipBlock.cidr]), addressesOf(ipBlock.except ?? [])) : [],
    );
    const own = pods.filter((pod) => pod !== this.dns).flatMap((pod) => pod.addresses);
    const found = { pods, addresses: union([addressesOf(own), ...blocks]) };
    this.peers.set(peers, found);
    return found;
  }

  private matches({ podSelector, namespaceSelector, ipBlock }: PolicyPeer, own: string, pod: PolicyPod): boolean {
    if (ipBlock) return false;
    if (!namespaceSelector && pod.namespace !== own) return false;
    const labels = this.cluster.namespaces.get(pod.namespace);
    if (namespaceSelector && (!labels || !selects(namespaceSelector, labels))) return false;
    return !podSelector || selects(podSelector, pod.labels);
  }
}

/** Directions of a policy, with Kubernetes' default. */
const typesOf = ({ policyTypes, egress }: NetworkPolicy['spec']): readonly PolicyType[] =>
  policyTypes ?? (egress ? ['Ingress', 'Egress'] : ['Ingress']);

/** Flows to the ports that peers call by a requested name; a name may be another number on each Pod. */
function namedFlows(ports: readonly PolicyPort[], pods: readonly PolicyPod[]): Flow[] {
  const named = ports.filter(({ port }) => typeof port === 'string');
  if (!named.length) return [];
  const flows = new Map<string, { ports: Ports; addresses: string[] }>();
  for (const pod of pods) {
    const resolved = portsOf(named, pod);
    if (!resolved.size) continue;
    const key = [...resolved]
      .map(([protocol, ranges]) => `${protocol} ${ranges.map(({ from }) => from).join()}`)
      .join();
    const flow = flows.get(key) ?? { ports: resolved, addresses: [] };
    flow.addresses.push(...pod.addresses);
    flows.set(key, flow);
  }
  return [...flows.values()].map((flow) => ({ ports: flow.ports, addresses: addressesOf(flow.addresses) }));
}

/** Numbers of ports; those with a name are searched in `pod` and left out if it has none of that name and protocol. */
function portsOf(ports: readonly PolicyPort[], pod?: PolicyPod): Ports {
  const found = new Map<Protocol, Range[]>();
  for (const { protocol = 'TCP', port, endPort } of ports) {
    const ranges =
      typeof port === 'string'
        ? (pod?.ports ?? [])
            .filter((named) => named.name === port && named.protocol === protocol)
            .map((named) => rangeOf(named.port))
        : [port === undefined ? ALL_PORTS : rangeOf(port, endPort)];
    if (!ranges.length) continue;
    const name = protocol.toLowerCase() as Protocol;
    const list = found.get(name) ?? [];
    list.push(...ranges);
    found.set(name, list);
  }
  return new Map([...found].map(([name, ranges]) => [name, merge(ranges)]));
}

const rangeOf = (from: number, to = from): Range => ({ from: BigInt(from), to: BigInt(to) });
