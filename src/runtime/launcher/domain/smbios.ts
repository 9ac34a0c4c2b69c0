/** Identity of the guest's machine: UUID, serial, vendor (SMBIOS types 1 and 3). */
import type { VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { type Element, el } from './xml';

const entries = (values: Record<string, string | undefined>): Element[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [el('entry', { name }, value)]));

/** `<sysinfo>`. libvirt takes the domain's own UUID from it. */
export function smbios({ spec }: VirtualMachineInstance, { smbios: vendor }: DomainFacts): Element {
  const { firmware, chassis } = spec.domain;
  const { manufacturer = 'KubeVirt', family = 'KubeVirt', product = 'None', sku = '', version = '' } = vendor;
  const system = {
    uuid: firmware && (firmware.uuid ?? ''),
    serial: firmware?.serial || undefined,
    ...{ manufacturer, family, product, sku, version },
  };
  const enclosure = chassis && {
    manufacturer: chassis.manufacturer ?? '',
    version: chassis.version ?? '',
    serial: chassis.serial ?? '',
    asset: chassis.asset ?? '',
    sku: chassis.sku ?? '',
  };
  return el(
    'sysinfo',
    { type: 'smbios' },
    el('system', {}, ...entries(system)),
    // libvirt's schema rejects an empty one
    enclosure && el('chassis', {}, ...entries(enclosure)),
  );
}
