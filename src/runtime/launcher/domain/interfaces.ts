/** NICs. Phase 1 has made their taps; QEMU opens them by name and changes nothing about them. */
import type { DomainSpec, Interface } from '../../../api';
import { vcpus } from './cpu';
import type { DomainFacts, InterfaceSource } from './facts';
import { pciAddress } from './pci';
import { DomainError, only } from './unsupported';
import { virtioModel } from './virtio';
import { type Element, el } from './xml';

const FIELDS = [
  ...['name', 'model', 'macAddress', 'bootOrder', 'pciAddress', 'state', 'acpiIndex', 'tag'],
  // phase 1 and DHCP read these
  ...['masquerade', 'bridge', 'ports', 'dhcpOptions'],
];

function interfaceElement(spec: Interface, source: InterfaceSource, domain: DomainSpec, at: string): Element {
  const virtio = (spec.model || 'virtio') === 'virtio';
  const queues = virtio && domain.devices.networkInterfaceMultiqueue ? Math.min(vcpus(domain), 256) : 1;
  return el(
    'interface',
    { type: 'ethernet' },
    el('mac', { address: source.mac }),
    el('target', { dev: source.tap, managed: 'no' }),
    el('model', { type: virtio ? virtioModel(domain) : spec.model }),
    virtio && queues > 1 && el('driver', { name: 'qemu', queues }),
    source.mtu !== undefined && virtio && el('mtu', { size: source.mtu }),
    spec.state === 'down' && el('link', { state: 'down' }),
    spec.acpiIndex !== undefined && el('acpi', { index: spec.acpiIndex }),
    spec.bootOrder !== undefined && el('boot', { order: spec.bootOrder }),
    // Without a boot order nobody boots from it, and the option ROM would only cost start time.
    spec.bootOrder === undefined && el('rom', { enabled: 'no' }),
    el('alias', { name: `ua-${spec.name}` }),
    pciAddress(spec.pciAddress, `${at}.pciAddress`),
  );
}

/** One `<interface>` per NIC that is not absent. */
export function interfaces(domain: DomainSpec, facts: DomainFacts): Element[] {
  return (domain.devices.interfaces ?? []).flatMap((spec, i) => {
    const at = `spec.domain.devices.interfaces[${i}]`;
    only(spec, at, FIELDS);
    if (spec.state === 'absent') return [];
    const source = facts.interfaces.find(({ name }) => name === spec.name);
    if (!source) {
      throw new DomainError(
        at,
        `interface "${spec.name}" was not prepared in the Pod`,
        'see the events of virt-handler',
      );
    }
    return [interfaceElement(spec, source, domain, at)];
  });
}
