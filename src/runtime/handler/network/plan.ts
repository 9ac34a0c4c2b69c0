import { createHash } from 'node:crypto';
import type { Interface, PodNetwork, VirtualMachineInstance } from '../../../api';
import { networkQueues } from '../../../api/cpu-topology';
import type { PodInterface } from '../../protocol';
import { nth, parseCidr } from './cidr';
import type { Chain } from './nft';

/** State of the Pod's network namespace before phase 1. */
export interface PodNic {
  readonly name: string;
  readonly mac: string;
  readonly mtu: number;
  /** Addresses of global scope, with prefix length. */
  readonly addresses: readonly { readonly family: 4 | 6; readonly address: string; readonly prefix: number }[];
}

/** Names in the Pod's namespace; the bridge has KubeVirt's name, so that service meshes find it. */
export const BRIDGE = 'k6t-eth0';
export const TAP = 'tap0';
export const POD_NIC = 'eth0';

const DEFAULT_CIDR = { 4: '10.0.2.0/24', 6: 'fd10:0:2::/120' } as const;

/** Desired state of the Pod's network namespace. */
export interface WantedNetwork {
  readonly mtu: number;
  /** Whether the tap has several queues: QEMU must open it with the same flag. */
  readonly multiqueue: boolean;
  /** Addresses of the bridge, one per family. */
  readonly gateways: readonly { readonly family: 4 | 6; readonly address: string; readonly prefix: number }[];
  readonly chains: readonly Chain[];
}

/** Phase 1 of one interface: the desired state of the Pod's namespace, and the facts that the launcher needs. */
export interface NetworkPlan {
  readonly wanted: WantedNetwork;
  readonly facts: PodInterface;
}

/** The VMI has a network that this handler cannot create. */
export class UnsupportedNetwork extends Error {}

/** The VMI's interface on the pod network; undefined if the guest has no NIC. */
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
 * MAC of a guest NIC that has none in its spec; it stays the same when the VM restarts. It is visible only inside the Pod,
 * so two guests may have the same MAC.
 */
export function stableMac(namespace: string, name: string, network: string): string {
  const hash = createHash('sha256').update(`${namespace}/${name}/${network}`).digest();
  return ['02', ...[...hash.subarray(0, 5)].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');
}

/** Plans the masquerade binding: a bridge for the guest, and NAT between it and the Pod's address. */
export function planMasquerade(
  vmi: VirtualMachineInstance,
  { nic, pod }: { nic: Interface; pod: PodNetwork },
  podNic: PodNic,
): NetworkPlan {
  const v4 = guestNetwork(4, pod.vmNetworkCIDR, podNic);
  const v6 = guestNetwork(6, pod.vmIPv6NetworkCIDR, podNic);
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
  const wanted: WantedNetwork = {
    mtu: podNic.mtu,
    // libvirt opens a tap for one queue without the flag
    multiqueue: (networkQueues(vmi.spec.domain) ?? 1) > 1,
    gateways: [
      ...(v4 ? [{ family: 4, address: v4.gateway, prefix: v4.prefix } as const] : []),
      ...(v6 ? [{ family: 6, address: v6.gateway, prefix: v6.prefix } as const] : []),
    ],
    chains: chains(v4, v6, podNic, nic),
  };
  return { facts, wanted };
}

interface GuestNetwork {
  readonly gateway: string;
  readonly guest: string;
  readonly prefix: number;
}

/** The guest's network of a family; undefined if the Pod has no address of it. */
function guestNetwork(family: 4 | 6, wanted: string | undefined, podNic: PodNic): GuestNetwork | undefined {
  if (!podNic.addresses.some((address) => address.family === family)) return undefined;
  const cidr = parseCidr(wanted ?? DEFAULT_CIDR[family]);
  if (cidr.family !== family) throw new UnsupportedNetwork(`"${wanted}" is not an IPv${family} network; use one`);
  return { gateway: nth(cidr, 1), guest: nth(cidr, 2), prefix: cidr.prefix };
}

function chains(
  v4: GuestNetwork | undefined,
  v6: GuestNetwork | undefined,
  podNic: PodNic,
  nic: Interface,
): readonly Chain[] {
  const own = (family: 4 | 6): string[] =>
    podNic.addresses.filter((address) => address.family === family).map(({ address }) => address);
  const forwarded = portMatches(nic);
  const toGuest = (family: 'ip' | 'ip6', match: string, guest: string): string[] =>
    forwarded.map((ports) => `${match} ${ports}dnat ${family} to ${guest}`);
  return [
    // route_localnet would let the guest reach services on the Pod's loopback
    {
      ...{ name: 'guard', type: 'filter', hook: 'prerouting', priority: -300 },
      rules: v4 ? [`iifname "${BRIDGE}" ip daddr 127.0.0.0/8 drop`] : [],
    },
    {
      ...{ name: 'inbound', type: 'nat', hook: 'prerouting', priority: -100 },
      rules: [
        ...(v4 ? toGuest('ip', `iifname "${POD_NIC}" meta nfproto ipv4`, v4.guest) : []),
        ...(v6
          ? [
              `iifname "${POD_NIC}" icmpv6 type ${NEIGHBOUR_DISCOVERY} accept`,
              ...toGuest('ip6', `iifname "${POD_NIC}" meta nfproto ipv6`, v6.guest),
            ]
          : []),
      ],
    },
    {
      ...{ name: 'local', type: 'nat', hook: 'output', priority: -100 },
      rules: [
        ...(v4 ? toGuest('ip', `ip daddr { ${['127.0.0.1', ...own(4)].join(', ')} }`, v4.guest) : []),
        // not ::1: the kernel accepts no answer for it from another device
        ...(v6 ? toGuest('ip6', `ip6 daddr { ${own(6).join(', ')} }`, v6.guest) : []),
      ],
    },
    {
      ...{ name: 'outbound', type: 'nat', hook: 'postrouting', priority: 100 },
      rules: [
        ...(v4
          ? [
              `oifname "${BRIDGE}" ip saddr 127.0.0.1 snat ip to ${v4.gateway}`,
              `oifname "${POD_NIC}" ip saddr ${v4.guest} masquerade`,
            ]
          : []),
        ...(v6 ? [`oifname "${POD_NIC}" ip6 saddr ${v6.guest} masquerade`] : []),
      ],
    },
  ];
}

/** Rules by which the Pod answers for its own address. */
const NEIGHBOUR_DISCOVERY = '{ nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, nd-router-advert }';

/** Matches of the traffic that is forwarded to the guest: all, or its ports only. Each ends with a space, or is empty. */
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
