/** Values of the KubeVirt object that the webhook accepts, and that break every guest or have no effect. */
import { globMatches } from '../admission/machine';
import { duplicates, mistake, nearest } from '../admission/rule';
import { ARCHITECTURES, clusterConfig, configurationProblem } from '../cluster-config';
import { type Finding, type Path, root } from '../findings';
import type { KubeVirt, KubeVirtConfiguration } from '../generated/kubevirt-v1';
import { imageProblem } from '../image-reference';
import { isDnsSubdomain } from '../names';
import { tryParseQuantity } from '../quantity';

const at = root.at('spec', 'configuration');

/** Returns the mistakes in a KubeVirt object of the right shape. */
export function platformValues(kubeVirt: KubeVirt): Finding[] {
  const given = kubeVirt.spec?.configuration;
  return [
    ...(given
      ? [
          ...isRead(given),
          ...machineTypes(kubeVirt, given),
          ...architectures(given),
          ...counts(given),
          ...cpuRequest(given),
          ...cpuModel(given),
          ...selectorsDiffer(given),
          ...bindings(given),
        ]
      : []),
    ...batchHasMethod(kubeVirt),
  ];
}

/** The platform ignores the whole configuration if one of these values is invalid. */
function isRead(given: KubeVirtConfiguration): Finding[] {
  const problem = configurationProblem(given);
  if (problem === undefined) return [];
  const field = given.network?.defaultNetworkInterface;
  const path = problem.includes('network-interface') ? at.at('network', 'defaultNetworkInterface') : at;
  const allowed = path === at ? undefined : ['bridge', 'masquerade'];
  const cause = `the platform ignores the whole configuration: ${problem}`;
  return mistake('platform-configuration', path, cause, 'correct the value', {
    ...(path === at ? {} : { value: field }),
    ...(allowed && { allowed }),
  });
}

/** Every VM without a machine type gets the default, which the webhook then rejects. */
function machineTypes(kubeVirt: KubeVirt, given: KubeVirtConfiguration): Finding[] {
  const config = clusterConfig(kubeVirt);
  // the older field is for the architecture of the control plane, which is not known
  const old = given.machineType;
  if (old) {
    const isKnown = ARCHITECTURES.some((name) => allows(config.architecture(name).emulatedMachines, old));
    return isKnown ? [] : notAllowed(at.at('machineType'), old, config.architecture('amd64').emulatedMachines);
  }
  return ARCHITECTURES.flatMap((name) => {
    const got = given.architectureConfiguration?.[name]?.machineType;
    const { emulatedMachines } = config.architecture(name);
    if (!got || allows(emulatedMachines, got)) return [];
    return notAllowed(at.at('architectureConfiguration', name, 'machineType'), got, emulatedMachines);
  });
}

const allows = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => globMatches(pattern, type));

function notAllowed(path: Path, got: string, allowed: readonly string[]): Finding[] {
  const cause = `the machine type "${got}" is not allowed, so every VM without a machine type of its own is rejected`;
  const remedy = /i440fx|^pc$/.test(got)
    ? 'use q35: i440fx machines are not supported'
    : 'use an allowed type, or add it to emulatedMachines of the architecture';
  return mistake('machine-type', path, cause, remedy, { value: got, allowed: [...allowed] });
}

function architectures({ architectureConfiguration }: KubeVirtConfiguration): Finding[] {
  const got = architectureConfiguration?.defaultArchitecture;
  if (!got || (ARCHITECTURES as readonly string[]).includes(got)) return [];
  const path = at.at('architectureConfiguration', 'defaultArchitecture');
  return mistake('architecture', path, `the platform does not run on "${got}"`, nearest(got, ARCHITECTURES), {
    value: got,
    allowed: [...ARCHITECTURES],
    type: 'FieldValueNotSupported',
  });
}

/** Numbers whose zero stops something, or means the default. */
function counts(given: KubeVirtConfiguration): Finding[] {
  const { cpuAllocationRatio, logVerbosity } = given.developerConfiguration ?? {};
  const { parallelMigrationsPerCluster: all, parallelOutboundMigrationsPerNode: own } = given.migrations ?? {};
  const developer = at.at('developerConfiguration');
  const list: readonly (readonly [Path, number | undefined, string])[] = [
    [at.at('virtualMachineInstancesPerNode'), given.virtualMachineInstancesPerNode, 'no node runs a guest'],
    [developer.at('cpuAllocationRatio'), cpuAllocationRatio, 'the default is used instead'],
    [at.at('migrations', 'parallelMigrationsPerCluster'), all, 'no guest migrates'],
    [at.at('migrations', 'parallelOutboundMigrationsPerNode'), own, 'no guest migrates'],
    ...Object.entries(logVerbosity ?? {}).flatMap(([name, value]) =>
      typeof value === 'number'
        ? [[developer.at('logVerbosity', name), value as number, 'the default is used instead'] as const]
        : [],
    ),
  ];
  return list.flatMap(([path, got, effect]) =>
    got === undefined || got >= 1
      ? []
      : mistake('platform-count', path, `${got} is not a valid number: ${effect}`, 'use 1 or more, or leave it out', {
          value: got,
        }),
  );
}

