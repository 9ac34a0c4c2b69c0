/** vCPUs: their maximum number, their number at boot, their model. Their pins are in `pinning.ts`. */
import type { DomainSpec, VirtualMachineInstance } from '../../../api';
import { guestTopology, vcpus } from '../../../api/cpu-topology';
import type { DomainFacts } from './facts';
import { guestBytes, usesMemfd } from './memory';
import { type Element, el, yesNo } from './xml';

/** Maximum number of sockets, if vCPUs can be hotplugged: not on arm64. */
function socketsOf(domain: DomainSpec, { architecture }: Pick<DomainFacts, 'architecture'>): number {
  const { sockets, maxSockets } = guestTopology(domain);
  return architecture === 'arm64' ? sockets : maxSockets;
}

/** Maximum number of vCPUs, including those that are not present at boot. */
export function maximumVcpus(domain: DomainSpec, facts: Pick<DomainFacts, 'architecture'>): number {
  const { cores, threads } = guestTopology(domain);
  return socketsOf(domain, facts) * cores * threads;
}

/** `<vcpu>`, and `<vcpus>` if some can be hotplugged: the first socket cannot be removed. */
export function vcpuCount({ spec: { domain } }: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const count = el('vcpu', { placement: 'static' }, String(maximumVcpus(domain, facts)));
  if (!domain.cpu?.maxSockets || facts.architecture === 'arm64') return [count];
  const { cores, threads } = guestTopology(domain);
  const atBoot = vcpus(domain);
  const each = Array.from({ length: maximumVcpus(domain, facts) }, (_, id) =>
    el('vcpu', { id, enabled: yesNo(id < atBoot), hotpluggable: yesNo(id >= cores * threads) }),
  );
  return [count, el('vcpus', {}, ...each)];
}

interface Model {
  mode: string;
  model?: string;
}

function modelOf(domain: DomainSpec, facts: DomainFacts): Model {
  const wanted = domain.cpu?.model || 'host-model';
  if (wanted !== 'host-model' && wanted !== 'host-passthrough') return { mode: 'custom', model: wanted };
  // The node's own CPU has another architecture, so the guest gets everything that QEMU can emulate.
  if (facts.isForeignArchitecture) return { mode: 'custom', model: 'max' };
  return facts.emulation ? { mode: 'maximum' } : { mode: wanted };
}

/** Features in the VMI's order, with mpx disabled for named models: libvirt's own definitions still request it. */
function features(domain: DomainSpec, { architecture }: DomainFacts): Element[] {
  const { cpu } = domain;
  if (!cpu) return [];
  const listed = cpu.features ?? [];
  const isHost = cpu.model === 'host-model' || cpu.model === 'host-passthrough';
  const hidesMpx = architecture === 'amd64' && !isHost && !listed.some(({ name }) => name === 'mpx');
  return [
    ...listed.map(({ name, policy }) => el('feature', { name, policy: policy || 'require' })),
    ...(hidesMpx ? [el('feature', { name: 'mpx', policy: 'disable' })] : []),
  ];
}

/** One cell with all CPUs and memory: memory from a memfd requires a cell if the guest has no NUMA layout of its own. */
function numaOfMemfd(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const { domain } = vmi.spec;
  if (domain.cpu?.numa || !usesMemfd(vmi, facts)) return [];
  const memory = Math.floor(guestBytes(domain) / 1024);
  const cpus = `0-${maximumVcpus(domain, facts) - 1}`;
  return [el('numa', {}, el('cell', { id: 0, cpus, memory, unit: 'KiB' }))];
}

/** `<cpu>`, with the NUMA cells of the node's layout, if any. */
export function cpu(vmi: VirtualMachineInstance, facts: DomainFacts, cells: readonly Element[]): Element {
  const { domain } = vmi.spec;
  const { cores, threads } = guestTopology(domain);
  const { mode, model } = modelOf(domain, facts);
  return el(
    'cpu',
    // An emulated CPU has only the features of its model that QEMU emulates; libvirt would refuse to start it with fewer.
    { mode, check: model && facts.emulation ? 'none' : undefined },
    model && el('model', {}, model),
    ...features(domain, facts),
    el('topology', { sockets: socketsOf(domain, facts), cores, threads }),
    ...(cells.length > 0 ? [el('numa', {}, ...cells)] : numaOfMemfd(vmi, facts)),
  );
}
