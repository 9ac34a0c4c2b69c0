import { policyTableName, vethName, vethPrefix } from '../names';
import { type Cluster, type Flow, PolicyDecider } from './decide';
import type { PolicyPod, PolicyType } from './networking-v1';
import { type Addresses, families, type Family, formatAddresses, formatPorts, isAll } from './ranges';

/** Renders network policies as one nftables table, the input of `nft -f -`. Pure. */

export interface TableInput extends Cluster {
  /** Id of the node's network. */
  readonly id: string;
  /** Pods of this node. */
  readonly local: readonly PolicyPod[];
}

/**
 * Renders the whole table; loading it replaces the old table in one transaction. Without a Pod that a policy isolates,
 * loading the result removes the table.
 *
 * Packets are assigned to Pods by their links, so that no source address avoids the rules. Connections of the node itself
 * are not forwarded and thus never filtered.
 */
export function policyTable(input: TableInput): string {
  const { id } = input;
  const decider = new PolicyDecider(input);
  const sets = new Named('peers');
  const chains = { Ingress: new Named('ingress'), Egress: new Named('egress') };
  const maps: Record<PolicyType, string[]> = { Ingress: [], Egress: [] };
  const isolated = new Set<string>();
  const pods = input.local.filter(({ hostNetwork }) => !hostNetwork).sort((a, b) => (a.uid < b.uid ? -1 : 1));
  for (const pod of pods) {
    const link = vethName(id, pod.uid);
    for (const type of ['Ingress', 'Egress'] as const) {
      const flows = decider.flowsOf(pod, type);
      const rules = flows && [...new Set(flows.flatMap((flow) => rulesOf(flow, type, sets)))];
      if (!rules || rules.includes('return')) continue;
      const chain = [...(type === 'Ingress' ? [genuine(id)] : []), ...rules, 'drop'];
      maps[type].push(`"${link}" : jump ${chains[type].nameOf(chain.join('\n    '))}`);
      isolated.add(link);
    }
  }
  const table = `inet ${policyTableName(id)}`;
  const removal = [`table ${table}`, `delete table ${table}`];
  if (!isolated.size) return lines(removal);
  return lines([
    ...removal,
    `table ${table} {`,
    ...sets.entries.map(([name, content]) => `  set ${name} {\n    ${content}\n  }`),
    `  set self {\n    type ifname . ifname${elements([...isolated].map((link) => `"${link}" . "${link}"`))}\n  }`,
    ...[...chains.Egress.entries, ...chains.Ingress.entries].map(
      ([name, rules]) => `  chain ${name} {\n    ${rules}\n  }`,
    ),
    `  map egress {\n    type ifname : verdict${elements(maps.Egress)}\n  }`,
    `  map ingress {\n    type ifname : verdict${elements(maps.Ingress)}\n  }`,
    '  chain forward {',
    '    type filter hook forward priority filter; policy accept;',
    '    ct state established,related accept',
    // a Pod that reaches itself through a Service
    '    iifname . oifname @self accept',
    '    iifname vmap @egress',
    '    oifname vmap @ingress',
    '  }',
    '  chain input {',
    '    type filter hook input priority filter; policy accept;',
    '    ct state established,related accept',
    // without these, a Pod does not find its gateway
    '    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept',
    '    iifname vmap @egress',
    '  }',
    '}',
  ]);
}

/** Rule that drops packets of this node's Pods with the address of another one, which would be taken for an allowed peer. */
const genuine = (id: string): string => `iifname "${vethPrefix(id)}*" fib saddr . iif oif missing drop`;

/** Rules that end the chain for allowed packets. The rule `return` allows everything. */
function rulesOf({ addresses, ports }: Flow, type: PolicyType, sets: Named): string[] {
  const field = type === 'Ingress' ? 'saddr' : 'daddr';
  const matched = addresses ? families.flatMap((family) => addressMatch(family, addresses, field, sets)) : [''];
  const portMatches = ports
    ? [...ports].map(([protocol, ranges]) => {
        const texts = formatPorts(ranges);
        return texts[0] === '0-65535' ? `meta l4proto ${protocol}` : `${protocol} dport { ${texts.join(', ')} }`;
      })
    : [''];
  return matched.flatMap((address) => portMatches.map((port) => [address, port, 'return'].filter(Boolean).join(' ')));
}

function addressMatch(family: Family, addresses: Addresses, field: string, sets: Named): string[] {
  const ranges = addresses[family];
  if (!ranges.length) return [];
  if (isAll(family, ranges)) return [`meta nfproto ${family === 'ip' ? 'ipv4' : 'ipv6'}`];
  const content = `type ${family === 'ip' ? 'ipv4_addr' : 'ipv6_addr'}\n    flags interval`;
  const name = sets.nameOf(`${content}${elements(formatAddresses(family, ranges))}`);
  return [`${family} ${field} @${name}`];
}

/** Names of sets and chains by their contents, so that equal ones exist once. */
class Named {
  private readonly names = new Map<string, string>();

  public constructor(private readonly prefix: string) {}

  public nameOf(content: string): string {
    const known = this.names.get(content);
    if (known) return known;
    const name = `${this.prefix}-${this.names.size + 1}`;
    this.names.set(content, name);
    return name;
  }

  public get entries(): [name: string, content: string][] {
    return [...this.names].map(([content, name]) => [name, content]);
  }
}

const elements = (list: readonly string[]): string => (list.length ? `\n    elements = { ${list.join(', ')} }` : '');
const lines = (list: readonly string[]): string => `${list.join('\n')}\n`;
