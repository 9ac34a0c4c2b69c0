/** Who the guest thinks that its machine is: UUID, serial, vendor (SMBIOS type 1 and 3). */
import type { VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { only } from './unsupported';
import { type Element, el } from './xml';

/** `<uuid>` and `<sysinfo>`. */
export function smbios(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const { firmware, chassis } = vmi.spec.domain;
  only(firmware, 'spec.domain.firmware', ['uuid', 'serial', 'bootloader', 'kernelBoot']);
  only(chassis, 'spec.domain.chassis', ['manufacturer', 'version', 'serial', 'asset', 'sku']);
  const entries = (values: Record<string, string | undefined>): Element[] =>
    Object.entries(values).flatMap(([name, value]) => (value ? [el('entry', { name }, value)] : []));
  const system = entries({
    uuid: firmware?.uuid,
    serial: firmware?.serial,
    manufacturer: facts.smbios.manufacturer ?? 'KubeVirt',
    family: facts.smbios.family ?? 'KubeVirt',
    product: facts.smbios.product ?? 'None',
    version: facts.smbios.version,
    sku: facts.smbios.sku,
  });
  const chassisEntries = entries({ ...chassis });
  return [
    ...(firmware?.uuid ? [el('uuid', {}, firmware.uuid)] : []),
    el(
      'sysinfo',
      { type: 'smbios' },
      el('system', {}, ...system),
      chassisEntries.length > 0 && el('chassis', {}, ...chassisEntries),
    ),
  ];
}
