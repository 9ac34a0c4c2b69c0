import { isIP } from 'node:net';
import type { Finding, Path } from '../findings';
import { type Cidr, isInCidr, readCidr } from '../cidr';
import { closest } from '../names';
import { validatePlain } from './plain';
import { validateDocument } from './schema';

/** Network configuration: cloud-init's version 1 and 2 for NoCloud, OpenStack's network_data.json for ConfigDrive. */

type Config = Readonly<Record<string, unknown>>;

/** Data source, which determines the formats. */
export type NetworkSource = 'NoCloud' | 'ConfigDrive';

const isConfig = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the mistakes in network configuration for a data source. */
export function validateNetwork(config: Config, at: Path, source: NetworkSource): Finding[] {
  const strange = validatePlain(config, at);
  if (strange.length > 0) return strange;
  return source === 'ConfigDrive' ? openStack(config, at) : versioned(config, at);
}

/** The configuration may be wrapped into a key `network`. */
function versioned(outer: Config, at: Path): Finding[] {
  const wrapped = isConfig(outer.network) && Object.keys(outer).length === 1;
  const config = wrapped ? (outer.network as Config) : outer;
  const path = wrapped ? at.at('network') : at;
  if (config.version === 1) return [...validateDocument('networkV1', config, path), ...addressesOfV1(config, path)];
  if (config.version === 2) {
    const known = validateDocument('networkV2', config, path);
    return [...known, ...misspeltKeys(config, path), ...devicesOfV2(config, path), ...addressesTwice(config, path)];
  }
  if (Array.isArray(config.links) || Array.isArray(config.networks)) {
    const message = "is OpenStack's network_data.json, which the NoCloud data source does not read";
    const remedy = 'write version 1 or 2, or use CloudInit.configDrive';
    return [{ rule: 'cloud-network-format', path: at, cause: message, remedy }];
  }
  return [
    {
      rule: 'cloud-network-version',
      path: path.at('version'),
      allowed: ['1', '2'],
      cause: config.version === undefined ? 'is missing' : 'is not a version of network configuration',
      remedy: 'add version: 2',
    },
  ];
}

/** DataSourceConfigDrive passes network_data.json to its OpenStack converter, which knows these keys. */
function openStack(config: Config, at: Path): Finding[] {
  const known = ['links', 'networks', 'services'];
  if (known.some((key) => Array.isArray(config[key])) && Object.keys(config).every((key) => known.includes(key))) {
    return [];
  }
  const message = "must be OpenStack's network_data.json: lists links, networks and services";
  const remedy = 'use CloudNetwork.openStack, or CloudInit.noCloud for version 1 or 2';
  return [{ rule: 'cloud-network-format', path: at, allowed: known, cause: message, remedy }];
}

/** netplan's keys, which cloud-init passes on. netplan may add others, so only a near miss is a mistake. */
const DEVICE_KEYS = words(
  `accept-ra activation-mode addresses critical dhcp-identifier dhcp4 dhcp4-overrides dhcp6 dhcp6-overrides gateway4
  gateway6 id interfaces ipv6-address-generation ipv6-mtu ipv6-privacy link link-local macaddress match mtu nameservers
  optional optional-addresses parameters renderer routes routing-policy set-name wakeonlan openvswitch`,
);

function misspeltKeys(config: Config, at: Path): Finding[] {
  const near = (device: Config, path: Path): Finding[] =>
    Object.keys(device).flatMap((key): Finding[] => {
      if (DEVICE_KEYS.includes(key)) return [];
      const meant = closest(key, DEVICE_KEYS) ?? closest(key.replaceAll('_', '-'), DEVICE_KEYS);
      if (meant === undefined) return [];
      const cause = 'is not a key of network configuration';
      return [{ rule: 'cloud-init-unknown-key', path: path.at(key), cause, remedy: `did you mean "${meant}"?` }];
    });
  return KINDS.flatMap((kind) =>
    Object.entries(isConfig(config[kind]) ? config[kind] : {}).flatMap(([name, device]) =>
      isConfig(device) ? near(device, at.at(kind, name)) : [],
    ),
  );
}

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

