/**
 * Renders VMI and facts as libvirt domain XML. Pure: no clock, files or network; same input, same bytes.
 * Each concern is a file that returns fragments; this one combines them.
 */
import type { VirtualMachineInstance } from '../../../api';
import { clock } from './clock';
import { commandLine } from './command-line';
import { cpu, vcpuCount } from './cpu';
import { devices } from './devices';
import type { DomainFacts } from './facts';
import { features } from './features';
import { firmware } from './firmware';
import { iothreads } from './iothreads';
import { launchSecurity } from './launch-security';
import { memory } from './memory';
import { memoryBacking } from './memory-backing';
import { guestCells, numaCells, numatune } from './numa';
import { placed } from './pci-placement';
import { cputune, pinsOf } from './pinning';
import { smbios } from './smbios';
import { type Element, el, toXml } from './xml';

/** libvirt's reaction to a reboot of the guest; if unset, libvirt restarts it. */
function rebootPolicy({ spec }: VirtualMachineInstance): Element[] {
  const { rebootPolicy: policy } = spec.domain;
  return policy ? [el('on_reboot', {}, policy === 'Terminate' ? 'destroy' : 'restart')] : [];
}

/** The domain as an element. */
export function renderDomain(vmi: VirtualMachineInstance, facts: DomainFacts): Element {
  const pins = pinsOf(vmi, facts);
  const cells = guestCells(vmi, facts, pins);
  return el(
    'domain',
    { type: facts.hypervisor, 'xmlns:qemu': 'http://libvirt.org/schemas/domain/qemu/1.0' },
    el('name', {}, facts.domainName),
    el('metadata', {}, el('kubevirt', { xmlns: 'http://kubevirt.io' }, el('uid', {}, facts.uid))),
    ...memory(vmi),
    ...memoryBacking(vmi, facts, cells),
    ...vcpuCount(vmi, facts),
    ...iothreads(vmi),
    ...cputune(pins),
    ...numatune(cells),
    smbios(vmi, facts),
    firmware(vmi, facts),
    features(vmi, facts),
    cpu(vmi, facts, numaCells(cells)),
    ...clock(vmi),
    ...rebootPolicy(vmi),
    facts.hasIommufd && el('iommufd', { enabled: 'yes', fdgroup: 'iommu' }),
    el('devices', {}, ...placed(vmi, facts, devices(vmi, facts), cells, pins)),
    ...launchSecurity(vmi, facts),
    ...commandLine(vmi, facts),
  );
}

/** The domain as libvirt's XML. */
export function renderDomainXml(vmi: VirtualMachineInstance, facts: DomainFacts): string {
  return toXml(renderDomain(vmi, facts));
}
