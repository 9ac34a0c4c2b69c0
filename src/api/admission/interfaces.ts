import { isIPv4 } from 'node:net';
import type { FieldError, Path } from '../field-error';
import type { Interface } from '../generated/kubevirt-v1';
import { isPortName } from '../names';
import { isPciAddress } from './disks';
import { duplicates, InstanceRule, mistake, notOneOf } from './rule';

const models = ['virtio', 'e1000', 'e1000e', 'igb', 'ne2k_pci', 'pcnet', 'rtl8139'];

const interfacesAt = (at: Path): Path => at.at('domain', 'devices', 'interfaces');

/** The small fields of an interface. */
export const interfaceOptions: InstanceRule = (spec, at) =>
  (spec.domain.devices.interfaces ?? []).flatMap((iface, i) => {
    const path = interfacesAt(at).at(i);
    const { name, macAddress, pciAddress, acpiIndex } = iface;
    return [
      ...notOneOf(
        'interface-model',
        path.at('model'),
        iface.model,
        models,
        `interface ${path.at('name')} uses model ${iface.model} that is not supported.`,
      ),
      ...notOneOf(
        'interface-state',
        path.at('state'),
        iface.state,
        ['up', 'down', 'absent'],
        `logical ${name} interface state value is unsupported: ${iface.state}`,
      ),
      ...(macAddress && !isMac(macAddress)
        ? mistake(
            'mac-format',
            path.at('macAddress'),
            `interface ${path.at('name')} has malformed MAC address (${macAddress}).`,
            'write it like 02:00:00:12:34:56',
            { got: macAddress },
          )
        : []),
      ...(pciAddress && !isPciAddress(pciAddress)
        ? mistake(
            'interface-pci',
            path.at('pciAddress'),
            `interface ${path.at('name')} has malformed PCI address (${pciAddress}).`,
            'write it like 0000:81:01.0',
            { got: pciAddress },
          )
        : []),
      ...(acpiIndex !== undefined && (acpiIndex < 1 || acpiIndex > 16383)
        ? mistake(
            'acpi-index',
            path.at('acpiIndex'),
            `interface ${name} has an ACPI index (${acpiIndex}) out of range`,
            'use 1 to 16383',
            { got: acpiIndex },
          )
        : []),
      ...portsAreForwardable(iface, path.at('ports')),
      ...dhcpOptions(iface, path.at('dhcpOptions')),
    ];
  });

export const addressesAreUnique: InstanceRule = (spec, at) =>
  duplicates(spec.domain.devices.interfaces ?? [], ({ macAddress }) => macAddress?.toLowerCase()).flatMap(
    ({ key, index }) =>
      mistake(
        'mac-unique',
        interfacesAt(at).at(index, 'macAddress'),
        `MAC address ${key} is used by another interface of this VM`,
        'give each interface its own',
        {
          got: key,
          type: 'FieldValueDuplicate',
        },
      ),
  );

/** Six bytes, by colons or dashes; not a group address. */
function isMac(text: string): boolean {
  return /^([\da-fA-F]{2}([:-]))([\da-fA-F]{2}\2){4}[\da-fA-F]{2}$/.test(text);
}

function portsAreForwardable(iface: Interface, at: Path): FieldError[] {
  const ports = iface.ports ?? [];
  return [
    ...ports.flatMap(({ port, protocol, name }, i) => [
      ...(port > 0 && port < 65536
        ? []
        : port
          ? mistake('port-range', at.at(i), 'Port field must be in range 0 < x < 65536.', 'use 1 to 65535', {
              got: port,
            })
          : mistake('port-required', at.at(i), 'Port field is mandatory.', 'say which port the guest listens on', {
              type: 'FieldValueRequired',
            })),
      ...notOneOf(
        'port-protocol',
        at.at(i, 'protocol'),
        protocol,
        ['TCP', 'UDP'],
        'Unknown protocol, only TCP or UDP allowed',
        { type: 'FieldValueInvalid' },
      ),
      ...(name && !isPortName(name)
        ? mistake(
            'port-name',
            at.at(i, 'name'),
            `Invalid name of the port: ${name}`,
            'use up to 15 lower case letters, digits and dashes, with a letter',
            { got: name },
          )
        : []),
    ]),
    ...duplicates(ports, ({ name }) => name || undefined).flatMap(({ key, index }) =>
      mistake('port-name-unique', at.at(index, 'name'), `Duplicate name of the port: ${key}`, 'rename one of them', {
        got: key,
        type: 'FieldValueDuplicate',
      }),
    ),
  ];
}

function dhcpOptions({ dhcpOptions: options }: Interface, at: Path): FieldError[] {
  if (!options) return [];
  const privateOptions = options.privateOptions ?? [];
  return [
    ...privateOptions.flatMap(({ option }, i) =>
      option >= 224 && option <= 254
        ? []
        : mistake(
            'dhcp-private-range',
            at.at('privateOptions', i, 'option'),
            `provided DHCPPrivateOptions are out of range, must be in range 224 to 254`,
            'use 224 to 254',
            { got: option },
          ),
    ),
    ...duplicates(privateOptions, ({ option }) => option).flatMap(({ key, index }) =>
      mistake(
        'dhcp-private-unique',
        at.at('privateOptions', index, 'option'),
        'Found Duplicates: you have provided duplicate DHCPPrivateOptions',
        'keep one',
        { got: key },
      ),
    ),
    ...(options.ntpServers ?? []).flatMap((server, i) =>
      isIPv4(server)
        ? []
        : mistake(
            'dhcp-ntp',
            at.at('ntpServers', i),
            'NTP servers must be a list of valid IPv4 addresses.',
            'use IPv4 addresses',
            { got: server },
          ),
    ),
  ];
}
