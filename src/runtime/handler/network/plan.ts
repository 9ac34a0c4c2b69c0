import { createHash } from 'node:crypto';
import type { Interface, PodNetwork, VirtualMachineInstance } from '../../../api';
import type { PodInterface } from '../../protocol';
import { nth, parseCidr } from './cidr';

/** What the Pod's network namespace held before phase 1. */
export interface PodNic {
  readonly name: string;
  readonly mac: string;
  readonly mtu: number;
  /** With prefix length, global scope only. */
  readonly addresses: readonly { readonly family: 4 | 6; readonly address: string; readonly prefix: number }[];
}

/** The uid under which QEMU opens the tap. */
const QEMU_UID = 107;

/** Names in the Pod's namespace; the bridge's is KubeVirt's, so that meshes which know it find it. */
export const BRIDGE = 'k6t-eth0';
export const TAP = 'tap0';
export const POD_NIC = 'eth0';
const TABLE = 'virt8s';

/** Fixed, so that it does not follow the ports as they come and go. */
const BRIDGE_MAC = '02:00:00:00:00:00';

const DEFAULT_CIDR = { 4: '10.0.2.0/24', 6: 'fd10:0:2::/120' } as const;

/** One interface's phase 1: a shell script for the Pod's namespace, and what the launcher has to know of its result. */
export interface NetworkPlan {
  readonly script: string;
  /** The bridge's alias, set last: while it stands there, the script has run to its end. */
  readonly mark: string;
  readonly facts: PodInterface;
}

/** The VMI asks for a network that this handler cannot make. */
export class UnsupportedNetwork extends Error {}

/** The VMI's interface on the pod network; undefined when the guest has no NIC. */
export function podInterface(vmi: VirtualMachineInstance): { nic: Interface; pod: PodNetwork } | undefined {
  const { networks = [], domain } = vmi.spec;
  const nics = (domain.devices.interfaces ?? []).filter((nic) => nic.state !== 'absent');
  for (const nic of nics) {
    const network = networks.find((candidate) => candidate.name === nic.name);
    if (!network?.pod) {
      const what = network?.multus ? 'multus network' : 'network';
      throw new UnsupportedNetwork(
        `interface "${nic.name}": its ${what} is not supported by this version (allowed: pod); use "pod: {}"`,
      );
    }
    if (!nic.masquerade) {
      const binding = Object.keys(nic).find((key) => ['bridge', 'sriov', 'passtBinding', 'binding'].includes(key));
      throw new UnsupportedNetwork(
        `interface "${nic.name}": binding "${binding ?? 'none'}" is not supported by this version (allowed: masquerade); ` +
          'use "masquerade: {}"',
      );
    }
  }
  const nic = nics[0];
  const pod = networks.find((network) => network.name === nic?.name)?.pod;
  return nic && pod ? { nic, pod } : undefined;
}

/**
 * MAC of a guest NIC without one in its spec: the same after every restart of the VM. It is seen only inside the Pod,
 * so two guests may well have the same.
 */