const KINDS = ['ethernets', 'bonds', 'bridges', 'vlans'] as const;

/** Reports what the schema accepts and netplan rejects in the guest: addresses without prefix, missing members. */
function devicesOfV2(config: Config, at: Path): Finding[] {
  const devices = KINDS.flatMap((kind) =>
    Object.entries(isConfig(config[kind]) ? config[kind] : {}).map(([name, device]) => ({ kind, name, device })),
  );
  const names = devices.map(({ name }) => name);
  return devices.flatMap(({ kind, name, device }) => {
    if (!isConfig(device)) return [];
    const path = at.at(kind, name);
    // with `match`, the name is only an identifier within the document
    const named = kind === 'ethernets' && device.match !== undefined ? [device['set-name'], 'set-name'] : [name];
    const errors = [
      ...longName(named[0], path.at(...named.slice(1).map(String))),
      ...cidrs(device.addresses, path.at('addresses')),
    ];
    for (const key of ['gateway4', 'gateway6'] as const) {
      const family = key === 'gateway4' ? 4 : 6;
      if (typeof device[key] !== 'string' || isIP(device[key]) === family) continue;
      const message = `is not an IPv${family} address`;
      errors.push({ rule: 'cloud-network-address', path: path.at(key), cause: message, remedy: 'write an address' });
    }
    errors.push(...gatewaysAreNear(device, path), ...nameServers(device.nameservers, path.at('nameservers')));
    const members = (Array.isArray(device.interfaces) ? device.interfaces : []).map(
      (member, i) => [member, path.at('interfaces', i)] as const,
    );
    if (kind === 'vlans') members.push([device.link, path.at('link')]);
    for (const [member, where] of members) {
      if (names.includes(member as string) && member !== name) continue;
      errors.push({
        rule: 'cloud-network-member',
        path: where,
        allowed: names.filter((each) => each !== name),
        cause: member === undefined ? 'is missing' : 'is not a device of this configuration',
        remedy: 'write the name of a device, or add the device under ethernets',
      });
    }
    if (kind === 'vlans') errors.push(...vlanId(device.id, path.at('id')));
    if (kind === 'ethernets' && device['set-name'] !== undefined && device.match === undefined) {
      const cause = 'requires match, which selects the card to rename';
      const remedy = 'add match, such as match: { macAddress: … }';
      errors.push({ rule: 'cloud-network-set-name', path: path.at('set-name'), cause, remedy });
    }
    return errors;
  });
}

/** Reports an address that two devices of a guest have. */
function addressesTwice(config: Config, at: Path): Finding[] {
  const seen = new Set<string>();
  return KINDS.flatMap((kind) =>
    Object.entries(isConfig(config[kind]) ? config[kind] : {}).flatMap(([name, device]) =>
      (isConfig(device) && Array.isArray(device.addresses) ? device.addresses : []).flatMap((each, i): Finding[] => {
        const [address] = String(each).toLowerCase().split('/');
        if (!seen.has(address)) {
          seen.add(address);
          return [];
        }
        const path = at.at(kind, name, 'addresses', i);
        const cause = 'is the address of another device, too';
        return [{ rule: 'cloud-network-unique', path, cause, remedy: 'give each device its own address' }];
      }),
    ),
  );
}

