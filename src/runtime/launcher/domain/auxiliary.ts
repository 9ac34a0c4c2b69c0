/** Small devices, one function each. */
import { keys } from '../../../api/keys';
import type { VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { DomainError } from './error';
import { hasDedicatedCpus, hasHugepages, isRealtime } from './guest';
import { throughIommu } from './launch-security';
import { virtioModel } from './virtio';
import { type Child, type Element, el, onOff, yesNo } from './xml';

/** Number of USB devices that a client may redirect to the guest at the same time. */
const USB_CLIENTS = 4;

const iommuDriver = (vmi: VirtualMachineInstance): Child => throughIommu(vmi) && el('driver', { iommu: 'on' });

/** `<rng>` */
export function rng(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  if (!vmi.spec.domain.devices.rng) return [];
  const backend = el('backend', { model: 'random' }, '/dev/urandom');
  return [el('rng', { model: virtioModel(vmi.spec.domain, facts) }, backend, iommuDriver(vmi))];
}

/** `<watchdog>`: the model depends on the architecture. */
export function watchdog({ spec }: VirtualMachineInstance, { architecture }: DomainFacts): Element[] {
  const { watchdog: wanted } = spec.domain.devices;
  if (!wanted) return [];
  const at = 'spec.domain.devices.watchdog';
  if (architecture === 'arm64') throw new DomainError(at, 'arm64 has no watchdog', 'remove it');
  const model = architecture === 's390x' ? 'diag288' : 'i6300esb';
  const device = wanted[model];
  if (!device) throw new DomainError(at, `has no model that ${architecture} knows`, `set ${model}`);
  return [el('watchdog', { model, action: device.action ?? 'reset' }, el('alias', { name: `ua-${wanted.name}` }))];
}

/** `<tpm>`, emulated by swtpm. */
export function tpm({ spec }: VirtualMachineInstance): Element[] {
  const { tpm: wanted } = spec.domain.devices;
  if (!wanted || wanted.enabled === false) return [];
  const persistent = wanted.persistent ? 'yes' : undefined;
  const backend = el('backend', { type: 'emulator', version: '2.0', persistent_state: persistent });
  return [el('tpm', { model: wanted.persistent ? 'tpm-crb' : 'tpm-tis' }, backend)];
}

/** `<sound>` without an audio backend: guests need the device, not the output. */
export function sound({ spec }: VirtualMachineInstance): Element[] {
  const { sound: wanted } = spec.domain.devices;
  if (!wanted) return [];
  return [el('sound', { model: wanted.model || 'ich9' }, el('alias', { name: `ua-${wanted.name}` }))];
}

/** Pages that the guest frees are returned to the node, unless they are pinned or the guest is a realtime guest. */
function reportsFreePages(vmi: VirtualMachineInstance, { freePageReporting }: DomainFacts): boolean {
  const isPinned = hasDedicatedCpus(vmi) || isRealtime(vmi) || hasHugepages(vmi);
  const isOff = vmi.metadata.annotations?.[keys.freePageReportingDisabled] === 'true';
  return freePageReporting && !isPinned && !isOff;
}

/** `<memballoon>` */
export function balloon(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const { domain } = vmi.spec;
  if (domain.devices.autoattachMemBalloon === false) return [el('memballoon', { model: 'none' })];
  return [
    el(
      'memballoon',
      { model: virtioModel(domain, facts), freePageReporting: onOff(reportsFreePages(vmi, facts)) },
      facts.balloonStatsPeriod > 0 && el('stats', { period: facts.balloonStatsPeriod }),
      iommuDriver(vmi),
    ),
  ];
}

/** `<vsock>` with the CID that virt-controller assigned; the device supports virtio 1.0 only. */
export function vsock({ status }: VirtualMachineInstance): Element[] {
  const cid = status?.VSOCKCID;
  if (cid === undefined || cid === null) return [];
  return [el('vsock', { model: 'virtio-non-transitional' }, el('cid', { auto: yesNo(false), address: cid }))];
}

/** `<redirdev>`: sockets through which a client's USB devices are redirected. */
export function redirections({ spec }: VirtualMachineInstance, { runtimeDir }: DomainFacts): Element[] {
  if (!spec.domain.devices.clientPassthrough) return [];
  return Array.from({ length: USB_CLIENTS }, (_, i) =>
    el(
      'redirdev',
      { type: 'unix', bus: 'usb' },
      el('source', { mode: 'bind', path: `${runtimeDir}/virt-usbredir-${i}` }),
    ),
  );
}

/** `<filesystem>`: directories that a virtiofsd in the Pod shares with the guest. */
export function filesystems({ spec }: VirtualMachineInstance, { virtiofsDir }: DomainFacts): Element[] {
  const shared = (spec.domain.devices.filesystems ?? []).filter(({ virtiofs }) => virtiofs);
  return shared.map(({ name }) =>
    el(
      'filesystem',
      { type: 'mount', accessMode: 'passthrough' },
      el('source', { dir: '', socket: `${virtiofsDir}/${name}.sock` }),
      el('target', { dir: name }),
      el('driver', { type: 'virtiofs', queue: 1024 }),
    ),
  );
}
