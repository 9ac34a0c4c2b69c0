import type { FieldError } from '../api/field-error';

/**
 * Rules about one value, whatever else the object holds: told where the value is written, at construction. All others
 * are told at synth, when the object is whole: a facet may still complete it.
 */
const aboutOneValue = new Set([
  'acpi-volume',
  'architecture',
  'block-size',
  'boot-order-positive',
  'cdrom-bus',
  'cloud-init-size',
  'cpu-most',
  'cpu-positive',
  'credential-users',
  'dhcp-ntp',
  'dhcp-private-range',
  'disk-bus',
  'disk-cache',
  'disk-error-policy',
  'disk-io',
  'disk-name',
  'disk-pci',
  'disk-serial',
  'disk-serial-length',
  'dns-policy',
  'eviction-strategy',
  'firmware-uuid',
  'guest-memory-tiny',
  'host-disk-path',
  'host-disk-type',
  'hostname',
  'image-path',
  'input-type',
  'interface-name',
  'interface-pci',
  'interface-state',
  'label',
  'mac-format',
  'mac-reserved',
  'name',
  'name-length',
  'node-selector',
  'panic-model',
  'port-name',
  'port-protocol',
  'port-range',
  'preferred-topology',
  'run-strategy',
  'sound-name',
  'start-strategy',
  'subdomain',
  'update-volumes-strategy',
  'video-type',
  'volume-source-named',
  'watchdog-type',
]);

/** Is this a mistake in a value itself, so that no later change of another property mends it? */
export function isAboutOneValue({ rule }: FieldError): boolean {
  return aboutOneValue.has(rule) || (rule.startsWith('schema-') && rule !== 'schema-required');
}