/** A gateway is on a network of the device; a route that says `on-link` has its own way. */
function gatewaysAreNear(device: Config, at: Path): Finding[] {
  const networks = (Array.isArray(device.addresses) ? device.addresses : []).map(String);
  if (device.dhcp4 === true || device.dhcp6 === true || networks.length === 0) return [];
  const isDefault = (to: unknown): boolean => ['default', '0.0.0.0/0', '::/0'].includes(String(to));
  const routes = (Array.isArray(device.routes) ? device.routes : []).map((route: unknown, i) => ({
    got: isConfig(route) && route['on-link'] !== true && isDefault(route.to) ? route.via : undefined,
    path: at.at('routes', i, 'via'),
  }));
  const given = [
    ...(['gateway4', 'gateway6'] as const).map((key) => ({ got: device[key], path: at.at(key) })),
    ...routes,
  ];
  return given.flatMap(({ got, path }): Finding[] => {
    if (typeof got !== 'string' || isIP(got) === 0 || /^fe80:/i.test(got)) return [];
    const near = networks.filter((network) => readCidr(network)?.family === isIP(got));
    if (near.length === 0 || near.some((network) => isInCidr(got, network))) return [];
    const cause = `is not in ${near.join(' or ')}: the guest cannot reach it`;
    const remedy = 'name a gateway of that network, or correct the prefix length';
    return [{ rule: 'cloud-network-gateway', path, value: got, cause, remedy }];
  });
}

function nameServers(value: unknown, at: Path): Finding[] {
  const addresses = isConfig(value) && Array.isArray(value.addresses) ? (value.addresses as unknown[]) : [];
  return addresses.flatMap((got, i): Finding[] => {
    if (typeof got !== 'string' || isIP(got.split('%')[0]) !== 0) return [];
    const cause = 'is not an IP address: a name server is found before any name';
    return [
      { rule: 'cloud-network-address', path: at.at('addresses', i), value: got, cause, remedy: 'write an address' },
    ];
  });
}

function addressesOfV1(config: Config, at: Path): Finding[] {
  return (Array.isArray(config.config) ? config.config : []).flatMap((device: unknown, i) => {
    if (!isConfig(device)) return [];
    const path = at.at('config', i);
    const subnets = (Array.isArray(device.subnets) ? device.subnets : []).flatMap((subnet: unknown, k) => {
      if (!isConfig(subnet) || !String(subnet.type).startsWith('static')) return [];
      const where = path.at('subnets', k, 'address');
      if (subnet.netmask !== undefined && isIP(String(subnet.address)) !== 0) return [];
      return cidr(subnet.address, where);
    });
    const id = device.type === 'vlan' ? vlanId(device.vlan_id, path.at('vlan_id')) : [];
    return [...(device.type === 'physical' ? [] : longName(device.name, path.at('name'))), ...subnets, ...id];
  });
}

function cidrs(value: unknown, at: Path): Finding[] {
  return Array.isArray(value) ? value.flatMap((each, i) => cidr(each, at.at(i))) : [];
}

function cidr(value: unknown, at: Path): Finding[] {
  const network = readCidr(String(value));
  if (network) return isHost(String(value), network) ? [] : notHost(at);
  const message = 'is not an address with a prefix length';
  return [
    {
      rule: 'cloud-network-address',
      path: at,
      cause: message,
      remedy: 'write it like 192.0.2.10/24 or 2001:db8::10/64',
    },
  ];
}

/** Whether a device can have the address: the first and the last of an IPv4 network are the network and all its hosts. */
function isHost(text: string, { family, prefix }: Cidr): boolean {
  if (family === 6 || prefix > 30) return true;
  const bits = text
    .split('/')[0]
    .split('.')
    .reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - prefix);
  return bits % size !== 0 && bits % size !== size - 1;
}

const notHost = (path: Path): Finding[] => [
  {
    rule: 'cloud-network-address',
    path,
    cause: 'is the address of the network or of all its hosts, which no device can have',
    remedy: 'write an address between the first and the last',
  },
];

/** Linux' IFNAMSIZ. */
function longName(name: unknown, at: Path): Finding[] {
  if (typeof name !== 'string' || Buffer.byteLength(name) <= 15) return [];
  return [{ rule: 'cloud-network-name', path: at, cause: 'has more than 15 characters', remedy: 'shorten the name' }];
}

function vlanId(id: unknown, at: Path): Finding[] {
  if (id === undefined || (typeof id === 'number' && id >= 0 && id <= 4094)) return [];
  return [{ rule: 'cloud-network-vlan', path: at, cause: 'is not a VLAN id', remedy: 'use 0 to 4094' }];
}
