/** vCPUs: model, topology, and which of them exist at boot. */
import type { DomainSpec } from '../../../api';
import type { DomainFacts } from './facts';
import { guestBytes, needsNumaCell } from './memory';
import { DomainError, only, refuse } from './unsupported';
import { type Element, el } from './xml';

const FIELDS = ['cores', 'sockets', 'threads', 'maxSockets', 'model', 'features'];
const LATER = ['dedicatedCpuPlacement', 'isolateEmulatorThread', 'numa', 'realtime'] as const;

export interface Topology {
  sockets: number;
  cores: number;
  threads: number;
  /** Sockets that can exist; the rest are plugged in later. */
  maxSockets: number;
}

/** The topology that the guest sees, 1 where the VMI says nothing. */
export function topologyOf(domain: DomainSpec): Topology {
  const { cores = 1, sockets = 1, threads = 1, maxSockets = 0 } = domain.cpu ?? {};
  return { cores, sockets, threads, maxSockets: Math.max(sockets, maxSockets) };
}

/** vCPUs at boot. */
export function vcpus(domain: DomainSpec): number {
  const { sockets, cores, threads } = topologyOf(domain);
  return sockets * cores * threads;
}

/** Can vCPUs be plugged in later? */
export function hasPluggableVcpus(domain: DomainSpec): boolean {
  const { sockets, maxSockets } = topologyOf(domain);
  return maxSockets > sockets;
}

/** Emulated CPUs are the same everywhere, so a model that names the host's becomes everything that QEMU can emulate. */
function mode(model: string, kvm: boolean): { mode: string; model?: string } {
  if (model === 'host-model' || model === 'host-passthrough') return { mode: kvm ? model : 'maximum' };
  return { mode: 'custom', model };
}

function cpuElement(domain: DomainSpec, facts: DomainFacts): Element {
  const { maxSockets, cores, threads } = topologyOf(domain);
  const chosen = mode(domain.cpu?.model ?? 'host-model', facts.kvm);
  const last = maxSockets * cores * threads - 1;
  return el(
    'cpu',
    { mode: chosen.mode, match: chosen.model && 'exact', check: chosen.model && 'none' },
    chosen.model && el('model', { fallback: 'forbid' }, chosen.model),
    el('topology', { sockets: maxSockets, dies: 1, cores, threads }),
    ...(domain.cpu?.features ?? []).map(({ name, policy }) => el('feature', { policy: policy ?? 'require', name })),
    needsNumaCell(domain) &&
      el(
        'numa',
        {},
        el('cell', { id: 0, cpus: last === 0 ? '0' : `0-${last}`, memory: guestBytes(domain), unit: 'b' }),
      ),
  );
}

/** `<vcpu>`, `<vcpus>`, `<cpu>`. */
export function cpu(domain: DomainSpec, facts: DomainFacts): Element[] {
  for (const field of LATER) {
    if (domain.cpu?.[field] === false) continue;
    refuse(domain.cpu?.[field], `spec.domain.cpu.${field}`, 'virt-launcher does not support it yet', 'remove it');
  }
  only(domain.cpu, 'spec.domain.cpu', [...FIELDS, ...LATER]);
  const { maxSockets, cores, threads } = topologyOf(domain);
  const atBoot = vcpus(domain);
  const maximum = maxSockets * cores * threads;
  if (maximum > 512) {
    throw new DomainError('spec.domain.cpu', `${maximum} vCPUs are too many`, 'use at most 512 in all');
  }
  return [
    el('vcpu', { placement: 'static', current: maximum > atBoot ? atBoot : undefined }, String(maximum)),
    ...(maximum > atBoot ? [vcpuList(atBoot, maximum)] : []),
    cpuElement(domain, facts),
  ];
}

function vcpuList(atBoot: number, maximum: number): Element {
  const each = Array.from({ length: maximum }, (_, id) =>
    el('vcpu', { id, enabled: id < atBoot ? 'yes' : 'no', hotpluggable: id < atBoot ? 'no' : 'yes' }),
  );
  return el('vcpus', {}, ...each);
}
