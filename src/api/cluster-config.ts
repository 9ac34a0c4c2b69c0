import { FeatureGate, gateIsOn } from './feature-gates';
import type {
  InterfaceBindingPlugin,
  KubeVirt,
  KubeVirtConfiguration,
  MigrationConfiguration,
} from './generated/kubevirt-v1';
import type { Quantity } from './generated/meta-v1';

export type Architecture = 'amd64' | 'arm64' | 's390x';

/** What an architecture gets when a VM does not say. */
export interface ArchitectureDefaults {
  machineType: string;
  /** Glob patterns of machine types that a VM may name. */
  emulatedMachines: string[];
  ovmfPath: string;
}

/** The effective configuration of the platform: the KubeVirt object over the defaults. Plain values, no look-ups left. */
export interface ClusterConfig {
  /** Namespace of the platform's own Pods. */
  readonly installNamespace: string;
  hasGate(gate: FeatureGate): boolean;
  readonly useEmulation: boolean;
  /** vCPUs per requested CPU. Default: 10. */
  readonly cpuAllocationRatio: number;
  /** `configuration.cpuRequest`: what a Pod requests when the VM names neither vCPUs nor requests. Default: 100m. */
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
  /** The KubeVirt object's own configuration, for fields that one room alone reads. */
  readonly raw: KubeVirtConfiguration;
}

/** Every limit has a value; network and SELinux matching stay optional. */
export type EffectiveMigrationConfiguration = Required<
  Omit<MigrationConfiguration, 'network' | 'matchSELinuxLevelOnMigration'>
> &
  MigrationConfiguration;

const architectures: Record<Architecture, ArchitectureDefaults> = {
  amd64: { machineType: 'q35', emulatedMachines: ['q35*', 'pc-q35*'], ovmfPath: '/usr/share/OVMF' },
  arm64: { machineType: 'virt', emulatedMachines: ['virt*'], ovmfPath: '/usr/share/AAVMF' },
  s390x: { machineType: 's390-ccw-virtio', emulatedMachines: ['s390-ccw-virtio*'], ovmfPath: '' },
};

/** The effective configuration. Pure: the same object gives the same answer; without one, the defaults. */
export function clusterConfig(kubeVirt?: KubeVirt): ClusterConfig {
  const raw = kubeVirt?.spec?.configuration ?? {};
  const developer = raw.developerConfiguration ?? {};
  const enabled = developer.featureGates ?? [];
  const disabled = developer.disabledFeatureGates ?? [];
  const network = raw.network ?? {};
  const liveUpdate = raw.liveUpdateConfiguration ?? {};
  const verbosity = developer.logVerbosity ?? {};
  return {
    installNamespace: kubeVirt?.metadata.namespace ?? 'kubevirt',
    hasGate: (gate) => gateIsOn(gate, enabled, disabled),
    useEmulation: developer.useEmulation ?? false,
    cpuAllocationRatio: developer.cpuAllocationRatio || 10,
    cpuRequest: raw.cpuRequest ?? '100m',
    cpuModel: raw.cpuModel || undefined,
    memoryOvercommit: developer.memoryOvercommit || 100,
    nodeSelectors: developer.nodeSelectors ?? {},
    minimumReservePvcBytes: BigInt(developer.minimumReservePVCBytes ?? 131072),
    pvcTolerateLessSpaceUpToPercent: developer.pvcTolerateLessSpaceUpToPercent ?? 10,
    diskVerificationMemoryLimit: developer.diskVerification?.memoryLimit ?? '2000Mi',
    minimumClusterTscFrequency: developer.minimumClusterTSCFrequency,
    logVerbosity: {
      virtLauncher: verbosity.virtLauncher ?? 2,
      virtHandler: verbosity.virtHandler ?? 2,
      virtController: verbosity.virtController ?? 2,
      virtApi: verbosity.virtAPI ?? 2,
    },
    defaultArchitecture: (raw.architectureConfiguration?.defaultArchitecture as Architecture) || 'amd64',
    architecture: (name) => architectureDefaults(name, raw),
    imagePullPolicy: raw.imagePullPolicy,
    evictionStrategy: raw.evictionStrategy ?? 'None',
    defaultNetworkInterface: network.defaultNetworkInterface || 'bridge',
    permitBridgeOnPodNetwork: network.permitBridgeInterfaceOnPodNetwork ?? true,
    permitSlirp: network.permitSlirpInterface ?? false,
    networkBindings: network.binding ?? {},
    additionalGuestMemoryOverheadRatio: raw.additionalGuestMemoryOverheadRatio,
    memBalloonStatsPeriod: raw.memBalloonStatsPeriod ?? 10,
    disableFreePageReporting: raw.virtualMachineOptions?.disableFreePageReporting !== undefined,
    disableSerialConsoleLog: raw.virtualMachineOptions?.disableSerialConsoleLog !== undefined,
    maxHotplugRatio: liveUpdate.maxHotplugRatio || 4,
    maxCpuSockets: liveUpdate.maxCpuSockets || undefined,
    maxGuest: liveUpdate.maxGuest,
    vmRolloutStrategy: raw.vmRolloutStrategy ?? 'LiveUpdate',
    instancetypeReferencePolicy: raw.instancetype?.referencePolicy ?? 'reference',
    migrations: migrationDefaults(raw.migrations ?? {}),
    raw,
  };
}

function architectureDefaults(name: string | undefined, raw: KubeVirtConfiguration): ArchitectureDefaults {
  const known = architectures[(name || 'amd64') as Architecture] ?? architectures.amd64;
  const configured = raw.architectureConfiguration?.[(name || 'amd64') as Architecture] ?? {};
  // the fields without an architecture are older, and mean amd64
  const legacy = (name || 'amd64') === 'amd64' ? raw : {};
  return {
    machineType: configured.machineType || legacy.machineType || known.machineType,
    emulatedMachines:
      nonEmpty(configured.emulatedMachines) ?? nonEmpty(legacy.emulatedMachines) ?? known.emulatedMachines,
    ovmfPath: configured.ovmfPath || legacy.ovmfPath || known.ovmfPath,
  };
}

function nonEmpty(list: string[] | undefined): string[] | undefined {
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
    nodeDrainTaintKey: 'kubevirt.io/drain',
    ...given,
    allowPostCopy,
  };
}
