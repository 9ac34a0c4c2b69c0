/** Maturity of a feature gate: it decides whether the gate is on by default. */
type Stage = 'alpha' | 'beta' | 'generallyAvailable' | 'deprecated' | 'discontinued';

interface GateFacts {
  readonly stage: Stage;
  /** Minor version of KubeVirt 1.x that introduced the gate; undefined for those of 1.0. */
  readonly since?: number;
  /** KubeVirt's warning about the gate, where it is not the usual one of its stage. */
  readonly notice?: string;
}

/** KubeVirt's feature gates. A new gate is one line here. */
const gates = {
  // on unless disabled by name
  ImageVolume: { stage: 'beta', since: 6 },
  Snapshot: { stage: 'beta' },
  WorkloadEncryptionSEV: { stage: 'beta' },
  KubevirtSeccompProfile: { stage: 'beta' },
  NodeRestriction: { stage: 'beta', since: 3 },
  GPUsWithDRA: { stage: 'beta', since: 6 },
  HostDevicesWithDRA: { stage: 'beta', since: 6 },
  DecentralizedLiveMigration: { stage: 'beta', since: 6 },
  DeclarativeHotplugVolumes: { stage: 'beta', since: 6 },
  PasstBinding: { stage: 'beta', since: 8 },
  PodSecondaryInterfaceNamingUpgrade: { stage: 'beta', since: 8 },
  ExternalNetResourceInjection: { stage: 'beta', since: 8 },
  RebootPolicy: { stage: 'beta', since: 8 },
  Template: { stage: 'beta', since: 8 },
  OptOutRoleAggregation: { stage: 'beta', since: 8 },
  // off unless enabled by name
  CPUManager: { stage: 'alpha' },
  ExperimentalIgnitionSupport: { stage: 'alpha' },
  HypervStrictCheck: { stage: 'alpha' },
  Sidecar: { stage: 'alpha' },
  HostDevices: { stage: 'alpha' },
  HostDisk: { stage: 'alpha' },
  DownwardMetrics: { stage: 'alpha' },
  Root: { stage: 'alpha' },
  WorkloadEncryptionTDX: { stage: 'alpha', since: 7 },
  VSOCK: { stage: 'alpha' },
  AlignCPUs: { stage: 'alpha', since: 2 },
  EnableVirtioFsStorageVolumes: { stage: 'alpha', since: 5 },
  PCINUMAAwareTopology: { stage: 'alpha', since: 8 },
  NetworkDevicesWithDRA: { stage: 'alpha', since: 9 },
  ObjectGraph: { stage: 'alpha', since: 6 },
  UtilityVolumes: { stage: 'alpha', since: 8 },
  ConfigurableHypervisor: { stage: 'alpha', since: 8 },
  IncrementalBackup: { stage: 'alpha', since: 7 },
  ContainerPathVolumes: { stage: 'alpha', since: 8 },
  ReservedOverheadMemlock: { stage: 'alpha', since: 8 },
  VGPULiveMigration: { stage: 'alpha', since: 9 },
  VMStatsCollector: { stage: 'alpha', since: 9 },
  OCIExport: { stage: 'alpha', since: 9 },
  Plugins: { stage: 'alpha', since: 9 },
  GraceIOVirtualization: { stage: 'alpha', since: 9 },
  IOMMUFD: { stage: 'alpha', since: 9 },
  FirmwareAutoSelection: { stage: 'alpha', since: 9 },
  MigrationStallDetection: { stage: 'alpha', since: 9 },
  MigrationDowntimeTuning: { stage: 'alpha', since: 10 },
  CrossArchitectureVirtualization: { stage: 'alpha', since: 9 },
  PortRangesSpec: { stage: 'alpha', since: 9 },
  // always on: naming one changes nothing
  LiveMigration: { stage: 'generallyAvailable' },
  SRIOVLiveMigration: { stage: 'generallyAvailable' },
  NonRoot: { stage: 'generallyAvailable' },
  PSA: { stage: 'generallyAvailable' },
  CPUNodeDiscovery: { stage: 'generallyAvailable' },
  NUMA: { stage: 'generallyAvailable' },
  CommonInstancetypesDeploymentGate: { stage: 'generallyAvailable', since: 1 },
  GPU: { stage: 'generallyAvailable' },
  HotplugNICs: { stage: 'generallyAvailable' },
  BochsDisplayForEFIGuests: { stage: 'generallyAvailable', since: 1 },
  VMLiveUpdateFeatures: { stage: 'generallyAvailable' },
  NetworkBindingPlugins: { stage: 'generallyAvailable', since: 1 },
  DynamicPodInterfaceNaming: { stage: 'generallyAvailable', since: 4 },
  VolumesUpdateStrategy: { stage: 'generallyAvailable', since: 3 },
  VolumeMigration: { stage: 'generallyAvailable', since: 3 },
  DisableCustomSELinuxPolicy: { stage: 'generallyAvailable' },
  AutoResourceLimitsGate: { stage: 'generallyAvailable', since: 1 },
  ClusterProfiler: { stage: 'generallyAvailable' },
  VMPersistentState: { stage: 'generallyAvailable' },
  VMExport: { stage: 'generallyAvailable' },
  PersistentReservation: { stage: 'generallyAvailable' },
  InstancetypeReferencePolicy: { stage: 'generallyAvailable', since: 4 },
  EnableVirtioFsConfigVolumes: { stage: 'generallyAvailable', since: 5 },
  ExpandDisks: { stage: 'generallyAvailable' },
  PanicDevices: { stage: 'generallyAvailable', since: 6 },
  LiveUpdateNADRef: { stage: 'generallyAvailable', since: 8 },
  VideoConfig: { stage: 'generallyAvailable', since: 6 },
  SecureExecution: { stage: 'generallyAvailable', since: 6 },
  MigrationPriorityQueue: { stage: 'generallyAvailable', since: 7 },
  VmiMemoryOverheadReport: { stage: 'generallyAvailable', since: 8 },
  LibvirtHooksServerAndClient: { stage: 'generallyAvailable', since: 8 },
  // off unless enabled by name; still work
  DockerSELinuxMCSWorkaround: {
    stage: 'deprecated',
    notice: 'DockerSELinuxMCSWorkaround has been deprecated since v1.4.',
  },
  MultiArchitecture: { stage: 'deprecated', notice: 'MultiArchitecture has been deprecated since v1.8.0' },
  DisableMDEVConfiguration: {
    stage: 'deprecated',
    notice: 'DisableMDEVConfiguration has been deprecated since v1.8.0',
  },
  HotplugVolumes: {
    stage: 'deprecated',
    notice: 'HotplugVolumes has been deprecated since v1.9.0 and has been replaced by DeclarativeHotplugVolumes',
  },
  // their features are gone
  ExperimentalVirtiofsSupport: {
    stage: 'discontinued',
    notice:
      'Virtiofs ExperimentalVirtiofsSupport feature gate is discontinued since v1.7. Please use ' +
      'EnableVirtioFsConfigVolumes or EnableVirtioFsPVC feature gates instead',
  },
  Passt: {
    stage: 'discontinued',
    notice: 'Passt network binding is discontinued since v1.3. Please refer to Kubevirt user guide for alternatives.',
  },
  Macvtap: {
    stage: 'discontinued',
    notice: 'Macvtap network binding is discontinued since v1.3. Please refer to Kubevirt user guide for alternatives.',
  },
  PasstIPStackMigration: {
    stage: 'discontinued',
    since: 6,
    notice:
      'Seamless migration with passt network binding plugin is no longer supported since KubeVirt v1.8. ' +
      'Please use the passt core binding instead.',
  },
} as const satisfies Record<string, GateFacts>;

