/** Static addresses that cloud-init gives to guests, and the cards that it finds by their addresses. */
import { isIP } from 'node:net';
import { mistake } from '../admission/rule';
import { readCidr } from '../cidr';
import { readYaml } from '../cloud-init/yaml-text';
import { type Finding, type Path } from '../findings';
import { canonicalMac } from '../mac-address';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn, guestsOf } from './network-guests';
import { isObject, isSame, type Json, listAt, objectAt, textAt } from './read';
import type { World } from './world';

/** A device of network configuration of version 2. */
interface Device {
  readonly addresses: readonly string[];
  readonly mac?: string;
  readonly usesDhcp: boolean;
  readonly path: Path;
}

const devices = new WeakMap<KubeObject, readonly Device[]>();

function devicesOf(guests: Guests): readonly Device[] {
  let found = devices.get(guests.object);
  if (!found) devices.set(guests.object, (found = readDevices(guests)));
  return found;
}

function readDevices({ spec, at }: Guests): Device[] {
  return listAt(spec, 'volumes').flatMap((volume, i) => {
    const text = textAt(volume, 'cloudInitNoCloud', 'networkData');
    if (text === undefined || !/addresses|macaddress/.test(text)) return [];
    const path = at.at('volumes', i, 'cloudInitNoCloud', 'networkData');
    const { value } = readYaml(text);
    const config = objectAt(value, 'network') ?? value;
    const list = ['ethernets', 'bonds', 'bridges', 'vlans'].flatMap((kind) =>
      Object.values(objectAt(config, kind) ?? {}).filter(isObject),
    );
    return list.map((device) => ({ ...readDevice(device), path }));
  });
}

function readDevice(device: Json): Omit<Device, 'path'> {
  const addresses = Array.isArray(device.addresses) ? device.addresses.map(String) : [];
  return {
    addresses: addresses.filter(readCidr),
    mac: textAt(device, 'match', 'macaddress')?.toLowerCase(),
    usesDhcp: device.dhcp4 === true,
  };
}

/** Networks that guests share: the Pod network gives each its own. */
const attachmentsOf = ({ spec, namespace }: Guests): string[] =>
  listAt(spec, 'networks').flatMap((network) => {
    const name = textAt(network, 'multus', 'networkName');
    return name === undefined ? [] : [name.includes('/') ? name : `${namespace ?? ''}/${name}`];
  });

/** Reports at the later one. */
function addressesDiffer(guests: Guests, world: World): Finding[] {
  const own = devicesOf(guests);
  const networks = attachmentsOf(guests);
  if (networks.length === 0 || own.every(({ addresses }) => addresses.length === 0)) return [];
  for (const other of guestsOf(world)) {
    if (isSame(other.object, guests.object)) return [];
    if (!attachmentsOf(other).some((network) => networks.includes(network))) continue;
    const taken = devicesOf(other).flatMap(({ addresses }) => addresses.map((each) => each.split('/')[0]));
    for (const { addresses, path } of own) {
      const twice = addresses.find((each) => taken.includes(each.split('/')[0]));
      if (twice === undefined) continue;
      const { kind, metadata } = other.object;
      const cause = `${kind} "${metadata.name}" has the static address ${twice.split('/')[0]} on the same network`;
      const extra = { value: twice, type: 'FieldValueDuplicate' } as const;
      return mistake('address-unique', path, cause, 'give each guest its own', extra);
    }
  }
  return [];
}

/** Returns the fixed address of a card, as guests see it. */
function macOf(card: Json): string | undefined {
  const mac = textAt(card, 'macAddress');
  return mac && canonicalMac(mac);
}

/** Only where each card has a known address: others get one when the guest starts. */
function devicesAreCards(guests: Guests): Finding[] {
  const interfaces = listAt(guests.spec, 'domain', 'devices', 'interfaces');
  const allowed = interfaces.flatMap((iface) => macOf(iface) ?? []);
  if (allowed.length === 0 || allowed.length < interfaces.length) return [];
  if (listAt(guests.spec, 'domain', 'devices', 'hostDevices').length > 0) return [];
  return devicesOf(guests).flatMap(({ mac, path }) => {
    if (mac === undefined || allowed.includes(mac)) return [];
    const cause = `no card of the guest has the address ${mac}, so nothing of this device is applied`;
    return mistake('cloud-network-card', path, cause, 'match the macAddress of a network', { value: mac, allowed });
  });
}

const NAT_NETWORK = '10.0.2.0/24';

/** Behind masquerade, the node translates to one address of the guest: the second of the network. */
function addressIsTranslated(guests: Guests): Finding[] {
  const { spec } = guests;
  const interfaces = listAt(spec, 'domain', 'devices', 'interfaces');
  const nat = interfaces.find(({ masquerade }) => masquerade !== undefined);
  if (!nat) return [];
  const network = listAt(spec, 'networks').find(({ name }) => name === nat.name);
  const cidr = textAt(network, 'pod', 'vmNetworkCIDR') ?? NAT_NETWORK;
  if (!readCidr(cidr)) return [];
  const mac = macOf(nat);
  const list = devicesOf(guests);
  return list.flatMap(({ addresses, mac: wanted, usesDhcp, path }) => {
    // the only device of the only card, or the device of this card
    const isOfCard = wanted === undefined ? interfaces.length === 1 && list.length === 1 : wanted === mac;
    const own = addresses.map((each) => each.split('/')[0]).filter((each) => isIP(each) === 4);
    const right = secondOf(cidr);
    if (!isOfCard || usesDhcp || own.length === 0 || own.includes(right)) return [];
    const cause = `masquerade sends packets to ${right} only, and the guest has ${own.join(' and ')}`;
    return mistake('cloud-network-masquerade', path, cause, `use dhcp4: true, or the address ${right}`, {
      value: own[0],
      allowed: [right],
    });
  });
}

/** Returns the second address of an IPv4 network: the first is the gateway. */
function secondOf(cidr: string): string {
  const { prefix } = readCidr(cidr)!;
  const bits = cidr
    .split('/')[0]
    .split('.')
    .reduce((sum, part) => sum * 256 + Number(part), 0);
  const second = bits - (bits % 2 ** (32 - prefix)) + 2;
  return [24, 16, 8, 0].map((shift) => Math.floor(second / 2 ** shift) % 256).join('.');
}

/** Reports network configuration for a guest without a card. */
function configuresACard({ spec, at }: Guests): Finding[] {
  const devices = objectAt(spec, 'domain', 'devices');
  if (devices?.autoattachPodInterface !== false || listAt(devices, 'interfaces').length > 0) return [];
  if (listAt(devices, 'hostDevices').length > 0) return [];
  const i = listAt(spec, 'volumes').findIndex((volume) => textAt(volume, 'cloudInitNoCloud', 'networkData'));
  if (i < 0) return [];
  const cause = 'the guest has no network card, so nothing of this is applied';
  const remedy = 'add a network, such as VmNetwork.masquerade(), or remove the configuration';
  return mistake('cloud-network-card', at.at('volumes', i, 'cloudInitNoCloud', 'networkData'), cause, remedy);
}

const hasNetworkData = (volume: Json): boolean => textAt(volume, 'cloudInitNoCloud', 'networkData') !== undefined;

/** Network configuration of a guest, its cards and the other guests. */
export function addressRules(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  if (!guests || !listAt(guests.spec, 'volumes').some(hasNetworkData)) return [];
  return [
    ...addressesDiffer(guests, world),
    ...devicesAreCards(guests),
    ...addressIsTranslated(guests),
    ...configuresACard(guests),
  ];
}
