/** Guests and the networks declared with them. */
import { mistake } from '../admission/rule';
import { type Finding, type Path } from '../findings';
import { canonicalMac } from '../mac-address';
import type { KubeObject } from '../meta';
import { fixedAddresses } from './attachment-plugins';
import { RESOURCE_ANNOTATION } from './attachments';
import { type Guests, guestsIn, guestsOf, describeObject } from './network-guests';
import { misspelt } from './names';
import { isSame, type Json, listAt, objectAt, textAt } from './read';
import { mostGuests } from './scaling';
import { subdomainIsHeadless } from './services';
import type { World } from './world';

const NAD = 'NetworkAttachmentDefinition';

interface Attached {
  readonly iface: Json;
  readonly path: Path;
  readonly network: Json;
  readonly networkPath: Path;
}

/** Returns the interfaces of a guest, each with its network. */
function attachedTo({ spec, at }: Guests): Attached[] {
  const networks = listAt(spec, 'networks');
  return listAt(spec, 'domain', 'devices', 'interfaces').flatMap((iface, i) => {
    const index = networks.findIndex(({ name }) => name === iface.name);
    if (index < 0) return [];
    const path = at.at('domain', 'devices', 'interfaces', i);
    return [{ iface, path, network: networks[index], networkPath: at.at('networks', index) }];
  });
}

/** Returns the name and namespace of the attachment that a network names. */
function attachmentOf(
  network: Json,
  { namespace }: Guests,
): { name: string; namespace?: string; text: string } | undefined {
  const text = textAt(network, 'multus', 'networkName');
  if (text === undefined) return undefined;
  const [first, second] = text.split('/');
  return second === undefined ? { name: first, namespace, text } : { name: second, namespace: first, text };
}

/** Reports a Multus network whose attachment is in another namespace or has another name. */
function networksAreAttachable(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  if (!guests || !listAt(guests.spec, 'networks').some(({ multus }) => multus)) return [];
  return attachedTo(guests).flatMap((each) => attachable(each, guests, world));
}

function attachable({ iface, path, network, networkPath }: Attached, guests: Guests, world: World): Finding[] {
  const wanted = attachmentOf(network, guests);
  if (!wanted) return [];
  const { name, namespace, text: got } = wanted;
  const found = world.find(NAD, namespace, name);
  if (found) {
    const at = networkPath.at('multus', 'networkName');
    return [
      ...(iface.sriov ? hasDevices(found, path.at('sriov')) : isBoundAsDevice(found, iface, path)),
      ...addressIsFree(found, guests, world, at),
    ];
  }
  const at = networkPath.at('multus', 'networkName');
  const all = world.all(NAD);
  const elsewhere = all.find((each) => each.name === name && each.namespace !== undefined);
  if (elsewhere && namespace !== undefined) {
    const right = `${elsewhere.namespace}/${name}`;
    const message = `${describeObject(elsewhere)} is in the namespace "${elsewhere.namespace}", not in "${namespace}"`;
    return mistake('attachment-namespace', at, message, `write ${right}`, { value: got, allowed: [right] });
  }
  const near = all.filter((each) => each.namespace === namespace).map((each) => each.name);
  const meant = elsewhere ? undefined : misspelt(name, near);
  if (meant === undefined) return [];
  return mistake('attachment-name', at, `no network attachment is called "${name}"`, `did you mean "${meant}"?`, {
    value: got,
    allowed: near,
  });
}

/** Reports a binding that the plugin of the attachment cannot serve. */
function isBoundAsDevice(attachment: KubeObject, iface: Json, path: Path): Finding[] {
  const own = ['bridge', 'masquerade', 'macvtap'].find((binding) => iface[binding] !== undefined);
  const plugin = own === undefined ? undefined : pluginOf(attachment);
  if (own === undefined || !plugin) return [];
  const who = `${NAD} "${attachment.metadata.name}"`;
  if (plugin.type === 'sriov') {
    const cause = `${who} is an SR-IOV network, but the interface is bound by ${own}`;
    return mistake('sriov-binding', path.at(own), cause, 'use the sriov binding: VmNetwork.sriov', { value: own });
  }
  const isShared = plugin.type === 'ipvlan' || (plugin.type === 'macvlan' && plugin.mode !== 'passthru');
  if (own !== 'bridge' || !isShared) return [];
  const cause = `${who} uses ${plugin.type as string}: the card accepts only the address of the Pod, so a bridged guest receives no answers`;
  const remedy = 'use a bridge of the nodes (Cni.bridge), MacvlanMode.PASSTHRU, or a binding plugin';
  return mistake('attachment-binding', path.at(own), cause, remedy, { value: own });
}

const plugins = new WeakMap<KubeObject, Json | undefined>();

/** Returns the plugin that creates the interface: the first of a chain. */
function pluginOf(attachment: KubeObject): Json | undefined {
  if (!plugins.has(attachment)) plugins.set(attachment, readPlugin(attachment));
  return plugins.get(attachment);
}

