import { Duration, Size } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { EvictionStrategy } from '../compute/strategies';
import { PullPolicy } from '../storage/disk-choices';
import {
  BindingPlugin,
  DefaultInterface,
  LeastTlsVersion,
  ReferencePolicy,
  RolloutStrategy,
} from './configuration-choices';
import { MediatedDeviceType, PermittedHostDevice } from './host-devices';

/** Limits of live migrations (`configuration.migrations`). */
export interface MigrationSettings {
  /**
   * Maximum number of parallel migrations in the cluster.
   * @default 5
   */
  readonly parallelPerCluster?: number;
  /**
   * Maximum number of parallel migrations away from one node.
   * @default 2
   */
  readonly parallelOutboundPerNode?: number;
  /**
   * Bandwidth of one migration, per second.
   * @default - unlimited
   */
  readonly bandwidth?: Size;
  /**
   * Maximum duration of a migration, for each GiB of memory and migrated disks.
   * @default Duration.seconds(150)
   */
  readonly completionTimeoutPerGib?: Duration;
  /**
   * Time without progress after which a migration is aborted.
   * @default Duration.seconds(150)
   */
  readonly progressTimeout?: Duration;
  /**
   * Maximum time for which a guest is paused at the end. Requires the feature gate `MigrationStallDetection` or
   * `MigrationDowntimeTuning`.
   * @default Duration.millis(900)
   */
  readonly maxDowntime?: Duration;
  /**
   * Whether a guest is slowed down if it writes memory faster than it can be copied.
   * @default false
   */
  readonly allowAutoConverge?: boolean;
  /**
   * Whether a guest that does not converge continues on the target while its memory is still being copied. If the
   * network fails in the meantime, the guest is lost.
   * @default false
   */
  readonly allowPostCopy?: boolean;
  /**
   * NetworkAttachmentDefinition in the platform's namespace for migration traffic.
   * @default - the Pod network
   */
  readonly network?: string;
}

/** Selection of VMs whose changed blocks are tracked. */
export interface ChangedBlockTracking {
  /**
   * Selector for labels of namespaces.
   * @default - none
   */
  readonly namespaces?: k8s.LabelSelector;
  /**
   * Selector for labels of VMs.
   * @default - none
   */
  readonly virtualMachines?: k8s.LabelSelector;
}

/** Identity of the machine that guests see (SMBIOS). */
export interface MachineIdentity {
  /**
   * Family.
   * @default 'KubeVirt'
   */
  readonly family?: string;
  /**
   * Manufacturer.
   * @default 'KubeVirt'
   */
  readonly manufacturer?: string;
  /**
   * Product.
   * @default 'None'
   */
  readonly product?: string;
  /**
   * SKU number.
   * @default - none
   */
  readonly sku?: string;
  /**
   * Version.
   * @default - none
   */
  readonly version?: string;
}

/**
 * Defaults and switches for all VMs of the cluster (`spec.configuration` of the KubeVirt object). VMs of the same app
 * are validated against it.
 */
