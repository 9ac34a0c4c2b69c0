import { Kind } from '../registry/kind';
import { AnyObject, deepEqual } from '../types';
import { Fields } from '../validation/fields';
import { isIpAddress, isPortNumber } from '../validation/names';
import { define } from './define';
import { few, textPrinter } from './printers';

interface SlicePort {
  name?: string;
  port?: number;
}

/** Validates that each subset has addresses and valid ports. */
function validateSubsets({ subsets }: AnyObject, fields: Fields): void {
  ((subsets ?? []) as Record<string, { ip?: string; port?: number; name?: string }[]>[]).forEach((subset, i) => {
    const at = fields.child('subsets').index(i);
    const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
    if (!addresses.length && !notReadyAddresses.length) {
      at.required('must specify `addresses` or `notReadyAddresses`');
    }
    for (const [list, items] of Object.entries({ addresses, notReadyAddresses })) {
      items.forEach(({ ip }, j) =>
        at
          .child(list)
          .index(j)
          .child('ip')
          .invalidEach(ip ?? '', isIpAddress(ip)),
      );
    }
    ports.forEach(({ name, port }, j) => {
      const here = at.child('ports').index(j);
      if (!name && ports.length > 1) here.child('name').required();
      here.child('port').invalidEach(port ?? 0, isPortNumber(port ?? 0));
    });
  });
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
      for (const port of (slice.ports ?? []) as (SlicePort & { protocol?: string })[]) {
        port.name ??= '';
        port.protocol ??= 'TCP';
      }
    },
    prepareForUpdate(slice, old) {
      const content = ({ endpoints, ports, addressType }: AnyObject) => [endpoints, ports, addressType];
      const labelled = deepEqual(slice.metadata.labels, old.metadata.labels);
      if (deepEqual(content(slice), content(old)) && labelled) return;
      slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate({ addressType, endpoints }, fields) {
      const types = ['FQDN', 'IPv4', 'IPv6'];
      if (!addressType) fields.child('addressType').required();
      else if (!types.includes(addressType)) fields.child('addressType').notSupported(addressType, types);
      ((endpoints ?? []) as { addresses?: string[] }[]).forEach((endpoint, i) => {
        if (!endpoint.addresses?.length) {
          fields.child('endpoints').index(i).child('addresses').required('must contain at least 1 address');
        }
        if (addressType === 'FQDN') return;
        endpoint.addresses?.forEach((address, j) => {
          const at = fields.child('endpoints').index(i).child('addresses').index(j);
          const wrong = isIpAddress(address);
          at.invalidEach(address, wrong);
          if (!wrong.length && address.includes(':') !== (addressType === 'IPv6')) {
            at.invalid(address, `must be an ${addressType} address`);
          }
        });
      });
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
