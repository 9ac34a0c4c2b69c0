/** Static addresses that cloud-init gives to guests, and the cards that it finds by their addresses. */
import { mistake } from '../admission/rule';
import { readCidr } from '../cidr';
import { readYaml } from '../cloud-init/yaml-text';
import { type Finding, type Path } from '../findings';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn, guestsOf } from './network-guests';
import { isObject, isSame, type Json, listAt, objectAt, read, textAt } from './read';
import type { World } from './world';

/** A device of network configuration of version 2. */
interface Device {
  readonly addresses: readonly string[];
  readonly mac?: string;
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
  return { addresses: addresses.filter(readCidr), mac: textAt(device, 'match', 'macaddress')?.toLowerCase() };
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

/** Only where each card has a known address: others get one when the guest starts. */
function devicesAreCards(guests: Guests): Finding[] {
  const interfaces = listAt(guests.spec, 'domain', 'devices', 'interfaces');
  const allowed = interfaces.flatMap((iface) => textAt(iface, 'macAddress')?.toLowerCase().replaceAll('-', ':') ?? []);
  if (allowed.length === 0 || allowed.length < interfaces.length) return [];
  if (listAt(guests.spec, 'domain', 'devices', 'hostDevices').length > 0) return [];
  return devicesOf(guests).flatMap(({ mac, path }) => {
    if (mac === undefined || allowed.includes(mac)) return [];
    const cause = `no card of the guest has the address ${mac}, so nothing of this device is applied`;
    return mistake('cloud-network-card', path, cause, 'match the macAddress of a network', { value: mac, allowed });
  });
}

/** Network configuration of a guest, its cards and the other guests. */
export function addressRules(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  if (!guests || read(guests.spec, 'volumes') === undefined) return [];
  return [...addressesDiffer(guests, world), ...devicesAreCards(guests)];
}