export type FeatureGate = keyof typeof gates;

/** Every gate, in the order of the table above. */
export const featureGates = Object.keys(gates) as readonly FeatureGate[];

const factsOf = (gate: string): GateFacts | undefined =>
  Object.hasOwn(gates, gate) ? gates[gate as FeatureGate] : undefined;

/** Maturity of a gate; undefined for an unknown one. */
export const gateStage = (gate: string): Stage | undefined => factsOf(gate)?.stage;

/** Minor version of KubeVirt 1.x that introduced a gate: 0 for an unknown one, too. */
export const gateSince = (gate: string): number => factsOf(gate)?.since ?? 0;

/** Whether a gate is on. Precedence: GA, then `featureGates`, then `disabledFeatureGates`, then beta, else off. */
export function gateIsOn(gate: FeatureGate, enabled: readonly string[], disabled: readonly string[]): boolean {
  const { stage }: GateFacts = gates[gate];
  if (stage === 'generallyAvailable' || enabled.includes(gate)) return true;
  return stage === 'beta' && !disabled.includes(gate);
}

const stageNames: Partial<Record<Stage, string>> = {
  generallyAvailable: 'General Availability',
  deprecated: 'Deprecated',
  discontinued: 'Discontinued',
};

/** Warning about a gate without effect, or soon without, in KubeVirt's own words; undefined for others. */
export function gateNotice(gate: string): string | undefined {
  const facts = factsOf(gate);
  const stage = facts && stageNames[facts.stage];
  if (!stage) return undefined;
  return (
    facts.notice ??
    `feature gate ${gate} is deprecated (feature state is "${stage}"), therefore it can be safely removed and is ` +
      'redundant. For more info, please look at: https://github.com/kubevirt/kubevirt/blob/main/docs/deprecation.md'
  );
}
