import type { EndpointSlice, Service, ServicePort } from '../core-v1';
import { tableName, vethPrefix } from './names';
import { addressAt } from './subnet';
import type { Subnets } from './subnet';

/** Renders Services as one nftables table, the input of `nft -f -`. Pure. */

export interface Target {
  readonly ip: string;
  readonly port: number;
}

/** Port of the host that is forwarded to a Pod (`hostPort`). */
export interface HostPort {
  readonly protocol: string;
  readonly port: number;
  readonly target: Target;
}

export interface TableInput {
  readonly id: string;
  readonly subnets: Subnets;
  /** Subnets of all nodes. Only packets that leave them get the address of the machine. */
  readonly cluster: readonly string[];
  readonly services: readonly Service[];
  readonly slices: readonly EndpointSlice[];
  readonly hostPorts: readonly HostPort[];
}

/** Address (default: all addresses of the host) and port with their targets. */
interface Entry {
  readonly address?: string;
  readonly protocol: string;
  readonly port: number;
  readonly targets: readonly Target[];
  readonly ipv6: boolean;
  readonly sticky: boolean;
}

/** Hairpin rules apply only to Pods: connections of the host keep their source address. */
const isPod = (ip: string, { ipv4, ipv6 }: Subnets): boolean =>
  ip.startsWith(ipv4.replace(/0\/24$/, '')) || (ipv6 !== undefined && ip.startsWith(ipv6.replace(/\/64$/, '')));

const isIpv6 = (address: string): boolean => address.includes(':');
const PROTOCOLS = new Set(['tcp', 'udp', 'sctp']);