export function stableMac(namespace: string, name: string, network: string): string {
  const hash = createHash('sha256').update(`${namespace}/${name}/${network}`).digest();
  return ['02', ...[...hash.subarray(0, 5)].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');
}

/** Plans the masquerade binding: a bridge of its own for the guest, and NAT between it and the Pod's address. */
export function planMasquerade(
  vmi: VirtualMachineInstance,
  { nic, pod }: { nic: Interface; pod: PodNetwork },
  podNic: PodNic,
): NetworkPlan {
  const v4 = guestNetwork(4, pod.vmNetworkCIDR, podNic);
  const v6 = guestNetwork(6, pod.vmIPv6NetworkCIDR, podNic);
  const queues = multiqueue(vmi);
  const facts: PodInterface = {
    network: nic.name,
    binding: 'masquerade',
    tap: TAP,
    bridge: BRIDGE,
    mac: nic.macAddress ?? stableMac(vmi.metadata.namespace ?? '', vmi.metadata.name ?? '', nic.name),
    mtu: podNic.mtu,
    ...(v4 && { guestIPv4: `${v4.guest}/${v4.prefix}`, gatewayIPv4: v4.gateway, dhcpServer: v4.gateway }),
    ...(v6 && { guestIPv6: `${v6.guest}/${v6.prefix}`, gatewayIPv6: v6.gateway }),
  };
  const ip = ipBatch(v4, v6, podNic.mtu, queues);
  const nft = nftRules(v4, v6, podNic, nic);
  const mark = `virt8s:${createHash('sha256').update(ip).update(nft).digest('hex').slice(0, 32)}`;
  return { facts, mark, script: script(ip, nft, mark, v4 !== undefined, v6 !== undefined) };
}

interface GuestNetwork {
  readonly gateway: string;
  readonly guest: string;
  readonly prefix: number;
}

/** The guest's own network of a family; none where the Pod has no address of it. */
function guestNetwork(family: 4 | 6, wanted: string | undefined, podNic: PodNic): GuestNetwork | undefined {
  if (!podNic.addresses.some((address) => address.family === family)) return undefined;
  const cidr = parseCidr(wanted ?? DEFAULT_CIDR[family]);
  if (cidr.family !== family) throw new UnsupportedNetwork(`"${wanted}" is not an IPv${family} network; use one`);
  return { gateway: nth(cidr, 1), guest: nth(cidr, 2), prefix: cidr.prefix };
}

/** Queues of the tap: QEMU must open it with the same flag. */
function multiqueue(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.devices.networkInterfaceMultiqueue === true;
}

function ipBatch(v4: GuestNetwork | undefined, v6: GuestNetwork | undefined, mtu: number, multi: boolean): string {
  return [
    `link add name ${BRIDGE} mtu ${mtu} address ${BRIDGE_MAC} type bridge stp_state 0 forward_delay 0 mcast_snooping 0`,
    `tuntap add dev ${TAP} mode tap user ${QEMU_UID} group ${QEMU_UID}${multi ? ' multi_queue' : ''}`,
    `link set dev ${TAP} mtu ${mtu} master ${BRIDGE}`,
    // offloads stay on: QEMU's virtio header carries checksum state, and the kernel sums up for taps without one
    ...(v4 ? [`addr add ${v4.gateway}/${v4.prefix} dev ${BRIDGE}`] : []),
    ...(v6 ? [`addr add ${v6.gateway}/${v6.prefix} dev ${BRIDGE} nodad`] : []),
    `link set dev ${TAP} up`,
    `link set dev ${BRIDGE} up`,
    // the DHCP server answers guests that have no address yet
    ...(v4 ? [`route add 255.255.255.255/32 dev ${BRIDGE}`] : []),
  ].join('\n');
}

function nftRules(v4: GuestNetwork | undefined, v6: GuestNetwork | undefined, podNic: PodNic, nic: Interface): string {
  const own = (family: 4 | 6): string[] =>
    podNic.addresses.filter((address) => address.family === family).map(({ address }) => address);
  const wanted = portMatches(nic);
  const toGuest = (family: 'ip' | 'ip6', match: string, guest: string): string[] =>
    wanted.map((ports) => `${match} ${ports}dnat ${family} to ${guest}`);
  const chain = (name: string, hook: string, rules: string[]): string[] => [
    `  chain ${name} {`,
    `    ${hook}`,
    ...rules.map((rule) => `    ${rule}`),
    '  }',
  ];
  return [
    `table inet ${TABLE} {`,
    // route_localnet (below) would let the guest speak to what listens on the Pod's loopback
    ...chain('guard', 'type filter hook prerouting priority raw;', [
      ...(v4 ? [`iifname "${BRIDGE}" ip daddr 127.0.0.0/8 drop`] : []),
    ]),
    ...chain('inbound', 'type nat hook prerouting priority dstnat;', [
      ...(v4 ? toGuest('ip', `iifname "${POD_NIC}" meta nfproto ipv4`, v4.guest) : []),
      ...(v6
        ? [
            `iifname "${POD_NIC}" icmpv6 type ${NEIGHBOUR_DISCOVERY} accept`,
            ...toGuest('ip6', `iifname "${POD_NIC}" meta nfproto ipv6`, v6.guest),
          ]
        : []),
    ]),
    ...chain('local', 'type nat hook output priority -100;', [
      ...(v4 ? toGuest('ip', `ip daddr { ${['127.0.0.1', ...own(4)].join(', ')} }`, v4.guest) : []),
      // not ::1: the kernel takes no answer for it from another device
      ...(v6 ? toGuest('ip6', `ip6 daddr { ${own(6).join(', ')} }`, v6.guest) : []),
    ]),
    ...chain('outbound', 'type nat hook postrouting priority srcnat;', [
      ...(v4
        ? [
            `oifname "${BRIDGE}" ip saddr 127.0.0.1 snat ip to ${v4.gateway}`,
            `oifname "${POD_NIC}" ip saddr ${v4.guest} masquerade`,
          ]
        : []),
      ...(v6 ? [`oifname "${POD_NIC}" ip6 saddr ${v6.guest} masquerade`] : []),
    ]),
    '}',
  ].join('\n');
}

/** The Pod answers for its own address itself. */
const NEIGHBOUR_DISCOVERY = '{ nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, nd-router-advert }';

/** Matches of what is forwarded to the guest: everything, or its ports only. Each ends with a space, or is empty. */
function portMatches({ ports = [], portRanges = [] }: Interface): string[] {
  if (ports.length + portRanges.length === 0) return [''];
  const of = (protocol: string): string[] => [
    ...ports.filter((port) => (port.protocol ?? 'TCP') === protocol).map(({ port }) => String(port)),
    ...portRanges.filter((range) => (range.protocol ?? 'TCP') === protocol).map(({ start, end }) => `${start}-${end}`),
  ];
  return ['TCP', 'UDP']
    .map((protocol) => ({ protocol: protocol.toLowerCase(), ports: [...new Set(of(protocol))] }))
    .filter((match) => match.ports.length > 0)
    .map((match) => `${match.protocol} dport { ${match.ports.join(', ')} } `);
}

/**
 * All in one shell, so that entering the namespace is paid once. A first attempt that died half way is taken away; one
 * that came to its end is left as it is, because a guest may be using it.
 */
function script(ip: string, nft: string, mark: string, v4: boolean, v6: boolean): string {
  return [
    'set -e',
    `case "$(ip link show dev ${BRIDGE} 2>/dev/null)" in *"alias ${mark}"*) exit 0;; esac`,
    `ip link del dev ${TAP} 2>/dev/null || true`,
    `ip link del dev ${BRIDGE} 2>/dev/null || true`,
    "ip -batch - <<'END'",
    ip,
    'END',
    ...(v4
      ? ['echo 1 > /proc/sys/net/ipv4/ip_forward', `echo 1 > /proc/sys/net/ipv4/conf/${BRIDGE}/route_localnet`]
      : []),
    ...(v6
      ? [
          'echo 1 > /proc/sys/net/ipv6/conf/all/forwarding',
          // nobody else is on this bridge: its link-local address is good as soon as QEMU opens the tap
          `echo 0 > /proc/sys/net/ipv6/conf/${BRIDGE}/accept_dad`,
        ]
      : []),
    "nft -f - <<'END'",
    // declared before it is deleted, so that the first time is no error; one transaction
    `table inet ${TABLE}`,
    `delete table inet ${TABLE}`,
    nft,
    'END',
    `ip link set dev ${BRIDGE} alias ${mark}`,
    '',
  ].join('\n');
}
