import { Kind } from '../registry/kind';
import { deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import {
  isDns1123Label,
  isDns1123Subdomain,
  isEndpointAddress,
  isIpAddress,
  isLabelValue,
  isPortNumber,
  isQualifiedName,
} from '../validation/names';
import { define } from './define';
import { few, textPrinter } from './printers';

interface SlicePort {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

/** An address or a port. */
interface SubsetItem extends SlicePort {
  readonly ip?: string;
  readonly hostname?: string;
  readonly nodeName?: string;
}

/** Validates that each subset has addresses and valid ports. */
function validateSubsets({ subsets }: AnyObject, fields: Fields): void {
  ((subsets ?? []) as Record<string, SubsetItem[]>[]).forEach((subset, i) => {
    const at = fields.child('subsets').index(i);
    const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
    if (!addresses.length && !notReadyAddresses.length) {
      at.required('must specify `addresses` or `notReadyAddresses`');
    }
    for (const [list, items] of Object.entries({ addresses, notReadyAddresses })) {
      items.forEach((address, j) => validateAddress(address, at.child(list).index(j)));
    }
    ports.forEach(({ name, port, protocol, appProtocol }, j) => {
      const here = at.child('ports').index(j);
      if (!name && ports.length > 1) here.child('name').required();
      else if (name) here.child('name').invalidEach(name, isDns1123Label(name));
      if (protocol && !PROTOCOLS.includes(protocol)) here.child('protocol').notSupported(protocol, PROTOCOLS);
      here.child('port').invalidEach(port ?? 0, isPortNumber(port ?? 0));
      if (appProtocol !== undefined) here.child('appProtocol').invalidEach(appProtocol, isQualifiedName(appProtocol));
    });
  });
}

function validateAddress({ ip = '', hostname, nodeName }: SubsetItem, at: Fields): void {
  at.child('ip').invalidEach(ip, isIpAddress(ip));
  if (hostname) at.child('hostname').invalidEach(hostname, isDns1123Label(hostname));
  if (nodeName !== undefined) at.child('nodeName').invalidEach(nodeName, isDns1123Subdomain(nodeName));
  at.child('ip').invalidEach(ip, isEndpointAddress(ip));
}

const MAX_ADDRESSES = 100;
const MAX_HINTS = 8;
const MAX_ENDPOINTS = 1000;
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function validateSlicePorts(ports: readonly SlicePort[], at: Fields): void {
  const names = new Set<string>();
  ports.forEach(({ name = '', protocol = 'TCP', appProtocol }, i) => {
    const here = at.index(i);
    if (name) here.child('name').invalidEach(name, isDns1123Label(name));
    if (names.has(name)) here.child('name').duplicate(name);
    names.add(name);
    if (!PROTOCOLS.includes(protocol)) here.child('protocol').notSupported(protocol, PROTOCOLS);
    if (appProtocol !== undefined) here.child('appProtocol').invalidEach(appProtocol, isQualifiedName(appProtocol));
  });
}

interface Endpoint {
  readonly addresses?: readonly string[];
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly hints?: { readonly forZones?: readonly { name: string }[]; readonly forNodes?: readonly { name: string }[] };
  deprecatedTopology?: unknown;
}

function validateEndpoint({ addresses = [], nodeName, hostname, hints }: Endpoint, type: string, at: Fields): void {
  if (!addresses.length) at.child('addresses').required('must contain at least 1 address');
  if (addresses.length > MAX_ADDRESSES) at.child('addresses').tooMany(addresses.length, MAX_ADDRESSES);
  addresses.forEach((address, i) => {
    const here = at.child('addresses').index(i);
    if (type === 'FQDN') validateDomain(address, here);
    else if (type === 'IPv4' || type === 'IPv6') {
      const wrong = isIpAddress(address);
      here.invalidEach(address, wrong);
      if (wrong.length) return;
      if (address.includes(':') !== (type === 'IPv6'))
        at.child('addresses').invalid(address, `must be an ${type} address`);
      if (!isLoopback(address)) here.invalidEach(address, isEndpointAddress(address));
    }
  });
  if (nodeName !== undefined) at.child('nodeName').invalidEach(nodeName, isDns1123Subdomain(nodeName));
  if (hostname !== undefined) at.child('hostname').invalidEach(hostname, isDns1123Label(hostname));
  for (const [list, rule] of [
    ['forZones', isLabelValue],
    ['forNodes', isDns1123Subdomain],
  ] as const) {
    const names = hints?.[list] ?? [];
    if (names.length > MAX_HINTS) at.child('hints', list).tooMany(names.length, MAX_HINTS);
    else {
      names.forEach(({ name = '' }, i) => {
        const here = at.child('hints', list).index(i).child('name');
        if (names.findIndex((item) => item.name === name) < i) here.duplicate(name);
        here.invalidEach(name, rule(name));
      });
    }
  }
}

/** Kubernetes rejects these; components of a cluster on one machine, and of tests, serve on them. */
const isLoopback = (address: string): boolean => /^127\.|^::1$/.test(address);

function validateDomain(address: string, at: Fields): void {
  const name = address.replace(/\.$/, '');
  if (!address) at.required();
  else if (isDns1123Subdomain(name).length) at.invalid(name, isDns1123Subdomain(name).join(','));
  else if (!name.includes('.')) at.invalid(name, 'should be a domain with at least two segments separated by dots');
  else {
    const label = name.split('.').find((item) => isDns1123Label(item).length);
    if (label !== undefined) at.invalid(label, isDns1123Label(label).join(','));
  }
}

/** Version 1 does not store topologies. */
function dropTopologies(endpoints: unknown): void {
  for (const endpoint of (endpoints ?? []) as Endpoint[]) delete endpoint.deprecatedTopology;
}

export const discoveryKinds: Kind[] = [
  define({
    group: 'discovery.k8s.io',
    version: 'v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    namespaced: true,
    generation: true,
    printer: textPrinter({
      AddressType: ({ addressType }) => addressType ?? '',
      Ports: ({ ports }) =>
        few(((ports ?? []) as SlicePort[]).map((item) => (item.port === undefined ? '*' : String(item.port)))),
      Endpoints: ({ endpoints }) =>
        few(((endpoints ?? []) as { addresses: string[] }[]).flatMap((item) => item.addresses)),
    }),
    defaults(slice) {
      // Go prints both lists, even when they are empty.
      slice.endpoints ??= null;
      slice.ports ??= null;
      for (const port of (slice.ports ?? []) as SlicePort[]) {
        port.name ??= '';
        port.protocol ??= 'TCP';
      }
    },
    prepareForCreate(slice, context) {
      dropTopologies(slice.endpoints);
      if (slice.addressType === 'FQDN') context.warn('spec.addressType: FQDN endpoints are deprecated');
    },
    prepareForUpdate(slice, old) {
      if (!deepEqual(slice.endpoints, old.endpoints)) dropTopologies(slice.endpoints);
      const content = ({ endpoints, ports, addressType }: AnyObject) => [endpoints, ports, addressType];
      const labelled = deepEqual(slice.metadata.labels, old.metadata.labels);
      if (deepEqual(content(slice), content(old)) && labelled) return;
      slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate({ addressType, endpoints, ports }, fields) {
      const types = ['FQDN', 'IPv4', 'IPv6'];
      if (!addressType) fields.child('addressType').required();
      else if (!types.includes(addressType)) fields.child('addressType').notSupported(addressType, types);
      validateSlicePorts((ports ?? []) as SlicePort[], fields.child('ports'));
      const list = (endpoints ?? []) as Endpoint[];
      const at = fields.child('endpoints');
      if (list.length > MAX_ENDPOINTS) at.tooMany(list.length, MAX_ENDPOINTS);
      else list.forEach((endpoint, i) => validateEndpoint(endpoint, addressType, at.index(i)));
    },
    validateUpdate(next, old, fields) {
      this.validate!(next, fields);
      if (next.addressType !== old.addressType) {
        fields.child('addressType').invalid(next.addressType, 'field is immutable');
      }
    },
  }),
  define({
    group: '',
    version: 'v1',
    kind: 'Endpoints',
    plural: 'endpoints',
    singular: 'endpoints',
    createOnUpdate: true,
    listKind: 'EndpointsList',
    deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    namespaced: true,
    shortNames: ['ep'],
    validate: validateSubsets,
    defaults({ subsets }) {
      for (const { ports = [] } of (subsets ?? []) as { ports?: { protocol?: string }[] }[]) {
        for (const port of ports) port.protocol ||= 'TCP';
      }
    },
    printer: textPrinter({
      Endpoints: ({ subsets }) => {
        const all = ((subsets ?? []) as { addresses?: { ip: string }[]; ports?: { port: number }[] }[]).flatMap(
          ({ addresses = [], ports = [] }) =>
            ports.length
              ? ports.flatMap(({ port }) =>
                  addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
                )
              : addresses.map(({ ip }) => ip),
        );
        return all.length ? few(all) : '<none>';
      },
    }),
  }),
];
