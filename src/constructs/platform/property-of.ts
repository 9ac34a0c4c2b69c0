/** Fields of the KubeVirt object and the properties that set them. */
const properties: readonly (readonly [field: string, property: string])[] = [
  ['spec.configuration.developerConfiguration.nodeSelectors', 'configuration.nodeSelector'],
  ['spec.configuration.developerConfiguration.logVerbosity.virtLauncher', 'configuration.launcherVerbosity'],
  ['spec.configuration.developerConfiguration', 'configuration'],
  ['spec.configuration.network.binding', 'configuration.networkBindings'],
  ['spec.configuration.network.defaultNetworkInterface', 'configuration.defaultInterface'],
  ['spec.configuration.network.permitBridgeInterfaceOnPodNetwork', 'configuration.bridgeOnPodNetwork'],
  ['spec.configuration.migrations.maxDowntimeMs', 'configuration.migrations.maxDowntime'],
  ['spec.configuration.migrations.bandwidthPerMigration', 'configuration.migrations.bandwidth'],
  ['spec.configuration.migrations.parallelMigrationsPerCluster', 'configuration.migrations.parallelPerCluster'],
  [
    'spec.configuration.migrations.parallelOutboundMigrationsPerNode',
    'configuration.migrations.parallelOutboundPerNode',
  ],
  ['spec.configuration.migrations.completionTimeoutPerGiB', 'configuration.migrations.completionTimeoutPerGib'],
  ['spec.configuration.migrations', 'configuration.migrations'],
  ['spec.configuration.permittedHostDevices', 'configuration.permittedHostDevices'],
  ['spec.configuration.mediatedDevicesConfiguration', 'configuration.mediatedDevices'],
  ['spec.configuration.additionalGuestMemoryOverheadRatio', 'configuration.memoryOverheadRatio'],
  ['spec.configuration.architectureConfiguration.amd64.machineType', 'configuration.machineType'],
  ['spec.configuration.liveUpdateConfiguration.maxGuest', 'configuration.maxGuestMemory'],
  ['spec.configuration.liveUpdateConfiguration.maxCpuSockets', 'configuration.maxCpuSockets'],
  ['spec.configuration.instancetype.referencePolicy', 'configuration.instancetypeReferencePolicy'],
  ['spec.configuration.tlsConfiguration.minTLSVersion', 'configuration.leastTlsVersion'],
  ['spec.configuration.tlsConfiguration.ciphers', 'configuration.tlsCiphers'],
  ['spec.configuration.smbios', 'configuration.machineIdentity'],
  ['spec.configuration.autoCPULimitNamespaceLabelSelector', 'configuration.autoCpuLimitNamespaces'],
  ['spec.configuration.memBalloonStatsPeriod', 'configuration.memoryStatsPeriod'],
  ['spec.configuration.vmRolloutStrategy', 'configuration.rolloutStrategy'],
  ['spec.configuration.roleAggregationStrategy', 'configuration.aggregateRoles'],
  ['spec.configuration.defaultRuntimeClass', 'configuration.runtimeClass'],
  ['spec.configuration.virtualMachineInstancesPerNode', 'configuration.guestsPerNode'],
  ['spec.configuration.ksmConfiguration.nodeLabelSelector', 'configuration.ksmNodes'],
  [
    'spec.configuration.changedBlockTrackingLabelSelectors.namespaceLabelSelector',
    'configuration.changedBlockTracking.namespaces',
  ],
  [
    'spec.configuration.changedBlockTrackingLabelSelectors.virtualMachineLabelSelector',
    'configuration.changedBlockTracking.virtualMachines',
  ],
  ['spec.configuration.persistentReservationConfiguration.enabled', 'configuration.persistentReservation'],
  ['spec.configuration.virtualMachineOptions.disableSerialConsoleLog', 'configuration.serialConsoleLog'],
  ['spec.configuration.virtualMachineOptions.disableFreePageReporting', 'configuration.freePageReporting'],
  ['spec.configuration.obsoleteCPUModels', 'configuration.obsoleteCpuModels'],
  ['spec.configuration', 'configuration'],
  ['spec.infra.nodePlacement', 'infra'],
  ['spec.workloads.nodePlacement', 'workloads'],
  ['spec.workloadUpdateStrategy.batchEvictionSize', 'workloadUpdate.batchSize'],
  ['spec.workloadUpdateStrategy.batchEvictionInterval', 'workloadUpdate.batchInterval'],
  ['spec.workloadUpdateStrategy', 'workloadUpdate'],
  ['spec.uninstallStrategy', 'uninstallStrategy'],
  ['spec.certificateRotateStrategy.selfSigned.ca', 'certificates.authority'],
  ['spec.certificateRotateStrategy.selfSigned.server', 'certificates.leaf'],
  ['spec.customizeComponents.flags.api', 'customizeComponents.flags.virtApi'],
  ['spec.customizeComponents.flags.controller', 'customizeComponents.flags.virtController'],
  ['spec.customizeComponents.flags.handler', 'customizeComponents.flags.virtHandler'],
  ['spec.customizeComponents', 'customizeComponents'],
];

/** Returns the property in the user's code that sets a field of the KubeVirt object. */
export function propertyOf(field: string): string | undefined {
  const found = properties.find(
    ([start]) => field === start || (/^[.[]/.test(field.slice(start.length)) && field.startsWith(start)),
  );
  return found && found[1] + field.slice(found[0].length);
}