/** More than any node has. */
const MANY_CPUS = 1000n * 1_000_000_000n;

function cpuRequest({ cpuRequest: got }: KubeVirtConfiguration): Finding[] {
  const nanos = got === undefined ? undefined : tryParseQuantity(got)?.nanos;
  if (nanos === undefined || (nanos > 0n && nanos < MANY_CPUS)) return [];
  const text = String(got);
  const cause = nanos > 0n ? `${text} are more CPUs than any node has` : `${text} is not a number of CPUs`;
  const remedy = /^\d+M$/.test(text) ? `write ${text.toLowerCase()}, in thousandths of a CPU` : 'write it like 100m';
  return mistake('platform-cpu-request', at.at('cpuRequest'), cause, remedy, { value: got });
}

function cpuModel({ cpuModel: got, obsoleteCPUModels: obsolete }: KubeVirtConfiguration): Finding[] {
  if (!got || obsolete?.[got] !== true) return [];
  const cause = `obsoleteCPUModels excludes "${got}" from every node, so no VM with the default model is scheduled`;
  return mistake('cpu-model-obsolete', at.at('cpuModel'), cause, 'remove it from one of the two', { value: got });
}

/** virt-handler offers a device under the last resource whose selector matches. */
function selectorsDiffer({ permittedHostDevices: given }: KubeVirtConfiguration): Finding[] {
  const lists = [
    ['pciHostDevices', 'pciVendorSelector', given?.pciHostDevices ?? []],
    ['mediatedDevices', 'mdevNameSelector', given?.mediatedDevices ?? []],
  ] as const;
  return lists.flatMap(([list, field, devices]) => {
    const selectorOf = (device: object): string => String((device as Record<string, unknown>)[field]).toLowerCase();
    return duplicates<{ readonly resourceName: string }>(devices, selectorOf).flatMap(({ index, first }) => {
      const [own, other] = [devices[index].resourceName, devices[first].resourceName];
      if (own === other) return [];
      const cause = `the same devices are also selected for "${other}": nodes offer them under one name only`;
      const path = at.at('permittedHostDevices', list, index, field);
      return mistake('device-selector-unique', path, cause, 'keep one of the two', { type: 'FieldValueDuplicate' });
    });
  });
}

function bindings({ network }: KubeVirtConfiguration): Finding[] {
  return Object.entries(network?.binding ?? {}).flatMap(([name, plugin]) => {
    const path = at.at('network', 'binding', name);
    const { sidecarImage, networkAttachmentDefinition: nad } = plugin;
    const problem = sidecarImage ? imageProblem(sidecarImage) : undefined;
    const parts = nad?.split('/') ?? [];
    const isName = parts.length <= 2 && parts.every((part) => isDnsSubdomain(part));
    return [
      ...(problem
        ? mistake('image-reference', path.at('sidecarImage'), `"${sidecarImage}" ${problem.cause}`, problem.remedy, {
            value: sidecarImage,
          })
        : []),
      ...(isName
        ? []
        : mistake(
            'binding-attachment',
            path.at('networkAttachmentDefinition'),
            `"${nad}" is not the name of a NetworkAttachmentDefinition`,
            'write NAME, or NAMESPACE/NAME',
            { value: nad },
          )),
    ];
  });
}

/** Batches are those of evictions: migrations have limits of their own. */
function batchHasMethod({ spec }: KubeVirt): Finding[] {
  const { batchEvictionSize, batchEvictionInterval, workloadUpdateMethods = [] } = spec?.workloadUpdateStrategy ?? {};
  if (batchEvictionSize === undefined && batchEvictionInterval === undefined) return [];
  if (workloadUpdateMethods.includes('Evict')) return [];
  const field = batchEvictionSize === undefined ? 'batchEvictionInterval' : 'batchEvictionSize';
  const path = root.at('spec', 'workloadUpdateStrategy', field);
  const cause = 'no guest is evicted, so batches have no effect';
  return mistake('workload-batch-method', path, cause, 'add Evict to the methods (evict: true), or leave it out');
}