/** Renders the whole table. Loading it replaces the old table in one transaction; existing connections continue. */
export function serviceTable(input: TableInput): string {
  const { id, subnets } = input;
  const gateway = addressAt(subnets, 1);
  const [cluster4, cluster6] = [false, true].map((v6) => anyOf(input.cluster.filter((cidr) => isIpv6(cidr) === v6)));
  const table = `inet ${tableName(id)}`;
  const entries = entriesOf(input);
  const chains = new Map<string, string>();
  const chainOf = ({ targets, protocol, ipv6, sticky }: Entry): string => {
    const rule = dnatRule(targets, protocol, ipv6, sticky);
    let name = [...chains].find(([, known]) => known === rule)?.[0];
    if (!name) {
      name = `to-${chains.size + 1}`;
      chains.set(name, rule);
    }
    return name;
  };
  const routed = entries.filter(({ targets }) => targets.length);
  const dead = entries.filter(({ targets, address }) => !targets.length && address);
  const verdicts = (ipv6: boolean): string[] =>
    routed
      .filter((entry) => entry.address && entry.ipv6 === ipv6)
      .map((entry) => `${entry.address} . ${entry.protocol} . ${entry.port} : goto ${chainOf(entry)}`);
  const nodePorts = (ipv6: boolean): string[] =>
    routed
      .filter((entry) => !entry.address && entry.ipv6 === ipv6)
      .map((entry) => `${entry.protocol} . ${entry.port} : goto ${chainOf(entry)}`);
  const v4 = verdicts(false);
  const v6 = verdicts(true);
  const ports4 = nodePorts(false);
  const ports6 = nodePorts(true);
  const all = routed.flatMap(({ targets }) => targets.map(({ ip }) => ip));
  const hairpin = (ipv6: boolean): string[] =>
    [...new Set(all.filter((ip) => isIpv6(ip) === ipv6 && isPod(ip, subnets)))].map((ip) => `${ip} . ${ip}`);
  const refused = (ipv6: boolean): string[] =>
    dead.filter((entry) => entry.ipv6 === ipv6).map((entry) => `${entry.address} . ${entry.protocol} . ${entry.port}`);

  const dispatch = [
    '    ip daddr . meta l4proto . th dport vmap @services4',
    ...(subnets.ipv6 ? ['    ip6 daddr . meta l4proto . th dport vmap @services6'] : []),
    '    fib daddr type local meta nfproto ipv4 meta l4proto . th dport vmap @ports4',
    ...(subnets.ipv6 ? ['    fib daddr type local meta nfproto ipv6 meta l4proto . th dport vmap @ports6'] : []),
  ];
  const out = [
    `table ${table}`,
    `delete table ${table}`,
    `table ${table} {`,
    map('services4', 'ipv4_addr . inet_proto . inet_service : verdict', v4),
    map('services6', 'ipv6_addr . inet_proto . inet_service : verdict', v6),
    map('ports4', 'inet_proto . inet_service : verdict', ports4),
    map('ports6', 'inet_proto . inet_service : verdict', ports6),
    set('hairpin4', 'ipv4_addr . ipv4_addr', hairpin(false)),
    set('hairpin6', 'ipv6_addr . ipv6_addr', hairpin(true)),
    set('refused4', 'ipv4_addr . inet_proto . inet_service', refused(false)),
    set('refused6', 'ipv6_addr . inet_proto . inet_service', refused(true)),
    ...[...chains].map(([name, rule]) => `  chain ${name} {\n    ${rule}\n  }`),
    chain('spoofed', 'type filter hook prerouting priority raw; policy accept;', [
      // Pods' links route loopback addresses for node ports; Pods may not use that to reach the host's own
      `    iifname "${vethPrefix(id)}*" ip daddr 127.0.0.0/8 drop`,
    ]),
    chain('incoming', 'type nat hook prerouting priority dstnat; policy accept;', dispatch),
    chain('own', 'type nat hook output priority -100; policy accept;', dispatch),
    chain('outgoing', 'type nat hook postrouting priority srcnat; policy accept;', [
      // a Pod that reaches itself through a Service must not see its own address as the sender
      `    ip saddr . ip daddr @hairpin4 snat ip to ${gateway.ipv4}`,
      `    ip saddr 127.0.0.0/8 ip daddr ${subnets.ipv4} snat ip to ${gateway.ipv4}`,
      `    ip saddr ${cluster4} ip daddr != ${cluster4} masquerade`,
      ...(subnets.ipv6
        ? [
            `    ip6 saddr . ip6 daddr @hairpin6 snat ip6 to ${gateway.ipv6}`,
            `    ip6 saddr ${cluster6} ip6 daddr != ${cluster6} masquerade`,
          ]
        : []),
    ]),
    ...['forward', 'output'].map((hook) =>
      chain(`refuse-${hook}`, `type filter hook ${hook} priority filter; policy accept;`, [
        '    ip daddr . meta l4proto . th dport @refused4 reject',
        '    ip6 daddr . meta l4proto . th dport @refused6 reject',
      ]),
    ),
    '}',
    '',
  ];
  return out.join('\n');
}

/** A subnet, or the set of several. */
const anyOf = (list: readonly string[]): string => (list.length === 1 ? list[0]! : `{ ${list.join(', ')} }`);

const elements = (list: readonly string[]): string => (list.length ? `\n    elements = { ${list.join(', ')} }` : '');
const map = (name: string, type: string, list: readonly string[]): string =>
  `  map ${name} {\n    type ${type}${elements(list)}\n  }`;
const set = (name: string, type: string, list: readonly string[]): string =>
  `  set ${name} {\n    type ${type}${elements(list)}\n  }`;
const chain = (name: string, hook: string, rules: readonly string[]): string =>
  [`  chain ${name} {`, `    ${hook}`, ...rules, '  }'].join('\n');

function dnatRule(targets: readonly Target[], protocol: string, ipv6: boolean, sticky: boolean): string {
  const family = ipv6 ? 'ip6' : 'ip';
  const address = ({ ip, port }: Target): string => `${ip} . ${port}`;
  const [only, ...more] = targets as [Target, ...Target[]];
  const match = `meta l4proto ${protocol}`;
  if (!more.length) return `${match} dnat ${family} to ${ipv6 ? `[${only.ip}]` : only.ip}:${only.port}`;
  const choice = sticky ? `jhash ${family} saddr mod ${targets.length}` : `numgen random mod ${targets.length}`;
  const list = targets.map((target, index) => `${index} : ${address(target)}`).join(', ');
  return `${match} dnat ${family} to ${choice} map { ${list} }`;
}