export interface PlatformConfiguration {
  /**
   * Feature gates to enable, with KubeVirt's names: `HostDevices`, `Sidecar`, …
   * @default - KubeVirt's defaults
   */
  readonly featureGates?: string[];
  /**
   * Beta feature gates to disable.
   * @default - none
   */
  readonly disabledFeatureGates?: string[];
  /**
   * Whether VMs run without KVM on nodes where it is not available. Emulation is many times slower.
   * @default false
   */
  readonly useEmulation?: boolean;
  /**
   * Number of vCPUs per requested CPU.
   * @default 10
   */
  readonly cpuAllocationRatio?: number;
  /**
   * Guest memory in percent of the requested memory. With 150, guests see one and a half times the memory that is
   * reserved.
   * @default 100
   */
  readonly memoryOvercommit?: number;
  /**
   * Factor for the memory that a Pod needs in addition to its guest's memory, at least 1.
   * @default 1
   */
  readonly memoryOverheadRatio?: number;
  /**
   * Labels that a node must have to run guests.
   * @default - none
   */
  readonly nodeSelector?: { readonly [label: string]: string };
  /**
   * CPU model of VMs without one.
   * @default - host-model
   */
  readonly cpuModel?: string;
  /**
   * CPU request, as a quantity, of VMs without `cpu`.
   * @default - 100m
   */
  readonly cpuRequest?: string;
  /**
   * Machine type of amd64 VMs without one.
   * @default - q35
   */
  readonly machineType?: string;
  /**
   * Eviction strategy of VMs without one, for when their node is drained.
   * @default EvictionStrategy.NONE
   */
  readonly evictionStrategy?: EvictionStrategy;
  /**
   * Pull policy of container disks without one.
   * @default - depends on the tag
   */
  readonly imagePullPolicy?: PullPolicy;
  /**
   * Limits of live migrations.
   * @default - KubeVirt's defaults
   */
  readonly migrations?: MigrationSettings;
  /**
   * Devices of nodes that can be assigned to VMs.
   * @default - none
   */
  readonly permittedHostDevices?: PermittedHostDevice[];
  /**
   * Mediated devices (vGPUs) to create on nodes.
   * @default - none
   */
  readonly mediatedDevices?: MediatedDeviceType[];
  /**
   * Interface of VMs without `networks`.
   * @default DefaultInterface.BRIDGE
   */
  readonly defaultInterface?: DefaultInterface;
  /**
   * Whether VMs can use a bridge on the Pod network. Such VMs cannot migrate.
   * @default true
   */
  readonly bridgeOnPodNetwork?: boolean;
  /**
   * Network binding plugins, by name.
   * @default - none
   */
  readonly networkBindings?: { readonly [name: string]: BindingPlugin };
  /**
   * When changes to a VM reach its running guest.
   * @default RolloutStrategy.LIVE_UPDATE
   */
  readonly rolloutStrategy?: RolloutStrategy;
  /**
   * Maximum memory of a running guest after hotplug, for VMs without a maximum.
   * @default - four times the memory at start
   */
  readonly maxGuestMemory?: Size;
  /**
   * Maximum number of CPU sockets of a running guest after hotplug, for VMs without a maximum.
   * @default - four times the sockets at start
   */
  readonly maxCpuSockets?: number;
  /**
   * How VMs store their instance type and preference.
   * @default ReferencePolicy.REFERENCE
   */
  readonly instancetypeReferencePolicy?: ReferencePolicy;
  /**
   * Storage class for persistent TPM and UEFI state.
   * @default - the cluster's default storage class
   */
  readonly vmStateStorageClass?: string;
  /**
   * Runtime class of launcher Pods.
   * @default - the nodes' default runtime
   */
  readonly runtimeClass?: string;
  /**
   * Maximum number of guests on a node.
   * @default 110
   */
  readonly guestsPerNode?: number;
  /**
   * Nodes on which identical memory pages of guests are merged (KSM). An empty selector matches all nodes.
   * @default - none
   */
  readonly ksmNodes?: k8s.LabelSelector;
  /**
   * Minimum TLS version of the platform's servers.
   * @default LeastTlsVersion.TLS_1_2
   */
  readonly leastTlsVersion?: LeastTlsVersion;
  /**
   * Selector for labels of namespaces whose launcher Pods get a CPU limit equal to their vCPUs.
   * @default - namespaces with a quota for CPU limits
   */
  readonly autoCpuLimitNamespaces?: k8s.LabelSelector;
  /**
   * VMs whose changed blocks are tracked, for incremental backups. Requires the feature gate `IncrementalBackup`.
   * @default - none
   */
  readonly changedBlockTracking?: ChangedBlockTracking;
  /**
   * Whether LUNs can use SCSI persistent reservations.
   * @default false
   */
  readonly persistentReservation?: boolean;
  /**
   * Whether the serial console is logged, for VMs without their own setting.
   * @default true
   */
  readonly serialConsoleLog?: boolean;
  /**
   * Whether guests return free memory pages to the node.
   * @default true
   */
  readonly freePageReporting?: boolean;
  /**
   * Interval between two measurements of a guest's memory.
   * @default Duration.seconds(10)
   */
  readonly memoryStatsPeriod?: Duration;
  /**
   * Identity of the machine that guests see (SMBIOS).
   * @default - KubeVirt's values
   */
  readonly machineIdentity?: MachineIdentity;
  /**
   * CPU models that no node offers. Replaces KubeVirt's list.
   * @default - models from 486 to phenom, qemu32, qemu64, kvm32, kvm64
   */
  readonly obsoleteCpuModels?: string[];
  /**
   * SELinux type of launcher Pods.
   * @default - the container runtime's type
   */
  readonly selinuxLauncherType?: string;
  /**
   * TLS 1.2 ciphers, with IANA's names: `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`. Requires `leastTlsVersion` 1.2.
   * @default - the TLS library's defaults
   */
  readonly tlsCiphers?: string[];
  /**
   * Log verbosity of launchers, from 1.
   * @default 2
   */
  readonly launcherVerbosity?: number;
  /**
   * Whether KubeVirt's roles are added to Kubernetes' own roles `admin`, `edit` and `view`. Otherwise they must be
   * bound by name.
   * @default true
   */
  readonly aggregateRoles?: boolean;
  /**
   * Other fields of `spec.configuration`, as the API writes them. They are merged over everything else; a list replaces
   * a list.
   * @default - none
   */
  readonly raw?: { readonly [field: string]: unknown };
}
