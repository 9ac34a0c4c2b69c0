/** Stage of a feature gate, which decides its default. */
type Stage = 'alpha' | 'beta' | 'generallyAvailable' | 'deprecated' | 'discontinued';

/** KubeVirt's feature gates. */
const stages = {
  // on unless disabled by name
  ImageVolume: 'beta',
  Snapshot: 'beta',
  WorkloadEncryptionSEV: 'beta',
  KubevirtSeccompProfile: 'beta',
  NodeRestriction: 'beta',
  GPUsWithDRA: 'beta',
  HostDevicesWithDRA: 'beta',
  DecentralizedLiveMigration: 'beta',
  DeclarativeHotplugVolumes: 'beta',
  PasstBinding: 'beta',
  PodSecondaryInterfaceNamingUpgrade: 'beta',
  ExternalNetResourceInjection: 'beta',
  RebootPolicy: 'beta',
  Template: 'beta',
  OptOutRoleAggregation: 'beta',
  // off unless enabled by name
  CPUManager: 'alpha',
  ExperimentalIgnitionSupport: 'alpha',
  HypervStrictCheck: 'alpha',
  Sidecar: 'alpha',
  HostDevices: 'alpha',
  HostDisk: 'alpha',
  DownwardMetrics: 'alpha',
  Root: 'alpha',
  WorkloadEncryptionTDX: 'alpha',
  VSOCK: 'alpha',
  AlignCPUs: 'alpha',
  EnableVirtioFsStorageVolumes: 'alpha',
  PCINUMAAwareTopology: 'alpha',
  NetworkDevicesWithDRA: 'alpha',
  ObjectGraph: 'alpha',
  UtilityVolumes: 'alpha',
  ConfigurableHypervisor: 'alpha',
  IncrementalBackup: 'alpha',
  ContainerPathVolumes: 'alpha',
  ReservedOverheadMemlock: 'alpha',
  VGPULiveMigration: 'alpha',
  VMStatsCollector: 'alpha',
  OCIExport: 'alpha',
  Plugins: 'alpha',
  GraceIOVirtualization: 'alpha',
  IOMMUFD: 'alpha',
  FirmwareAutoSelection: 'alpha',
  MigrationStallDetection: 'alpha',
  MigrationDowntimeTuning: 'alpha',
  CrossArchitectureVirtualization: 'alpha',
  PortRangesSpec: 'alpha',
  // always on: listing one has no effect
  LiveMigration: 'generallyAvailable',
  SRIOVLiveMigration: 'generallyAvailable',
  NonRoot: 'generallyAvailable',
  PSA: 'generallyAvailable',
  CPUNodeDiscovery: 'generallyAvailable',
  NUMA: 'generallyAvailable',
  CommonInstancetypesDeploymentGate: 'generallyAvailable',
  GPU: 'generallyAvailable',
  HotplugNICs: 'generallyAvailable',
  BochsDisplayForEFIGuests: 'generallyAvailable',
  VMLiveUpdateFeatures: 'generallyAvailable',
  NetworkBindingPlugins: 'generallyAvailable',
  DynamicPodInterfaceNaming: 'generallyAvailable',
  VolumesUpdateStrategy: 'generallyAvailable',
  VolumeMigration: 'generallyAvailable',
  DisableCustomSELinuxPolicy: 'generallyAvailable',
  AutoResourceLimitsGate: 'generallyAvailable',
  ClusterProfiler: 'generallyAvailable',
  VMPersistentState: 'generallyAvailable',
  VMExport: 'generallyAvailable',
  PersistentReservation: 'generallyAvailable',
  InstancetypeReferencePolicy: 'generallyAvailable',
  EnableVirtioFsConfigVolumes: 'generallyAvailable',
  ExpandDisks: 'generallyAvailable',
  PanicDevices: 'generallyAvailable',
  LiveUpdateNADRef: 'generallyAvailable',
  VideoConfig: 'generallyAvailable',
  SecureExecution: 'generallyAvailable',
  MigrationPriorityQueue: 'generallyAvailable',
  VmiMemoryOverheadReport: 'generallyAvailable',
  LibvirtHooksServerAndClient: 'generallyAvailable',
  // off unless enabled by name; still work
  DockerSELinuxMCSWorkaround: 'deprecated',
  MultiArchitecture: 'deprecated',
  DisableMDEVConfiguration: 'deprecated',
  HotplugVolumes: 'deprecated',
  // their features are discontinued
  ExperimentalVirtiofsSupport: 'discontinued',
  Passt: 'discontinued',
  Macvtap: 'discontinued',
  PasstIPStackMigration: 'discontinued',
} as const satisfies Record<string, Stage>;

export type FeatureGate = keyof typeof stages;

/** Every gate, in the order of the table above. */
export const featureGates = Object.keys(stages) as readonly FeatureGate[];

/** Returns the stage of a gate; undefined for an unknown one. */
export function gateStage(gate: string): Stage | undefined {
  return Object.hasOwn(stages, gate) ? stages[gate as FeatureGate] : undefined;
}

/** Whether the gate is on. Precedence: GA, then `featureGates`, then `disabledFeatureGates`, then beta, else off. */
export function gateIsOn(gate: FeatureGate, enabled: readonly string[], disabled: readonly string[]): boolean {
  const stage: Stage = stages[gate];
  if (stage === 'generallyAvailable' || enabled.includes(gate)) return true;
  return stage === 'beta' && !disabled.includes(gate);
}

const replacements: Partial<Record<FeatureGate, string>> = {
  DockerSELinuxMCSWorkaround: 'DockerSELinuxMCSWorkaround has been deprecated since v1.4.',
  MultiArchitecture: 'MultiArchitecture has been deprecated since v1.8.0',
  DisableMDEVConfiguration: 'DisableMDEVConfiguration has been deprecated since v1.8.0',
  HotplugVolumes: 'HotplugVolumes has been deprecated since v1.9.0 and has been replaced by DeclarativeHotplugVolumes',
  ExperimentalVirtiofsSupport:
    'Virtiofs ExperimentalVirtiofsSupport feature gate is discontinued since v1.7. Please use ' +
    'EnableVirtioFsConfigVolumes or EnableVirtioFsPVC feature gates instead',
  Passt: 'Passt network binding is discontinued since v1.3. Please refer to Kubevirt user guide for alternatives.',
  Macvtap: 'Macvtap network binding is discontinued since v1.3. Please refer to Kubevirt user guide for alternatives.',
  PasstIPStackMigration:
    'Seamless migration with passt network binding plugin is no longer supported since KubeVirt v1.8. ' +
    'Please use the passt core binding instead.',
};

const stageNames: Partial<Record<Stage, string>> = {
  generallyAvailable: 'General Availability',
  deprecated: 'Deprecated',
  discontinued: 'Discontinued',
};

/** Returns KubeVirt's warning about a gate that has no effect or is deprecated; undefined for other gates. */
export function gateNotice(gate: string): string | undefined {
  const stage = gateStage(gate);
  const name = stage && stageNames[stage];
  if (!name) return undefined;
  return (
    replacements[gate as FeatureGate] ??
    `feature gate ${gate} is deprecated (feature state is "${name}"), therefore it can be safely removed and is ` +
      'redundant. For more info, please look at: https://github.com/kubevirt/kubevirt/blob/main/docs/deprecation.md'
  );
}
