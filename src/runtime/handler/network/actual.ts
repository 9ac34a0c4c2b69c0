import type { ListedTable } from './nft';
import { LIST_TABLE } from './nft';
import type { PodNic } from './plan';
import { BRIDGE, POD_NIC, TAP } from './plan';

/** State of a Pod's network namespace: the command that reads it, and the parser of its output. Pure. */

/** Kernel settings that the guest's network needs, by family. */
export const SYSCTLS = {
  4: { 'ipv4/ip_forward': '1', [`ipv4/conf/${BRIDGE}/route_localnet`]: '1' },
  6: {
    'ipv6/conf/all/forwarding': '1',
    // the bridge has no other users, so its link-local address can be used as soon as QEMU opens the tap
    [`ipv6/conf/${BRIDGE}/accept_dad`]: '0',
  },
} as const;

const SYSCTL_NAMES = [...Object.keys(SYSCTLS[4]), ...Object.keys(SYSCTLS[6])];

const SEPARATOR = '--';

/** A shell script that prints everything, so that the namespace is entered once. It prints nothing for missing parts. */
export const OBSERVE = [
  'set -e',
  'ip -j -d addr show',
  `echo; echo ${SEPARATOR}`,
  'ip -j -4 route show',
  `echo; echo ${SEPARATOR}`,
  `${LIST_TABLE} 2>/dev/null || true`,
  `echo; echo ${SEPARATOR}`,
  ...SYSCTL_NAMES.map((name) => `cat /proc/sys/net/${name} 2>/dev/null || echo`),
  '',
].join('\n');

interface LinkJson {
  ifname: string;
  flags: string[];
  address: string;
  mtu: number;
  master?: string;
  linkinfo?: { info_kind?: string; info_data?: Record<string, unknown> };
  addr_info: { family: string; local: string; prefixlen: number; scope: string }[];
}

/** A device as the kernel reports it. */
export interface Device {
  /** `bridge`, `tun`, `dummy` … */
  readonly kind: string | undefined;
  readonly mac: string;
  readonly mtu: number;
  readonly up: boolean;
  /** Whether packets can pass; for a tap: whether a process has it open. */
  readonly carrier: boolean;
  readonly master?: string;
  /** Options of its kind, with iproute2's names. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Addresses of global scope, with prefix length. */
  readonly addresses: PodNic['addresses'];
}

/** The parts of a Pod's network namespace that phase 1 manages. */
export interface ActualNetwork {
  readonly podNic: PodNic;
  readonly bridge?: Device;
  readonly tap?: Device;
  /** Whether broadcasts leave through the bridge: the DHCP server answers guests that have no address yet. */
  readonly broadcastRoute: boolean;
  readonly table?: ListedTable;
  /** Values of `SYSCTLS` by name; empty for those that the kernel lacks. */
  readonly sysctls: Readonly<Record<string, string>>;
}

/** Parses the output of `OBSERVE`. */
export function parseActual(output: string): ActualNetwork {
  const [links = '', routes = '', table = '', values = ''] = output.split(`\n${SEPARATOR}\n`);
  const all = JSON.parse(links) as LinkJson[];
  const device = (name: string): Device | undefined => {
    const link = all.find(({ ifname }) => ifname === name);
    return link && deviceOf(link);
  };
  const eth0 = device(POD_NIC);
  if (!eth0) throw new Error(`the Pod has no interface "${POD_NIC}"; look at the network plugin of this node`);
  const found = values.split('\n');
  return {
    podNic: { name: POD_NIC, mac: eth0.mac, mtu: eth0.mtu, addresses: eth0.addresses },
    bridge: device(BRIDGE),
    tap: device(TAP),
    broadcastRoute: (JSON.parse(routes.trim() || '[]') as { dst?: string; dev?: string }[]).some(
      ({ dst, dev }) => dst === '255.255.255.255' && dev === BRIDGE,
    ),
    table: table.trim() ? (JSON.parse(table) as ListedTable) : undefined,
    sysctls: Object.fromEntries(SYSCTL_NAMES.map((name, i) => [name, found[i] ?? ''])),
  };
}

function deviceOf(link: LinkJson): Device {
  return {
    kind: link.linkinfo?.info_kind,
    mac: link.address,
    mtu: link.mtu,
    up: link.flags.includes('UP'),
    carrier: link.flags.includes('LOWER_UP'),
    master: link.master,
    options: link.linkinfo?.info_data ?? {},
    addresses: link.addr_info
      .filter((info) => info.scope === 'global' && (info.family === 'inet' || info.family === 'inet6'))
      .map((info) => ({ family: info.family === 'inet' ? 4 : 6, address: info.local, prefix: info.prefixlen })),
  };
}