function entriesOf({ services, slices, hostPorts }: TableInput): Entry[] {
  const entries = services.flatMap((service) => serviceEntries(service, slices));
  for (const { protocol, port, target } of hostPorts) {
    const name = protocol.toLowerCase();
    if (PROTOCOLS.has(name))
      entries.push({ protocol: name, port, targets: [target], ipv6: isIpv6(target.ip), sticky: false });
  }
  // an address and port can have only one target: the first Service by name wins
  const unique = new Map<string, Entry>();
  for (const entry of entries) {
    const key = [entry.address ?? '', entry.ipv6, entry.protocol, entry.port].join('|');
    if (!unique.has(key)) unique.set(key, entry);
  }
  return [...unique.values()];
}

function serviceEntries(service: Service, slices: readonly EndpointSlice[]): Entry[] {
  const { spec = {} } = service;
  const addresses = (spec.clusterIPs?.length ? spec.clusterIPs : [spec.clusterIP ?? '']).filter(
    (address) => address && address !== 'None',
  );
  if (!addresses.length || spec.type === 'ExternalName') return [];
  const own = slicesOf(service, slices);
  const sticky = spec.sessionAffinity === 'ClientIP';
  const entries: Entry[] = [];
  for (const port of [...(spec.ports ?? [])].sort((a, b) => a.port - b.port)) {
    const protocol = (port.protocol ?? 'TCP').toLowerCase();
    if (!PROTOCOLS.has(protocol)) continue;
    for (const ipv6 of [false, true]) {
      const targets = targetsOf(port, own, ipv6);
      for (const address of [...addresses, ...(spec.externalIPs ?? [])].filter((entry) => isIpv6(entry) === ipv6)) {
        entries.push({ address, protocol, port: port.port, targets, ipv6, sticky });
      }
      if (port.nodePort) entries.push({ protocol, port: port.nodePort, targets, ipv6, sticky });
    }
  }
  return entries;
}

/** Slices of a Service, in a stable order. */
export function slicesOf({ metadata }: Service, slices: readonly EndpointSlice[]): EndpointSlice[] {
  return slices
    .filter(
      (slice) =>
        slice.metadata.namespace === metadata.namespace &&
        slice.metadata.labels?.['kubernetes.io/service-name'] === metadata.name,
    )
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}

/** Ready endpoints of a port or, without any, terminating endpoints that still serve. */
function targetsOf(port: ServicePort, slices: readonly EndpointSlice[], ipv6: boolean): Target[] {
  const family = ipv6 ? 'IPv6' : 'IPv4';
  const found = (usable: (conditions: { ready?: boolean; serving?: boolean; terminating?: boolean }) => boolean) =>
    slices
      .filter(({ addressType }) => addressType === family)
      .flatMap(({ ports, endpoints }) => {
        const match = (ports ?? []).find(
          (entry) => (entry.name ?? '') === (port.name ?? '') && (entry.protocol ?? 'TCP') === (port.protocol ?? 'TCP'),
        );
        if (!match?.port) return [];
        return (endpoints ?? [])
          .filter(({ conditions }) => usable(conditions ?? {}))
          .flatMap(({ addresses }) => addresses.map((ip) => ({ ip, port: match.port as number })));
      });
  const ready = found(({ ready: is }) => is !== false);
  const targets = ready.length ? ready : found(({ serving, terminating }) => Boolean(serving && terminating));
  return [...new Map(targets.map((target) => [`${target.ip}|${target.port}`, target])).values()].sort((a, b) =>
    a.ip < b.ip ? -1 : 1,
  );
}
