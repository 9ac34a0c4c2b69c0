import { type Finding, type Message, type Path, root, text } from '../findings';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { refusal } from '../kinds/refusal';
import { canonicalQuantity, compareQuantities, tryParseQuantity } from '../quantity';
import { preferredTopology, spreadOptions } from './preference/topology';
import type { InstancetypeSpec, PreferenceSpec } from './types';

type Part = 'sockets' | 'cores' | 'threads';

/**
 * Validates that the VM meets the requirements of its preference: the spec with its defaults, and the instance
 * type where there is one. Returns the first shortfall.
 */
export function checkRequirements(
  type: InstancetypeSpec | undefined,
  preference: PreferenceSpec | undefined,
  spec: VirtualMachineInstanceSpec,
  specAt = root.at('spec'),
): Finding[] {
  if (!preference?.requirements) return [];
  for (const check of [checkCpu, checkMemory, checkArchitecture]) {
    const errors = check(type, preference, spec, specAt);
    if (errors.length > 0) return errors;
  }
  return [];
}

type Check = (
  type: InstancetypeSpec | undefined,
  preference: PreferenceSpec,
  spec: VirtualMachineInstanceSpec,
  specAt: Path,
) => Finding[];

const templateIn = (specAt: Path): Path => specAt.at('template', 'spec');
const sizedBy = (specAt: Path): Path => specAt.at('instancetype');

const checkCpu: Check = (type, preference, spec, specAt) => {
  const required = preference.requirements?.cpu?.guest;
  if (required === undefined) return [];
  if (type) {
    const message = `insufficient CPU resources of ${type.cpu.guest} vCPU provided by instance type, preference requires ${required} vCPU`;
    return type.cpu.guest < required ? unmet('cpu', sizedBy(specAt), message, 'choose a larger instance type') : [];
  }
  const at = templateIn(specAt).at('domain', 'cpu');
  const cpu = spec.domain.cpu;
  if (!cpu) {
    const message = `no CPU resources provided by VirtualMachine, preference requires ${required} vCPU`;
    return unmet('cpu', at, message, text`set ${at}.sockets to ${required}`);
  }
  const [parts, as] = countedParts(preference);
  if (parts.length === 0) return [];
  const provided = parts.reduce((product, part) => product * (cpu[part] ?? 0), 1);
  if (provided >= required) return [];
  return unmet(
    'cpu',
    parts.map((part) => at.at(part)),
    `insufficient CPU resources of ${provided} vCPU provided by VirtualMachine, preference requires ${required} vCPU provided as ${as}`,
    'raise these fields',
  );
};

/** Fields of the topology that vCPUs are spread over. */
const spread: ReadonlyMap<string, Part[]> = new Map([
  ['SocketsCores', ['sockets', 'cores']],
  ['CoresThreads', ['cores', 'threads']],
  ['SocketsCoresThreads', ['sockets', 'cores', 'threads']],
]);

/** Returns the fields of the topology whose product counts, and their names in messages. */
function countedParts(preference: PreferenceSpec): [Part[], string] {
  const topology = preferredTopology(preference);
  switch (topology) {
    case 'sockets':
    case 'cores':
    case 'threads':
      return [[topology], topology];
    case 'any':
      return [['cores', 'sockets', 'threads'], 'cores, sockets and threads'];
    case 'spread': {
      const { across } = spreadOptions(preference);
      return [spread.get(across) ?? [], across];
    }
    default:
      return [[], topology];
  }
}

const checkMemory: Check = (type, preference, spec, specAt) => {
  const required = preference.requirements?.memory?.guest;
  if (required === undefined || !tryParseQuantity(required)) return [];
  const provided = spec.domain.memory?.guest ?? type?.memory.guest ?? '0';
  if (!tryParseQuantity(provided) || compareQuantities(provided, required) >= 0) return [];
  const [path, by] = type
    ? [sizedBy(specAt), 'instance type']
    : [templateIn(specAt).at('domain', 'memory'), 'VirtualMachine'];
  return unmet(
    'memory',
    path,
    `insufficient Memory resources of ${canonicalQuantity(provided)} provided by ${by}, preference requires ${canonicalQuantity(required)}`,
    type ? 'choose a larger instance type' : 'raise memory.guest',
  );
};

const checkArchitecture: Check = (_type, preference, spec, specAt) => {
  const required = preference.requirements?.architecture;
  if (required == null || spec.architecture === required) return [];
  return unmet(
    'architecture',
    templateIn(specAt).at('architecture'),
    `preference requires architecture ${required} but ${spec.architecture ?? ''} is being requested`,
    `set the architecture to ${required}, or choose another preference`,
  );
};

function unmet(
  what: 'cpu' | 'memory' | 'architecture',
  path: Path | Path[],
  message: string,
  remedy: string | Message,
): Finding[] {
  const paths = Array.isArray(path) ? path : [path];
  return [
    refusal(
      `preference-requires-${what}`,
      paths[0],
      `failure checking preference requirements: ${message}`,
      remedy,
      // one cause for all, as KubeVirt's clients expect
      { type: 'FieldValueNotFound', ...(paths.length > 1 ? { field: paths.join(', ') } : {}) },
    ),
  ];
}
