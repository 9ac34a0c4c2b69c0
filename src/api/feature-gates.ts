/** KubeVirt's feature gates and how far each has come. */

/** On unless disabled by name. */
const beta = [
  'ImageVolume',
  'Snapshot',
  'WorkloadEncryptionSEV',
  'KubevirtSeccompProfile',
  'NodeRestriction',
  'GPUsWithDRA',
  'HostDevicesWithDRA',
  'DecentralizedLiveMigration',
  'DeclarativeHotplugVolumes',
  'PasstBinding',
  'PodSecondaryInterfaceNamingUpgrade',
  'ExternalNetResourceInjection',
  'RebootPolicy',
  'Template',
  'OptOutRoleAggregation',
] as const;

/** Off unless enabled by name. */
const alpha = [
  'CPUManager',
  'ExperimentalIgnitionSupport',
  'HypervStrictCheck',
  'Sidecar',
  'HostDevices',
  'HostDisk',
  'DownwardMetrics',
  'Root',
  'WorkloadEncryptionTDX',
  'VSOCK',
  'AlignCPUs',
  'EnableVirtioFsStorageVolumes',
  'PCINUMAAwareTopology',
  'NetworkDevicesWithDRA',
  'ObjectGraph',
  'UtilityVolumes',
  'ConfigurableHypervisor',
  'IncrementalBackup',
  'ContainerPathVolumes',
  'ReservedOverheadMemlock',
  'VGPULiveMigration',
  'VMStatsCollector',
  'OCIExport',
  'Plugins',
  'GraceIOVirtualization',
  'IOMMUFD',
  'FirmwareAutoSelection',
  'MigrationStallDetection',
  'MigrationDowntimeTuning',
  'CrossArchitectureVirtualization',
  'PortRangesSpec',
] as const;

/** Always on: naming one changes nothing. */
const generallyAvailable = [
  'LiveMigration',
  'SRIOVLiveMigration',
  'NonRoot',
  'PSA',
  'CPUNodeDiscovery',
  'NUMA',
  'CommonInstancetypesDeploymentGate',
  'GPU',
  'HotplugNICs',
  'BochsDisplayForEFIGuests',
  'VMLiveUpdateFeatures',
  'NetworkBindingPlugins',
  'DynamicPodInterfaceNaming',
  'VolumesUpdateStrategy',
  'VolumeMigration',
  'DisableCustomSELinuxPolicy',
  'AutoResourceLimitsGate',
  'ClusterProfiler',
  'VMPersistentState',
  'VMExport',
  'PersistentReservation',
  'InstancetypeReferencePolicy',
  'EnableVirtioFsConfigVolumes',
  'ExpandDisks',
  'PanicDevices',
  'LiveUpdateNADRef',
  'VideoConfig',
  'SecureExecution',
  'MigrationPriorityQueue',
  'VmiMemoryOverheadReport',
  'LibvirtHooksServerAndClient',
] as const;

/** Off unless enabled by name; still work. */
const deprecated = [
  'DockerSELinuxMCSWorkaround',
  'MultiArchitecture',
  'DisableMDEVConfiguration',
  'HotplugVolumes',
] as const;

export type FeatureGate =
  (typeof beta)[number] | (typeof alpha)[number] | (typeof generallyAvailable)[number] | (typeof deprecated)[number];

/** Is it on? Precedence: GA, then `featureGates`, then `disabledFeatureGates`, then beta, else off. */
export function gateIsOn(gate: FeatureGate, enabled: readonly string[], disabled: readonly string[]): boolean {
  if ((generallyAvailable as readonly string[]).includes(gate)) return true;
  if (enabled.includes(gate)) return true;
  if (disabled.includes(gate)) return false;
  return (beta as readonly string[]).includes(gate);
}
