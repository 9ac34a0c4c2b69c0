import type { Path } from '../../api/findings';
import type { CloudDevice, CloudDhcpOverrides, CloudEthernet, CloudNetworkV2Props } from './cloud-network-v2';
import { type Config, given } from './given';

/** Renders a network configuration of version 2. Pure. */

function each<T>(key: string, named: { readonly [name: string]: T } | undefined, render: (value: T) => Config): Config {
  if (named === undefined) return {};
  return { [key]: Object.fromEntries(Object.entries(named).map(([name, value]) => [name, render(value)])) };
}

export function renderV2({ ethernets, bonds, bridges, vlans, renderer }: CloudNetworkV2Props): Config {
  return {
    version: 2,
    ...given('renderer', renderer?.value),
    ...each('ethernets', ethernets, renderEthernet),
    ...each('bonds', bonds, (bond) => ({
      interfaces: bond.interfaces,
      ...parameters({ ...given('mode', bond.mode?.value), ...bond.parameters }),
      ...renderDevice(bond),
    })),
    ...each('bridges', bridges, (bridge) => ({
      interfaces: bridge.interfaces ?? [],
      ...parameters({ ...given('stp', bridge.stp), ...bridge.parameters }),
      ...renderDevice(bridge),
    })),
    ...each('vlans', vlans, (vlan) => ({ id: vlan.id, link: vlan.link, ...renderDevice(vlan) })),
  };
}

const parameters = (all: Config): Config => (Object.keys(all).length > 0 ? { parameters: all } : {});

function renderEthernet(card: CloudEthernet): Config {
  const { match, setName, wakeOnLan } = card;
  return {
    ...(match
      ? {
          match: {
            ...given('name', match.name),
            // cloud-init compares MAC addresses in lower case
            ...given('macaddress', match.macAddress?.toLowerCase()),
            ...given('driver', match.driver),
          },
        }
      : {}),
    ...given('set-name', setName),
    ...given('wakeonlan', wakeOnLan),
    ...renderDevice(card),
  };
}

function renderDevice(device: CloudDevice): Config {
  const { dhcp4Overrides, dhcp6Overrides, routes, nameservers } = device;
  return {
    ...given('dhcp4', device.dhcp4),
    ...given('dhcp6', device.dhcp6),
    ...given('dhcp4-overrides', dhcp4Overrides && renderOverrides(dhcp4Overrides)),
    ...given('dhcp6-overrides', dhcp6Overrides && renderOverrides(dhcp6Overrides)),
    ...given('addresses', device.addresses),
    ...given(
      'routes',
      routes?.map(({ to, via, metric }) => ({ to, via, ...given('metric', metric) })),
    ),
    ...given(
      'nameservers',
      nameservers && { addresses: nameservers.addresses, ...given('search', nameservers.search) },
    ),
    ...given('mtu', device.mtu),
    ...given('optional', device.optional),
  };
}

function renderOverrides(overrides: CloudDhcpOverrides): Config {
  return {
    ...given('use-dns', overrides.useDns),
    ...given('use-routes', overrides.useRoutes),
    ...given('use-mtu', overrides.useMtu),
    ...given('use-hostname', overrides.useHostname),
    ...given('use-ntp', overrides.useNtp),
    ...given('route-metric', overrides.routeMetric),
  };
}

const camel = (key: string): string => key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const PROPERTIES = new Map([
  ['macaddress', 'macAddress'],
  ['wakeonlan', 'wakeOnLan'],
]);

/** Returns the property that sets a key of the document. */
export function locateInV2(path: Path): string {
  return path.parts
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`;
      // the second part is a device name that the user chose
      return `${i === 0 ? '' : '.'}${i === 1 ? part : (PROPERTIES.get(part) ?? camel(part))}`;
    })
    .join('');
}