function readPlugin(attachment: KubeObject): Json | undefined {
  try {
    const config: unknown = JSON.parse(textAt(attachment, 'spec', 'config') ?? 'null');
    return textAt(config, 'type') === undefined ? listAt(config, 'plugins')[0] : objectAt({ config }, 'config');
  } catch {
    return undefined;
  }
}

/** Reports a second guest on a network that gives each of its Pods the same address. */
function addressIsFree(attachment: KubeObject, guests: Guests, world: World, path: Path): Finding[] {
  const plugin = pluginOf(attachment);
  if (!plugin || fixedAddresses(plugin).length === 0) return [];
  const who = `${NAD} "${attachment.metadata.name}"`;
  const remedy = 'use CniIpam.whereabouts, or declare an attachment for each guest';
  const extra = { type: 'FieldValueDuplicate' } as const;
  if (guests.count > 1) {
    const cause = `${who} gives the same fixed address to all ${guests.count} guests`;
    return mistake('attachment-shared-address', path, cause, remedy, extra);
  }
  const { name, namespace } = attachment.metadata;
  const first = guestsOf(world).find((each) =>
    listAt(each.spec, 'networks').some((network) => {
      const wanted = attachmentOf(network, each);
      return wanted?.name === name && wanted?.namespace === namespace;
    }),
  );
  if (!first || isSame(first.object, guests.object)) return [];
  const cause = `${who} gives a fixed address, which ${first.object.kind} "${first.object.metadata.name}" also gets`;
  return mistake('attachment-shared-address', path, cause, remedy, extra);
}

function hasDevices(attachment: KubeObject, path: Path): Finding[] {
  if (textAt(attachment, 'metadata', 'annotations', RESOURCE_ANNOTATION) !== undefined) return [];
  return mistake(
    'sriov-resource',
    path,
    `${NAD} "${attachment.metadata.name}" does not name a device pool, so the guest gets no virtual function`,
    `add the annotation ${RESOURCE_ANNOTATION} to the attachment, as Cni.sriov does`,
  );
}

interface Card extends Attached {
  readonly guests: Guests;
  readonly mac: string;
  /** Network segment. */
  readonly wire: string;
}

/** Network cards with a fixed address, by segment and address. */
const cards = new WeakMap<World, ReadonlyMap<string, readonly Card[]>>();

function cardsOf(guests: Guests): Card[] {
  if (!listAt(guests.spec, 'domain', 'devices', 'interfaces').some(({ macAddress }) => macAddress)) return [];
  return attachedTo(guests).flatMap((each) => {
    const mac = textAt(each.iface, 'macAddress');
    const wire = mac && wireOf(each, guests);
    return wire === undefined || !mac ? [] : [{ ...each, guests, mac: canonicalMac(mac), wire }];
  });
}

/** Returns the network segment; undefined where others do not see the guest's own address: behind NAT, and in the Pod. */
function wireOf({ iface, network }: Attached, guests: Guests): string | undefined {
  const wanted = attachmentOf(network, guests);
  if (wanted) return `${wanted.namespace ?? ''}/${wanted.name}`;
  return objectAt(network, 'pod') && iface.bridge ? 'the Pod network' : undefined;
}

function cardsIn(world: World): ReadonlyMap<string, readonly Card[]> {
  let found = cards.get(world);
  if (!found) {
    const map = new Map<string, Card[]>();
    for (const card of guestsOf(world).flatMap(cardsOf)) {
      const key = `${card.wire} ${card.mac}`;
      map.set(key, [...(map.get(key) ?? []), card]);
    }
    cards.set(world, (found = map));
  }
  return found;
}

/** Reports two guests with one MAC address on one network, at the later one: each would get packets of the other. */
function macAddressesDiffer(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  if (!guests) return [];
  return cardsOf(guests).flatMap(({ path, iface, mac, wire }) => {
    const at = path.at('macAddress');
    const got = iface.macAddress;
    const most = mostGuests(guests.object, world);
    if (most > 1) {
      const message = `all ${most} guests would have this MAC address`;
      return mistake('mac-unique', at, message, 'leave it out: each guest then gets its own', { value: got });
    }
    const [first] = cardsIn(world).get(`${wire} ${mac}`) ?? [];
    if (!first || isSame(first.guests.object, object)) return [];
    const { kind, metadata } = first.guests.object;
    const message = `${kind} "${metadata.name}" has this MAC address on the same network`;
    return mistake('mac-unique', at, message, 'choose another address, or leave it out', {
      value: got,
      type: 'FieldValueDuplicate',
    });
  });
}

/** Rules between guests and the networks declared with them. */
export const networkRules = (object: KubeObject, world: World): Finding[] => [
  ...networksAreAttachable(object, world),
  ...macAddressesDiffer(object, world),
  ...subdomainIsHeadless(object, world),
];
