/** Networks that Multus attaches guests to. */
import { isIP, isIPv4 } from 'node:net';
import { mistake, nearest } from '../admission/rule';
import { type Finding, root } from '../findings';
import { isInCidr, readCidr } from '../cidr';
import type { KubeObject } from '../meta';
import { isQualifiedName } from '../names';
import { pluginMistakes, versionMistakes } from './attachment-plugins';
import { isObject, type Json, listAt, objectAt, read, shown, textAt } from './read';

/** On an attachment: the device pool from which each of its Pods gets one. */
export const RESOURCE_ANNOTATION = 'k8s.v1.cni.cncf.io/resourceName';

const at = root.at('spec', 'config');
const topologies = ['layer2', 'layer3', 'localnet'];

/** Reports a configuration that its plugin would reject only when the first Pod starts. */
export function attachmentConfig(object: KubeObject): Finding[] {
  const text = textAt(object, 'spec', 'config');
  if (text === undefined) {
    const given = read(object, 'spec', 'config');
    // without a configuration, Multus reads a file of the node
    if (given === undefined || given === '') return [];
    const remedy = 'write the configuration as text: JSON.stringify({ type: "bridge", … }), or use NetworkAttachment';
    return mistake('attachment-config', at, 'the CNI configuration must be a string that contains JSON', remedy);
  }
  const config = parsed(text);
  if (!config) {
    const remedy = 'write {"cniVersion": "0.3.1", "type": "bridge", …}';
    return mistake('attachment-config', at, 'the CNI configuration is not a JSON object', remedy, { value: text });
  }
  const plugins = Array.isArray(config.plugins) ? listAt(config, 'plugins') : [config];
  const found = plugins.flatMap((plugin) => [
    ...typed(plugin),
    ...numbers(plugin),
    ...addresses(plugin),
    ...addressesFit(plugin),
    ...linkNames(plugin),
    ...pluginMistakes(plugin),
    ...(plugin.type === 'sriov' ? hasResource(object) : []),
    ...(plugin.type === 'ovn-k8s-cni-overlay' ? ovn(plugin, object) : []),
  ]);
  return [...versionMistakes(config), ...found];
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function typed(plugin: Json): Finding[] {
  if (textAt(plugin, 'type') !== undefined) return [];
  const remedy = 'add "type", such as "bridge"';
  return mistake('attachment-type', at, 'the CNI configuration does not name a plugin', remedy, {
    type: 'FieldValueRequired',
  });
}

/** Field, minimum, maximum. */
const ranges = [
  ['vlan', 0, 4094],
  ['vlanID', 1, 4094],
  ['vlanQoS', 0, 7],
  ['mtu', 0, 65535],
] as const;

/** The least that IPv4 requires of a link. */
const SMALLEST_MTU = 68;

function numbers(plugin: Json): Finding[] {
  const trunk = listAt(plugin, 'vlanTrunk').map(({ id }) => ['vlanTrunk id', 1, 4094, id] as const);
  return [...ranges.map(([field, low, high]) => [field, low, high, plugin[field]] as const), ...trunk].flatMap(
    ([field, low, high, got]) => {
      const isSmall = field === 'mtu' && Number(got) > 0 && Number(got) < SMALLEST_MTU;
      if (got === undefined || (Number.isInteger(got) && Number(got) >= low && Number(got) <= high && !isSmall))
        return [];
      if (isSmall) {
        const cause = `"mtu" is ${shown(got)}, too little for a packet of IPv4`;
        return mistake('attachment-range', at, cause, `use ${SMALLEST_MTU} or more, such as 1500`, { value: got });
      }
      return mistake('attachment-range', at, `"${field}" is ${JSON.stringify(got)}`, `use ${low} to ${high}`, {
        value: got,
      });
    },
  );
}

/** Validates the networks of host-local, whereabouts, static addresses and OVN-Kubernetes. */
function addresses(plugin: Json): Finding[] {
  const ipam = objectAt(plugin, 'ipam');
  const pools = [...(ipam ? [ipam] : []), ...listAt(ipam, 'ipRanges'), ...rangesOf(ipam)];
  const texts = (value: unknown): readonly unknown[] =>
    Array.isArray(value) ? value : value === undefined ? [] : [value];
  const cidrs = [
    ...pools.flatMap(({ subnet, range, exclude }) => [...texts(subnet), ...texts(range), ...texts(exclude)]),
    ...listAt(ipam, 'addresses').flatMap(({ address }) => texts(address)),
    ...listAt(ipam, 'routes').flatMap(({ dst }) => texts(dst)),
    ...splitTexts(plugin.subnets),
    ...splitTexts(plugin.excludeSubnets),
  ];
  return cidrs.flatMap((text) => {
    // whereabouts: FIRST-LAST/PREFIX
    const last = typeof text === 'string' ? text.trim().split('-').at(-1)! : '';
    // OVN-Kubernetes: CIDR/PREFIX OF EACH NODE
    if (readCidr(last) || readCidr(last.replace(/\/\d+$/, ''))) return [];
    const cause = `"${shown(text)}" is not a CIDR`;
    return mistake('network-cidr', at, cause, 'write one like 192.0.2.0/24', { value: text });
  });
}

/** Gateways, and the ends of ranges, belong to the network that they are of. */
function addressesFit(plugin: Json): Finding[] {
  const ipam = objectAt(plugin, 'ipam');
  return [...(ipam ? [ipam] : []), ...listAt(ipam, 'ipRanges'), ...rangesOf(ipam)].flatMap((pool) => {
    const network = textAt(pool, 'subnet') ?? textAt(pool, 'range') ?? '';
    if (!readCidr(network)) return [];
    const excluded = Array.isArray(pool.exclude) ? (pool.exclude as unknown[]) : [];
    const given = [
      ...['gateway', 'rangeStart', 'rangeEnd', 'range_start', 'range_end'].map(
        (field) => [field, pool[field]] as const,
      ),
      ...excluded.map((each) => ['exclude', each] as const),
    ];
    const outside = given.flatMap(([field, got]) => {
      if (typeof got !== 'string' || isIP(got.split('/')[0]) === 0 || isInCidr(got.split('/')[0], network)) return [];
      const cause = `"${field}" is ${got}, which is not in ${network}`;
      return mistake('attachment-address', at, cause, `use an address of ${network}`, { value: got });
    });
    const [first, last] = [textAt(pool, 'rangeStart'), textAt(pool, 'rangeEnd')];
    if (outside.length > 0 || !first || !last || !isIPv4(first) || !isIPv4(last)) return outside;
    if (numberOf(first) <= numberOf(last)) return [];
    const cause = `the range begins at ${first} and ends before it, at ${last}`;
    return mistake('attachment-address', at, cause, 'swap the two', { value: first });
  });
}

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** Linux' IFNAMSIZ, without the zero at its end. */
const LONGEST_LINK = 15;

/** Names of bridges and cards of the nodes. */
function linkNames(plugin: Json): Finding[] {
  return ['bridge', 'master'].flatMap((field) => {
    const got = textAt(plugin, field);
    if (got === undefined || (got.length <= LONGEST_LINK && !/[\s/]/.test(got))) return [];
    const what = field === 'bridge' ? 'bridge' : 'network card';
    const cause = `"${got}" cannot be the name of a ${what}: Linux takes at most ${LONGEST_LINK} characters, without spaces and slashes`;
    return mistake('attachment-bridge', at, cause, `name a ${what} that the nodes have`, { value: got });
  });
}

/** Returns the ranges; host-local has a list of lists. */
function rangesOf(ipam: Json | undefined): Json[] {
  const ranges = read(ipam, 'ranges');
  return Array.isArray(ranges) ? ranges.flat().filter(isObject) : [];
}

const splitTexts = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(',').filter((text) => text.trim() !== '') : [];

function hasResource({ metadata }: KubeObject): Finding[] {
  const got = textAt(metadata, 'annotations', RESOURCE_ANNOTATION);
  if (got !== undefined && got.includes('/') && isQualifiedName(got)) return [];
  if (got !== undefined) {
    const path = root.at('metadata', 'annotations', RESOURCE_ANNOTATION);
    const remedy = 'write the name that the device plugin offers, with its domain, such as example.com/sriov_net';
    return mistake('sriov-resource', path, `"${got}" is not the name of a resource`, remedy, { value: got });
  }
  return mistake(
    'sriov-resource',
    root.at('metadata', 'annotations', RESOURCE_ANNOTATION),
    'an SR-IOV network must name the device pool of its virtual functions, or its Pods get none',
    'name the resource that the device plugin offers, such as example.com/sriov_net',
    { type: 'FieldValueRequired' },
  );
}

function ovn(plugin: Json, { metadata }: KubeObject): Finding[] {
  const topology = textAt(plugin, 'topology') ?? '';
  const own = textAt(plugin, 'netAttachDefName') ?? '';
  const { name, namespace } = metadata;
  const [where, called] = own.includes('/') ? own.split('/') : [undefined, own];
  const isOwn = called === name && (namespace === undefined || where === namespace);
  return [
    ...(topologies.includes(topology)
      ? []
      : mistake('ovn-topology', at, `"topology" is "${topology}"`, nearest(topology, topologies), {
          value: topology,
          allowed: topologies,
        })),
    ...(isOwn
      ? []
      : mistake(
          'ovn-attachment-name',
          at,
          `"netAttachDefName" is "${own}", so OVN-Kubernetes looks for another attachment`,
          `write "${namespace ?? 'NAMESPACE'}/${name}"`,
          { value: own },
        )),
    ...(read(plugin, 'allowPersistentIPs') === true && textAt(plugin, 'subnets') === undefined
      ? mistake(
          'ovn-subnets',
          at,
          '"allowPersistentIPs" requires "subnets": without them, there is no address to keep',
          'add subnets, or leave it out',
        )
      : []),
  ];
}
