/** NICs. Phase 1 has created their taps; QEMU opens them by name and does not configure them. */
import type { Interface, VirtualMachineInstance } from '../../../api';
import { networkQueues } from '../../../api/cpu-topology';
import type { DomainFacts, InterfaceSource } from './facts';
import { DomainError } from './error';
import { passt } from './interfaces/passt';
import { iommuOf, throughIommu } from './launch-security';
import { pciAddress } from './pci';
import { virtioModel } from './virtio';
import { type Child, type Element, el } from './xml';

function virtioDriver(vmi: VirtualMachineInstance, { hasVhostNet }: DomainFacts): Child {
  const queues = networkQueues(vmi.spec.domain);
  if (!queues && !throughIommu(vmi)) return undefined;
  return el('driver', { name: hasVhostNet ? 'vhost' : 'qemu', queues, iommu: iommuOf(vmi) });
}

/** Elements that only a NIC on a tap has. */
function tapParts(vmi: VirtualMachineInstance, spec: Interface, source: InterfaceSource, facts: DomainFacts): TapParts {
  const { bootOrder } = spec;
  // Guests do not boot from it, and the option ROM would only cost start time; s390x has none.
  const isRomUseless = facts.architecture !== 's390x' && (bootOrder === undefined || throughIommu(vmi));
  return {
    target: source.tap ? el('target', { dev: source.tap, managed: 'no' }) : undefined,
    mtu: source.mtu === undefined ? undefined : el('mtu', { size: source.mtu }),
    boot: bootOrder === undefined ? undefined : el('boot', { order: bootOrder }),
    link: spec.state === 'down' ? el('link', { state: 'down' }) : undefined,
    rom: isRomUseless ? el('rom', { enabled: 'no' }) : undefined,
  };
}

type TapParts = Record<'target' | 'mtu' | 'boot' | 'link' | 'rom', Child>;
const NO_TAP: TapParts = { target: undefined, mtu: undefined, boot: undefined, link: undefined, rom: undefined };

function interfaceElement(
  vmi: VirtualMachineInstance,
  spec: Interface,
  source: InterfaceSource,
  facts: DomainFacts,
  at: string,
): Element {
  const isVirtio = !spec.model || spec.model === 'virtio';
  const isTap = (source.attachment ?? 'tap') === 'tap';
  const user = isTap || !spec.passtBinding ? undefined : passt(vmi, spec, source, facts, at);
  const tap = isTap ? tapParts(vmi, spec, source, facts) : NO_TAP;
  const mac = source.mac ?? (spec.macAddress || undefined);
  return el(
    'interface',
    { type: isTap ? 'ethernet' : user ? 'vhostuser' : '' },
    pciAddress(spec.pciAddress, `${at}.pciAddress`),
    user?.source ?? el('source'),
    tap.target,
    el('model', { type: isVirtio ? virtioModel(vmi.spec.domain, facts) : spec.model }),
    mac && el('mac', { address: mac }),
    tap.mtu,
    tap.boot,
    tap.link,
    el('alias', { name: `ua-${spec.name}` }),
    isVirtio && virtioDriver(vmi, facts),
    tap.rom,
    spec.acpiIndex && spec.acpiIndex > 0 ? el('acpi', { index: spec.acpiIndex }) : undefined,
    ...(user ? [user.backend, ...user.forwards] : []),
  );
}

/** Whether another part of the domain, or a plugin's sidecar, adds this NIC. */
function isElsewhere({ binding, sriov, slirp }: Interface, source: InterfaceSource | undefined): boolean {
  return Boolean(sriov || slirp || (binding && (source?.attachment ?? 'none') !== 'tap'));
}

/** One `<interface>` per NIC that is not absent, except host devices. */
export function interfaces(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const networks = new Set((vmi.spec.networks ?? []).map(({ name }) => name));
  const sources = new Map(facts.interfaces.map((source) => [source.name, source]));
  return (vmi.spec.domain.devices.interfaces ?? []).flatMap((spec, i) => {
    if (spec.state === 'absent') return [];
    const at = `spec.domain.devices.interfaces[${i}]`;
    if (!networks.has(spec.name)) {
      throw new DomainError(at, `interface "${spec.name}" has no network`, 'add a network of this name');
    }
    const source = sources.get(spec.name);
    if (isElsewhere(spec, source)) return [];
    if (!source) {
      throw new DomainError(
        at,
        `interface "${spec.name}" was not prepared in the Pod`,
        'see the events of virt-handler',
      );
    }
    return [interfaceElement(vmi, spec, source, facts, at)];
  });
}
