import type { Finding, Path } from '../findings';
import type { CPU, ResourceRequirements, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { conflictAt } from './conflict';
import { preferredTopology, spreadOptions } from './preference/topology';
import type { InstancetypeSpec, PreferenceSpec } from './types';

/** Applies the instance type's CPUs in the topology of the preference. Applies nothing when there are conflicts. */
export function applyCpu(
  type: InstancetypeSpec,
  preference: PreferenceSpec | undefined,
  spec: VirtualMachineInstanceSpec,
  at: Path,
): Finding[] {
  const cpu = (spec.domain.cpu ??= {});
  const conflicts = cpuConflicts(type, cpu, spec.domain.resources, at.at('domain'));
  if (conflicts.length > 0) return conflicts;
  const { model, dedicatedCPUPlacement: dedicatedCpuPlacement, isolateEmulatorThread, numa, realtime } = type.cpu;
  const given = {
    model,
    dedicatedCpuPlacement,
    isolateEmulatorThread,
    numa,
    realtime,
    maxSockets: type.cpu.maxSockets,
  };
  for (const [field, value] of Object.entries(given)) {
    // an explicit false, zero or empty name counts as absent
    if (value != null) (cpu as Record<string, unknown>)[field] = value ? structuredClone(value) : undefined;
  }
  Object.assign(cpu, topologyFor(type.cpu.guest, preference));
  return [];
}

function cpuConflicts(
  type: InstancetypeSpec,
  cpu: CPU,
  { requests, limits }: ResourceRequirements = {},
  path: Path,
): Finding[] {
  // the field has another name in the instance type, and conflicts are reported with that name
  const placement = path.at('cpu', 'dedicatedCPUPlacement');
  const count = { always: 'CPUs' } as const;
  const clashes: [boolean, ...Parameters<typeof conflictAt>][] = [
    [requests?.cpu !== undefined, path.at('resources', 'requests', 'cpu'), count],
    [limits?.cpu !== undefined, path.at('resources', 'limits', 'cpu'), count],
    ...(['sockets', 'cores', 'threads'] as const).map((field): (typeof clashes)[number] => [
      Boolean(cpu[field]),
      path.at('cpu', field),
      count,
    ]),
    [both(cpu.model, type.cpu.model), path.at('cpu', 'model')],
    [
      both(cpu.dedicatedCpuPlacement, type.cpu.dedicatedCPUPlacement),
      path.at('cpu', 'dedicatedCpuPlacement'),
      { field: `${placement}` },
    ],
    ...(['isolateEmulatorThread', 'numa', 'realtime'] as const).map((field): [boolean, Path] => [
      both(cpu[field], type.cpu[field]),
      path.at('cpu', field),
    ]),
  ];
  return clashes.filter(([clash]) => clash).map(([, ...conflict]) => conflictAt(...conflict));
}

/** Whether both the VM and the instance type have a value. */
const both = (own: unknown, given: unknown): boolean => Boolean(own) && given != null;

type Counts = Pick<Required<CPU>, 'cores' | 'sockets' | 'threads'>;

/** Distributes vCPUs over the topology of the preference; one vCPU is one socket. */
function topologyFor(vcpus: number, preference: PreferenceSpec | undefined): Counts {
  const one: Counts = { cores: 1, sockets: 1, threads: 1 };
  if (vcpus === 1) return one;
  switch (preferredTopology(preference)) {
    case 'cores':
      return { ...one, cores: vcpus };
    case 'threads':
      return { ...one, threads: vcpus };
    case 'sockets':
    case 'any':
      return { ...one, sockets: vcpus };
    case 'spread':
      return spread(vcpus, preference!, one);
    default:
      return one;
  }
}

function spread(vcpus: number, preference: PreferenceSpec, one: Counts): Counts {
  const { across, ratio } = spreadOptions(preference);
  switch (across) {
    case 'SocketsCores':
      return { ...one, cores: ratio, sockets: Math.floor(vcpus / ratio) };
    case 'CoresThreads':
      return { ...one, threads: ratio, cores: Math.floor(vcpus / ratio) };
    case 'SocketsCoresThreads':
      return { threads: 2, cores: ratio, sockets: Math.floor(Math.floor(vcpus / 2) / ratio) };
    default:
      return one;
  }
}
