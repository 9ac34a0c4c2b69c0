/**
 * VMI and facts -> libvirt domain XML. Pure: no clock, files or network; same input, same bytes.
 * Each concern is a file that returns fragments; this one puts them together.
 */
import type { VirtualMachineInstance } from '../../../api';
import { balloon, rng, sound, tpm, vsock, watchdog } from './auxiliary';
import { clock } from './clock';
import { channels, consoles } from './consoles';
import { controllers } from './controllers';
import { cpu } from './cpu';
import { disks } from './disks';
import type { DomainFacts } from './facts';
import { features } from './features';
import { firmware } from './firmware';
import { graphics, inputs } from './graphics';
import { interfaces } from './interfaces';
import { iothreads } from './iothreads';
import { memory } from './memory';
import { panicDevices } from './panic';
import { smbios } from './smbios';
import { only, refuse } from './unsupported';
import { type Element, el, toXml } from './xml';

const DOMAIN_FIELDS = [
  ...['chassis', 'clock', 'cpu', 'devices', 'features', 'firmware', 'ioThreads', 'ioThreadsPolicy', 'machine'],
  // the Pod's business
  ...['memory', 'resources', 'rebootPolicy'],
];

const DEVICE_FIELDS = [
  ...['autoattachGraphicsDevice', 'autoattachInputDevice', 'autoattachMemBalloon', 'autoattachPodInterface'],
  ...['autoattachSerialConsole', 'autoattachVSOCK', 'blockMultiQueue', 'disableHotplug', 'disks', 'inputs'],
  ...['interfaces', 'logSerialConsole', 'networkInterfaceMultiqueue', 'panicDevices', 'rng', 'sound', 'tpm'],
  ...['useVirtioTransitional', 'video', 'watchdog'],
];

/** The domain as an element. */
export function renderDomain(vmi: VirtualMachineInstance, facts: DomainFacts): Element {
  const { domain } = vmi.spec;
  only(domain, 'spec.domain', DOMAIN_FIELDS);
  for (const list of ['gpus', 'hostDevices', 'filesystems'] as const) {
    if (domain.devices[list]?.length === 0) continue;
    refuse(domain.devices[list], `spec.domain.devices.${list}`, 'virt-launcher cannot attach these yet', 'remove them');
  }
  only(domain.devices, 'spec.domain.devices', [...DEVICE_FIELDS, 'gpus', 'hostDevices', 'filesystems']);
  return el(
    'domain',
    { type: facts.kvm ? 'kvm' : 'qemu' },
    el('name', {}, facts.domainName),
    ...smbios(vmi, facts),
    el('metadata', {}, el('kubevirt', { xmlns: 'http://kubevirt.io' }, el('uid', {}, vmi.metadata.uid ?? ''))),
    ...memory(domain, facts),
    ...cpu(domain, facts),
    ...iothreads(domain),
    ...firmware(vmi, facts),
    features(domain, facts),
    ...clock(domain),
    el('on_poweroff', {}, 'destroy'),
    el('on_reboot', {}, domain.rebootPolicy === 'Terminate' ? 'destroy' : 'restart'),
    el('on_crash', {}, 'destroy'),
    el(
      'devices',
      {},
      ...controllers(domain, facts),
      ...disks(domain, facts),
      ...interfaces(domain, facts),
      ...consoles(domain, facts),
      ...channels(),
      ...inputs(domain),
      ...graphics(domain, facts),
      ...sound(domain),
      ...rng(domain),
      ...watchdog(domain),
      ...tpm(domain),
      ...balloon(domain, facts),
      ...panicDevices(domain),
      ...vsock(vmi),
    ),
  );
}

/** The domain as libvirt's XML. */
export function renderDomainXml(vmi: VirtualMachineInstance, facts: DomainFacts): string {
  return toXml(renderDomain(vmi, facts));
}
