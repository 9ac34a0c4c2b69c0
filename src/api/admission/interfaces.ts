import { isIPv4 } from 'node:net';
import type { ClusterConfig } from '../cluster-config';
import { type Finding, type Path, text } from '../findings';
import type { Interface, Network, Port } from '../generated/kubevirt-v1';
import { isPortName } from '../names';
import { networksByName } from './bindings';
import { isPciAddress } from './disks';
import { interfacesAt } from './network';
import { isPort, portRanges } from './port-ranges';
import { duplicates, InstanceRule, mistake, notOneOf } from './rule';
import { mistakesOf } from '../mistakes';

const models = ['virtio', 'e1000', 'e1000e', 'igb', 'ne2k_pci', 'pcnet', 'rtl8139'];
const invalid = { type: 'FieldValueInvalid' } as const;

/** Validates name, model, addresses, ports and DHCP options of each interface. */
export const interfaceFields: InstanceRule = (spec, at, config) => {
  const networks = networksByName(spec);
  return mistakesOf(spec.domain.devices.interfaces ?? [], (iface, i) =>
    fields(iface, networks.get(iface.name), interfacesAt(at).at(i), at, config),
  );
};

function fields(
  iface: Interface,
  network: Network | undefined,
  path: Path,
  at: Path,
  config: ClusterConfig,
): Finding[] {
  const { name, model, macAddress, pciAddress } = iface;
  const own = path.at('name');
  const errors: Finding[] = [];
  if (!/^[\w-]+$/.test(name)) {
    const message =
      'Network interface name can only contain alphabetical characters, numbers, dashes (-) or underscores (_)';
    errors.push(...mistake('interface-name', own, message, 'rename the network and the interface', { value: name }));
  }
  if (model && !models.includes(model)) {
    const message = text`interface ${own} uses model ${model} that is not supported.`;
    errors.push(...notOneOf('interface-model', path.at('model'), model, models, message));
  }
  if (macAddress) {
    const problem = macProblem(macAddress);
    const message = text`interface ${own} has ${problem} MAC address (${macAddress}).`;
    const remedy = 'write it like 02:00:00:12:34:56';
    if (problem) errors.push(...mistake('mac-format', path.at('macAddress'), message, remedy, { value: macAddress }));
  }
  if (pciAddress && !isPciAddress(pciAddress)) {
    const message = text`interface ${own} has malformed PCI address (${pciAddress}).`;
    const remedy = 'write it like 0000:81:01.0';
    errors.push(...mistake('interface-pci', path.at('pciAddress'), message, remedy, { value: pciAddress }));
  }
  if (iface.ports && network?.pod) errors.push(...forwardedPorts(iface.ports, path.at('ports')));
  errors.push(...portRanges(iface, network, path, config));
  errors.push(...dhcpOptions(iface, path.at('dhcpOptions'), `${at}`));
  return errors;
}

const macForms = [
  /^[\da-f]{2}(:[\da-f]{2})+$/i,
  /^[\da-f]{2}(-[\da-f]{2})+$/i,
  /^[\da-f]{4}(\.[\da-f]{4})+$/i,
] as const;

/** Returns what is wrong with a MAC address. Ethernet has six bytes; addresses of other links are longer. */
function macProblem(text: string): string | undefined {
  const bytes = text.replace(/[^\da-f]/gi, '').length / 2;
  if (!macForms.some((form) => form.test(text)) || ![6, 8, 20].includes(bytes)) return 'malformed';
  return bytes === 6 ? undefined : 'too long';
}

function forwardedPorts(ports: readonly Port[], at: Path): Finding[] {
  return [
    ...mistakesOf(
      duplicates(ports, ({ name }) => name || undefined),
      ({ key, index }) =>
        mistake('port-name-unique', at.at(index, 'name'), `Duplicate name of the port: ${key}`, 'rename one of them', {
          value: key,
          type: 'FieldValueDuplicate',
        }),
    ),
    ...mistakesOf(ports, ({ port, protocol, name }, i) => {
      const errors: Finding[] = [];
      const path = at.at(i, 'port');
      if (name && !isPortName(name)) {
        const remedy = 'use up to 15 lower case letters, digits and dashes, with a letter';
        errors.push(
          ...mistake('port-name', at.at(i, 'name'), `Invalid name of the port: ${name}`, remedy, { value: name }),
        );
      }
      if (!port) {
        const remedy = 'set the port that the guest listens on';
        errors.push(
          ...mistake('port-required', path, 'Port field is mandatory.', remedy, { type: 'FieldValueRequired' }),
        );
      } else if (!isPort(port)) {
        const message = 'Port field must be in range 0 < x < 65536.';
        errors.push(...mistake('port-range', path, message, 'use 1 to 65535', { value: port }));
      }
      const message = 'Unknown protocol, only TCP or UDP allowed';
      errors.push(...notOneOf('port-protocol', at.at(i, 'protocol'), protocol, ['TCP', 'UDP'], message, invalid));
      return errors;
    }),
  ];
}

function dhcpOptions({ dhcpOptions: options }: Interface, at: Path, field: string): Finding[] {
  if (!options) return [];
  const own = options.privateOptions ?? [];
  const again = duplicates(own, ({ option }) => option)[0];
  const errors: Finding[] = [];
  if (again) {
    const message = 'Found Duplicates: you have provided duplicate DHCPPrivateOptions';
    const path = at.at('privateOptions', again.index, 'option');
    errors.push(...mistake('dhcp-private-unique', path, message, 'keep one', { value: again.key, field }));
  }
  const outside = mistakesOf(own, ({ option: got }, i) => {
    if (got >= 224 && got <= 254) return [];
    const message = 'provided DHCPPrivateOptions are out of range, must be in range 224 to 254';
    const path = at.at('privateOptions', i, 'option');
    return mistake('dhcp-private-range', path, message, 'use 224 to 254', { value: got, field });
  });
  const strange = mistakesOf(options.ntpServers ?? [], (server, i) => {
    if (isIPv4(server.replace(/^::ffff:/i, ''))) return [];
    const message = 'NTP servers must be a list of valid IPv4 addresses.';
    return mistake('dhcp-ntp', at.at('ntpServers', i), message, 'use IPv4 addresses', { value: server });
  });
  return [...errors, ...outside, ...strange];
}
