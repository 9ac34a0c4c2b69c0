import type { ActualNetwork, Device } from './actual';
import { SYSCTLS } from './actual';
import { hasTable, replaceTable } from './nft';
import type { WantedNetwork } from './plan';
import { BRIDGE, TAP } from './plan';

/**
 * Plans the changes from the actual to the desired state of a Pod's network namespace. Pure. A bridge or tap is deleted only
 * if no guest can be using it. If one that a guest may be using differs, nothing is changed: the desired rules would send
 * packets to addresses that this guest does not have. Otherwise missing parts are added, which no guest notices.
 */

/** UID of the QEMU process that opens the tap. */
const QEMU_UID = 107;

/** Fixed, so that it does not change with the ports. */
const BRIDGE_MAC = '02:00:00:00:00:00';

const BRIDGE_OPTIONS = { stp_state: 0, forward_delay: 0, mcast_snooping: 0 } as const;

export interface Repair {
  /** Shell script for the Pod's namespace; undefined if nothing must be changed. */
  readonly script?: string;
  /** Differences that are left unchanged because a guest may be using the network. */
  readonly differences: readonly string[];
}

/** `guestMayRun`: whether a guest was started in this Pod, regardless of the state of its tap. */
export function reconcile(wanted: WantedNetwork, actual: ActualNetwork, guestMayRun: boolean): Repair {
  const differences = differencesOf(wanted, actual);
  const inUse = guestMayRun || actual.tap?.carrier === true;
  if (inUse) {
    const lost = guestMayRun && !actual.tap ? [`${TAP} no longer exists`] : [];
    if (differences.length + lost.length > 0) return { differences: [...differences, ...lost] };
  }
  if (differences.length === 0) return { script: scriptOf(wanted, actual, []), differences };
  const devices = [
    ...(actual.tap ? [`link del dev ${TAP}`] : []),
    ...(actual.bridge ? [`link del dev ${BRIDGE}`] : []),
  ];
  const emptied = { ...actual, tap: undefined, bridge: undefined, broadcastRoute: false, sysctls: {} };
  return { script: scriptOf(wanted, emptied, devices), differences: [] };
}

/** Differences that require a new device, or that the guest already depends on. */
function differencesOf(wanted: WantedNetwork, { bridge, tap }: ActualNetwork): string[] {
  const differs = (what: string, is: unknown, shall: unknown): string[] =>
    is === shall ? [] : [`${what} is ${String(is)}, wanted ${String(shall)}`];
  const own = (family: 4 | 6): string | undefined => {
    const gateway = wanted.gateways.find((candidate) => candidate.family === family);
    return gateway && `${gateway.address}/${gateway.prefix}`;
  };
  const ofTap = (device: Device): string[] => {
    // a number only if no user of this machine has the UID
    const users = ['user', 'group'].filter((key) => typeof device.options[key] === 'number');
    return [
      ...differs(`the kind of ${TAP}`, device.kind, 'tun'),
      ...differs(`the type of ${TAP}`, device.options.type, 'tap'),
      ...differs(`the MTU of ${TAP}`, device.mtu, wanted.mtu),
      ...differs(`multi_queue of ${TAP}`, device.options.multi_queue === true, wanted.multiqueue),
      ...users.flatMap((key) => differs(`the ${key} of ${TAP}`, device.options[key], QEMU_UID)),
    ];
  };
  const ofBridge = (device: Device): string[] => [
    ...differs(`the kind of ${BRIDGE}`, device.kind, 'bridge'),
    ...differs(`the MAC of ${BRIDGE}`, device.mac, BRIDGE_MAC),
    ...differs(`the MTU of ${BRIDGE}`, device.mtu, wanted.mtu),
    ...device.addresses.flatMap(({ family, address, prefix }) =>
      differs(`the IPv${family} address of ${BRIDGE}`, `${address}/${prefix}`, own(family)),
    ),
  ];
  return [...(tap ? ofTap(tap) : []), ...(bridge ? ofBridge(bridge) : [])];
}

/** Adds the missing parts in one shell, so that the namespace is entered once. */
function scriptOf(wanted: WantedNetwork, actual: ActualNetwork, first: readonly string[]): string | undefined {
  const ip = [...first, ...missingLinks(wanted, actual)];
  const sysctls = wanted.gateways
    .flatMap(({ family }) => Object.entries(SYSCTLS[family]))
    .filter(([name, value]) => actual.sysctls[name] !== value);
  const nft = hasTable(wanted.chains, actual.table) ? undefined : replaceTable(wanted.chains);
  if (ip.length === 0 && sysctls.length === 0 && nft === undefined) return undefined;
  const hereDocument = (command: string, text: string): string[] => [`${command} <<'END'`, text, 'END'];
  return [
    'set -e',
    ...(ip.length > 0 ? hereDocument('ip -batch -', ip.join('\n')) : []),
    ...sysctls.map(([name, value]) => `echo ${value} > /proc/sys/net/${name}`),
    ...(nft === undefined ? [] : hereDocument('nft -f -', nft)),
    '',
  ].join('\n');
}

function missingLinks(wanted: WantedNetwork, { bridge, tap, broadcastRoute }: ActualNetwork): string[] {
  const { mtu, multiqueue, gateways } = wanted;
  const options = Object.entries(BRIDGE_OPTIONS);
  const words = options.map(([name, value]) => `${name} ${value}`).join(' ');
  const bridgeOptions = options.every(([name, value]) => bridge?.options[name] === value);
  const has = (address: string): boolean => bridge?.addresses.some((own) => own.address === address) ?? false;
  return [
    ...(bridge ? [] : [`link add name ${BRIDGE} mtu ${mtu} address ${BRIDGE_MAC} type bridge ${words}`]),
    ...(bridge && !bridgeOptions ? [`link set dev ${BRIDGE} type bridge ${words}`] : []),
    ...(tap
      ? []
      : [
          `tuntap add dev ${TAP} mode tap user ${QEMU_UID} group ${QEMU_UID}${multiqueue ? ' multi_queue' : ''}`,
          // offloads stay on: QEMU's virtio header carries checksum state, and the kernel computes checksums for taps without one
          `link set dev ${TAP} mtu ${mtu}`,
        ]),
    ...(bridge && tap?.master === BRIDGE ? [] : [`link set dev ${TAP} master ${BRIDGE}`]),
    ...gateways.flatMap(({ family, address, prefix }) =>
      has(address) ? [] : [`addr add ${address}/${prefix} dev ${BRIDGE}${family === 6 ? ' nodad' : ''}`],
    ),
    ...(tap?.up ? [] : [`link set dev ${TAP} up`]),
    ...(bridge?.up ? [] : [`link set dev ${BRIDGE} up`]),
    ...(broadcastRoute || !gateways.some(({ family }) => family === 4)
      ? []
      : [`route replace 255.255.255.255/32 dev ${BRIDGE}`]),
  ];
}
