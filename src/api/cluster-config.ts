import { keys } from './keys';
import { FeatureGate, gateIsOn } from './feature-gates';
import type {
  DeveloperConfiguration,
  InterfaceBindingPlugin,
  KubeVirt,
  KubeVirtConfiguration,
  MigrationConfiguration,
  NetworkConfiguration,
} from './generated/kubevirt-v1';
import type { Quantity } from './generated/meta-v1';

/** Architectures of guests. */
export const ARCHITECTURES = ['amd64', 'arm64', 's390x'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** Defaults of an architecture. */
export interface ArchitectureDefaults {
  machineType: string;
  /** Glob patterns of machine types that a VM may have. */
  emulatedMachines: string[];
  ovmfPath: string;
}

/** The effective configuration of the platform: the KubeVirt object over the defaults. Plain values only. */
export interface ClusterConfig {
  /** Namespace of the platform's Pods. */
  readonly installNamespace: string;
  hasGate(gate: FeatureGate): boolean;
  readonly useEmulation: boolean;
  /** vCPUs per requested CPU. Default: 10. */
  readonly cpuAllocationRatio: number;
  /** `configuration.cpuRequest`: CPU request of a Pod when the VM has neither vCPUs nor requests. Default: 100m. */
  readonly cpuRequest: Quantity;
  readonly cpuModel?: string;
  /** Percent of guest memory over requested memory. Default: 100. */
  readonly memoryOvercommit: number;
  readonly nodeSelectors: Record<string, string>;
  readonly minimumReservePvcBytes: bigint;
  readonly pvcTolerateLessSpaceUpToPercent: number;
  readonly diskVerificationMemoryLimit: Quantity;
  readonly minimumClusterTscFrequency?: number;
  readonly logVerbosity: { virtLauncher: number; virtHandler: number; virtController: number; virtApi: number };
  /** From the KubeVirt object's status where it is known, because it depends on the nodes. */
  readonly defaultArchitecture: Architecture;
  architecture(name: string | undefined): ArchitectureDefaults;
  readonly imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  readonly evictionStrategy: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  readonly defaultNetworkInterface: string;
  readonly permitBridgeOnPodNetwork: boolean;
  readonly permitSlirp: boolean;
  readonly networkBindings: Record<string, InterfaceBindingPlugin>;
  readonly additionalGuestMemoryOverheadRatio?: string;
  readonly memBalloonStatsPeriod: number;
  readonly disableFreePageReporting: boolean;
  readonly disableSerialConsoleLog: boolean;
  readonly maxHotplugRatio: number;
  readonly maxCpuSockets?: number;
  readonly maxGuest?: Quantity;
  readonly vmRolloutStrategy: 'LiveUpdate' | 'Stage';
  readonly instancetypeReferencePolicy: 'reference' | 'expand' | 'expandAll';
  readonly migrations: EffectiveMigrationConfiguration;
  /** `persistentReservationConfiguration.enabled`, else the gate by name: SCSI reservations need a helper on each node. */
  readonly persistentReservation: boolean;
  /** Whether another program configures mediated devices. */
  readonly mediatedDevicesHandlingDisabled: boolean;
  /** Path of the Quote Generation Service for TDX guests. Empty: not available. */
  readonly qgsSocketPath: string;
  /** Whether a TDX guest may start only on nodes with the Quote Generation Service. */
  readonly requireQgs: boolean;
  readonly hypervisor: string;
  /** Feature gates that the object lists, whether known or not. */
  readonly namedGates: readonly string[];
  /** Annotations of the KubeVirt object, some of which are settings. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Reason why the object's configuration is ignored and the defaults apply; undefined when it is used. */
  readonly problem?: string;
  /** Configuration of the KubeVirt object, for fields that only one room reads. */
  readonly raw: KubeVirtConfiguration;
}

/** Migration settings: every limit has a value; network and SELinux matching stay optional. */
export type EffectiveMigrationConfiguration = Required<
  Omit<MigrationConfiguration, 'network' | 'matchSELinuxLevelOnMigration'>
> &
  MigrationConfiguration;

const architectures: Record<Architecture, ArchitectureDefaults> = {
  amd64: { machineType: 'q35', emulatedMachines: ['q35*', 'pc-q35*'], ovmfPath: '/usr/share/edk2/ovmf' },
  arm64: { machineType: 'virt', emulatedMachines: ['virt*'], ovmfPath: '/usr/share/AAVMF' },
  s390x: { machineType: 's390-ccw-virtio', emulatedMachines: ['s390-ccw-virtio*'], ovmfPath: '' },
};

/** Returns the effective configuration; the defaults without an object. Pure. */
export function clusterConfig(kubeVirt?: KubeVirt): ClusterConfig {
  const given = kubeVirt?.spec?.configuration ?? {};
  const problem = configurationProblem(given);
  const raw = problem === undefined ? given : {};
  const developer = raw.developerConfiguration ?? {};
  const enabled = developer.featureGates ?? [];
  const disabled = developer.disabledFeatureGates ?? [];
  const hasGate = (gate: FeatureGate): boolean => gateIsOn(gate, enabled, disabled);
  const attestation = raw.confidentialCompute?.tdx?.attestation ?? {};
  return {
    installNamespace: kubeVirt?.metadata.namespace ?? 'kubevirt',
    hasGate,
    ...developerDefaults(developer),
    ...networkDefaults(raw.network ?? {}),
    ...liveUpdateDefaults(raw),
    cpuRequest: raw.cpuRequest ?? '100m',
    cpuModel: raw.cpuModel || undefined,
    defaultArchitecture: (kubeVirt?.status?.defaultArchitecture ||
      raw.architectureConfiguration?.defaultArchitecture ||
      'amd64') as Architecture,
    architecture: (name) => architectureDefaults(name, raw),
    imagePullPolicy: raw.imagePullPolicy || undefined,
    evictionStrategy: raw.evictionStrategy ?? 'None',
    additionalGuestMemoryOverheadRatio: raw.additionalGuestMemoryOverheadRatio,
    memBalloonStatsPeriod: raw.memBalloonStatsPeriod ?? 10,
    disableFreePageReporting: isSet(raw.virtualMachineOptions?.disableFreePageReporting),
    disableSerialConsoleLog: isSet(raw.virtualMachineOptions?.disableSerialConsoleLog),
    instancetypeReferencePolicy: raw.instancetype?.referencePolicy ?? 'reference',
    migrations: migrationDefaults(raw.migrations ?? {}),
    persistentReservation: raw.persistentReservationConfiguration?.enabled ?? enabled.includes('PersistentReservation'),
    mediatedDevicesHandlingDisabled: isSet(raw.mediatedDevicesConfiguration?.enabled)
      ? !raw.mediatedDevicesConfiguration?.enabled
      : hasGate('DisableMDEVConfiguration'),
    qgsSocketPath: attestation.qgsSocketPath ?? '/var/run/tdx-qgs/qgs.socket',
    requireQgs: attestation.enforced ?? false,
    hypervisor: (hasGate('ConfigurableHypervisor') && raw.hypervisors?.[0]?.name) || 'kvm',
    namedGates: enabled,
    annotations: kubeVirt?.metadata.annotations ?? {},
    problem,
    raw,
  };
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

function developerDefaults(developer: DeveloperConfiguration) {
  const verbosity = developer.logVerbosity ?? {};
  return {
    useEmulation: developer.useEmulation ?? false,
    cpuAllocationRatio: developer.cpuAllocationRatio || 10,
    memoryOvercommit: developer.memoryOvercommit || 100,
    nodeSelectors: developer.nodeSelectors ?? {},
    minimumReservePvcBytes: BigInt(developer.minimumReservePVCBytes || 131072),
    pvcTolerateLessSpaceUpToPercent: developer.pvcTolerateLessSpaceUpToPercent || 10,
    diskVerificationMemoryLimit: developer.diskVerification?.memoryLimit ?? '2000Mi',
    minimumClusterTscFrequency: developer.minimumClusterTSCFrequency,
    logVerbosity: {
      virtLauncher: verbosity.virtLauncher || 2,
      virtHandler: verbosity.virtHandler || 2,
      virtController: verbosity.virtController || 2,
      virtApi: verbosity.virtAPI || 2,
    },
  };
}

function networkDefaults(network: NetworkConfiguration) {
  return {
    defaultNetworkInterface: network.defaultNetworkInterface || 'bridge',
    permitBridgeOnPodNetwork: network.permitBridgeInterfaceOnPodNetwork ?? true,
    permitSlirp: network.permitSlirpInterface ?? false,
    networkBindings: network.binding ?? {},
  };
}

function liveUpdateDefaults({ liveUpdateConfiguration, vmRolloutStrategy }: KubeVirtConfiguration) {
  return {
    maxHotplugRatio: liveUpdateConfiguration?.maxHotplugRatio || 4,
    maxCpuSockets: liveUpdateConfiguration?.maxCpuSockets || undefined,
    maxGuest: liveUpdateConfiguration?.maxGuest ?? undefined,
    vmRolloutStrategy: vmRolloutStrategy ?? 'LiveUpdate',
  } as const;
}

/** Returns why a configuration is invalid. The platform's components ignore it as a whole, instead of using half of it. */
export function configurationProblem({ imagePullPolicy, developerConfiguration, network }: KubeVirtConfiguration) {
  const { memoryOvercommit = 0, cpuAllocationRatio = 0, ...developer } = developerConfiguration ?? {};
  const tolerated = developer.pvcTolerateLessSpaceUpToPercent ?? 0;
  const { defaultNetworkInterface = '' } = network ?? {};
  if (imagePullPolicy && !['Always', 'Never', 'IfNotPresent'].includes(imagePullPolicy)) {
    return `invalid dev.imagePullPolicy in config: ${imagePullPolicy}`;
  }
  if (memoryOvercommit < 0) return `invalid memoryOvercommit in ConfigMap: ${memoryOvercommit}`;
  if (cpuAllocationRatio < 0) return `invalid cpu allocation ratio in ConfigMap: ${cpuAllocationRatio}`;
  if (tolerated < 0 || tolerated > 100) return `invalid lessPVCSpaceToleration in ConfigMap: ${tolerated}`;
  if (!['', 'bridge', 'slirp', 'masquerade'].includes(defaultNetworkInterface)) {
    return `invalid default-network-interface in config: ${defaultNetworkInterface}`;
  }
  return undefined;
}

/** Returns the defaults of an architecture; amd64's for an unknown one. The older fields without an architecture win. */
function architectureDefaults(name: string | undefined, raw: KubeVirtConfiguration): ArchitectureDefaults {
  const architecture: Architecture = name === 'arm64' || name === 's390x' ? name : 'amd64';
  const known = architectures[architecture];
  const configured = raw.architectureConfiguration?.[architecture] ?? {};
  return {
    machineType: raw.machineType || configured.machineType || known.machineType,
    emulatedMachines: nonEmpty(raw.emulatedMachines) ?? nonEmpty(configured.emulatedMachines) ?? known.emulatedMachines,
    ovmfPath: raw.ovmfPath || configured.ovmfPath || known.ovmfPath,
  };
}

function nonEmpty(list: string[] | null | undefined): string[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

function migrationDefaults(given: MigrationConfiguration): EffectiveMigrationConfiguration {
  const allowPostCopy = given.allowPostCopy ?? false;
  return {
    parallelMigrationsPerCluster: 5,
    parallelOutboundMigrationsPerNode: 2,
    bandwidthPerMigration: '0',
    completionTimeoutPerGiB: 150,
    progressTimeout: 150,
    maxDowntimeMs: 900,
    allowAutoConverge: false,
    allowWorkloadDisruption: allowPostCopy,
    unsafeMigrationOverride: false,
    disableTLS: false,
    utilityVolumesTimeout: 150,
    nodeDrainTaintKey: keys.drainTaint,
    ...given,
    allowPostCopy,
  };
}
