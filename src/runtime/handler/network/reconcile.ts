import type { ActualNetwork, Device } from './actual';
import { SYSCTLS } from './actual';
import { hasTable, replaceTable } from './nft';
import type { WantedNetwork } from './plan';
import { BRIDGE, TAP } from './plan';

/**
 * From what a Pod's network namespace holds to what it shall hold. Pure. A bridge or tap is deleted only when no guest
 * can be using it. Where one that a guest may be using differs, nothing at all is changed: the wanted rules would send
 * packets to addresses that this guest does not have. Otherwise what is missing is added, which no guest notices.
 */

/** The uid under which QEMU opens the tap. */
const QEMU_UID = 107;

/** Fixed, so that it does not follow the ports as they come and go. */
const BRIDGE_MAC = '02:00:00:00:00:00';

const BRIDGE_OPTIONS = { stp_state: 0, forward_delay: 0, mcast_snooping: 0 } as const;

export interface Repair {
  /** A shell script for the Pod's namespace; undefined when everything is as wanted. */
  readonly script?: string;
  /** What differs and stays as it is, because a guest may be using it. */
  readonly differences: readonly string[];
}

/** `guestMayRun`: a guest was started in this Pod, whatever its tap shows. */
export function reconcile(wanted: WantedNetwork, actual: ActualNetwork, guestMayRun: boolean): Repair {
  const differences = differencesOf(wanted, actual);
  const inUse = guestMayRun || actual.tap?.carrier === true;
  if (inUse) {
    const lost = guestMayRun && !actual.tap ? [`${TAP} is gone`] : [];
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

/** What can be put right only by making a device anew, or is known to the guest already. */
function differencesOf(wanted: WantedNetwork, { bridge, tap }: ActualNetwork): string[] {
  const differs = (what: string, is: unknown, shall: unknown): string[] =>
    is === shall ? [] : [`${what} is ${String(is)}, wanted ${String(shall)}`];
  const own = (family: 4 | 6): string | undefined => {
    const gateway = wanted.gateways.find((candidate) => candidate.family === family);
    return gateway && `${gateway.address}/${gateway.prefix}`;
  };
  const ofTap = (device: Device): string[] => {
    // a number only where nobody on this machine has that uid
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

/** Adds what is missing. All in one shell, so that the namespace is entered once. */
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
          // offloads stay on: QEMU's virtio header carries checksum state, and the kernel sums up for taps without one
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
