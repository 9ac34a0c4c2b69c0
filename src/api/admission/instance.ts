import type { ClusterConfig } from '../cluster-config';
import type { FieldError, Path } from '../field-error';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { cpuFeaturePolicies, dedicatedCpus, numaAndRealtime, socketsWithinMax, topologyIsPositive } from './cpu';
import { assignedDevices, deviceModels, filesystemsHaveVolumes, gatedDevices, inputDevices } from './devices';
import { bootOrders, diskNames, diskOptions, disksHaveVolumes, diskTargets } from './disks';
import {
  amountsAreQuantities,
  guestMemoryFits,
  hugepagesDivideMemory,
  maxGuestIsReachable,
  memoryIsRequested,
  requestsWithinLimits,
} from './memory';
import { addressesAreUnique, interfaceOptions } from './interfaces';
import { interfaceBindings, interfacesMatchNetworks, networkSources, podNetworkRanges } from './network';
import {
  acpiTablesHaveVolumes,
  architectureIsKnown,
  bootloaderIsOne,
  firmwareUuidIsOne,
  hypervDependenciesHold,
  ioThreadsPolicyIsKnown,
  kernelBootIsComplete,
  launchSecurityIsServed,
  machineIsAllowed,
} from './platform';
import type { InstanceRule } from './rule';
import { accessCredentials, dns, hostNames, placement, probes, resourceClaims, strategies } from './scheduling';
import { singleVolumes, volumeNames, volumesHaveOneSource, volumeSourcesAreComplete } from './volumes';

/** Every rule about the spec of a running guest, in the order in which its mistakes are told. */
export const instanceRules: readonly InstanceRule[] = [
  hostNames,
  amountsAreQuantities,
  memoryIsRequested,
  guestMemoryFits,
  requestsWithinLimits,
  hugepagesDivideMemory,
  maxGuestIsReachable,
  topologyIsPositive,
  socketsWithinMax,
  cpuFeaturePolicies,
  dedicatedCpus,
  numaAndRealtime,
  architectureIsKnown,
  machineIsAllowed,
  bootloaderIsOne,
  kernelBootIsComplete,
  firmwareUuidIsOne,
  acpiTablesHaveVolumes,
  hypervDependenciesHold,
  ioThreadsPolicyIsKnown,
  launchSecurityIsServed,
  strategies,
  placement,
  interfacesMatchNetworks,
  networkSources,
  interfaceBindings,
  interfaceOptions,
  addressesAreUnique,
  podNetworkRanges,
  diskNames,
  diskTargets,
  diskOptions,
  disksHaveVolumes,
  bootOrders,
  volumeNames,
  volumesHaveOneSource,
  singleVolumes,
  volumeSourcesAreComplete,
  inputDevices,
  deviceModels,
  gatedDevices,
  assignedDevices,
  filesystemsHaveVolumes,
  probes,
  accessCredentials,
  dns,
  resourceClaims,
];

/** Every mistake in a VMI's spec, or in the template of a VM. The shape must be right already: run the schema first. */
export function validateInstanceSpec(spec: VirtualMachineInstanceSpec, at: Path, config: ClusterConfig): FieldError[] {
  return instanceRules.flatMap((rule) => rule(spec, at, config));
}
