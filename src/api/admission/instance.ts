import type { ClusterConfig } from '../cluster-config';
import { gateNotice } from '../feature-gates';
import { Finding, Path, root } from '../findings';
import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { accessCredentials } from './access-credentials';
import { architectureHasDevices } from './architecture';
import { interfaceBindings, interfaceStates } from './bindings';
import {
  cpuAmounts,
  cpuFeaturePolicies,
  dedicatedCpus,
  isolatedEmulator,
  numaPassthrough,
  realtime,
  socketsWithinMax,
  vcpusFit,
} from './cpu';
import {
  filesystemsAreServed,
  gatedDevices,
  hostDevices,
  inputDevices,
  ioThreads,
  oneRamFramebuffer,
  panicDevices,
  rebootPolicy,
  soundDevice,
  videoDevice,
} from './devices';
import { diskFields, disksHaveVolumes } from './disks';
import { dns } from './dns';
import { resourceClaims } from './dra';
import { acpiTablesHaveVolumes, bootloaderIsOne, kernelBootIsComplete, secureBootHasSmm } from './firmware';
import { graceAnnotations, graceGpus } from './grace';
import { hypervDependenciesHold } from './hyperv';
import { interfaceFields } from './interfaces';
import { launchSecurityIsServed } from './launch-security';
import { evictionStrategy, gracePeriod, probes, startStrategy } from './lifecycle';
import { machineIsAllowed } from './machine';
import {
  guestIsNotNegative,
  guestWithinLimit,
  hugepages,
  memoryIsNamed,
  memoryLimit,
  memoryRequest,
  reservedOverhead,
} from './memory';
import { validateInstanceMetadata } from './metadata';
import { guestNames, serviceAccount } from './names';
import {
  claimedNetworks,
  discontinuedBindings,
  interfacesMatchNetworks,
  networksAreUnique,
  networkSources,
  onePodNetwork,
} from './network';
import { InstanceRule, mistake } from './rule';
import { affinity, topologySpread } from './scheduling';
import { containerDisks, noUtilityVolumes, volumes, volumesAreAttached } from './volumes';

/** Rules about networks. Those of VMIs come first. */
const networkRules: readonly InstanceRule[] = [
  onePodNetwork,
  networkSources,
  interfaceStates,
  interfaceBindings,
  networksAreUnique,
  claimedNetworks,
  interfacesMatchNetworks,
  interfaceFields,
];

/** Rules about volumes and disks. Those of VMIs come first. */
const storageRules: readonly InstanceRule[] = [containerDisks, noUtilityVolumes, diskFields];

/** Every rule about the spec of a guest, in the order of its findings. */
export const instanceRules: readonly InstanceRule[] = [
  guestNames,
  memoryRequest,
  memoryLimit,
  guestIsNotNegative,
  hugepages,
  guestWithinLimit,
  machineIsAllowed,
  acpiTablesHaveVolumes,
  cpuAmounts,
  dedicatedCpus,
  numaPassthrough,
  isolatedEmulator,
  cpuFeaturePolicies,
  socketsWithinMax,
  vcpusFit,
  startStrategy,
  gracePeriod,
  realtime,
  affinity,
  topologySpread,
  ...networkRules,
  resourceClaims,
  disksHaveVolumes,
  inputDevices,
  ioThreads,
  probes,
  diskFields,
  bootloaderIsOne,
  kernelBootIsComplete,
  secureBootHasSmm,
  volumes,
  containerDisks,
  noUtilityVolumes,
  accessCredentials,
  dns,
  evictionStrategy,
  oneRamFramebuffer,
  hostDevices,
  graceGpus,
  soundDevice,
  launchSecurityIsServed,
  gatedDevices,
  filesystemsAreServed,
  videoDevice,
  panicDevices,
  rebootPolicy,
  reservedOverhead,
  serviceAccount,
];

/**
 * Returns every mistake in a VMI's spec, or in the template of a VM. The spec must have the right shape (run the schema
 * first) and its canonical form.
 */
export function validateInstanceSpec(spec: VirtualMachineInstanceSpec, at: Path, config: ClusterConfig): Finding[] {
  return findings(instanceRules, spec, at, config);
}

function findings(
  rules: readonly InstanceRule[],
  spec: VirtualMachineInstanceSpec,
  at: Path,
  config: ClusterConfig,
): Finding[] {
  const errors: Finding[] = [];
  for (const rule of rules) {
    const found = rule(spec, at, config);
    if (found.length > 0) errors.push(...found);
  }
  return errors;
}

/** Most causes in one response. */
const MOST_CAUSES = 10;

/**
 * Returns as many mistakes as fit into a response, each once. KubeVirt's responses end at the same place, so clients get
 * the same causes for a very broken object.
 */
export function firstCauses(errors: Finding[]): Finding[] {
  if (errors.length < 2) return errors;
  const reported = new Set<string>();
  return errors.slice(0, MOST_CAUSES).filter(({ rule, path, cause: message }) => {
    const key = `${rule} ${path} ${message}`;
    return !reported.has(key) && reported.add(key);
  });
}

/** Returns every mistake in a VMI with its defaults, by rules that do not all apply to a VM. */
export function validateInstance(
  { metadata, spec }: VirtualMachineInstance,
  config: ClusterConfig,
  trusted: boolean,
  at = root.at('spec'),
): Finding[] {
  const meta = root.at('metadata');
  const ofSpec = validateInstanceSpec(spec, at, config);
  // reported twice, which only changes how many further causes fit into the response
  const first = ofSpec.length > 0 ? [networkRules, storageRules] : [];
  return [
    ...featuresOfNamedGates(spec, at, config),
    ...discontinuedBindings(spec, at, config),
    ...first.flatMap((rules) => findings(rules, spec, at, config)),
    ...ofSpec,
    ...volumesAreAttached(spec, at),
    ...memoryIsNamed(spec, at),
    ...validateInstanceMetadata(metadata, meta, config, trusted),
    ...graceAnnotations(metadata.annotations ?? {}, meta, spec, config),
    ...hypervDependenciesHold(spec, at, config),
    ...architectureHasDevices(spec, at, config),
  ];
}

/** Reports a discontinued feature under its feature gate, when the configuration names the gate. */
export function featuresOfNamedGates(spec: VirtualMachineInstanceSpec, at: Path, config: ClusterConfig): Finding[] {
  const interfaces = spec.domain.devices?.interfaces ?? [];
  return (['Passt', 'Macvtap'] as const).flatMap((gate) => {
    const binding = gate === 'Passt' ? 'passt' : 'macvtap';
    const i = interfaces.findIndex((iface) => iface[binding]);
    if (i < 0 || !config.namedGates.includes(gate)) return [];
    const path = at.at('domain', 'devices', 'interfaces', i, binding);
    const remedy = gate === 'Passt' ? 'use passtBinding: {}' : 'use bridge: {}';
    const extra = { type: 'FieldValueNotSupported', field: '' } as const;
    return mistake('gate-discontinued', path, gateNotice(gate)!, remedy, extra);
  });
}
