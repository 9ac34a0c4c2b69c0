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
   * Migrations of the whole cluster at a time.
   * @default 5
   */
  readonly parallelPerCluster?: number;
  /**
   * Migrations away from one node at a time.
   * @default 2
   */
  readonly parallelOutboundPerNode?: number;
  /**
   * Bandwidth of one migration, per second.
   * @default - unlimited
   */
  readonly bandwidth?: Size;
  /**
   * Time that a migration may take for each GiB of memory and migrated disks.
   * @default Duration.seconds(150)
   */
  readonly completionTimeoutPerGib?: Duration;
  /**
   * Time without progress after which a migration is given up.
   * @default Duration.seconds(150)
   */
  readonly progressTimeout?: Duration;
  /**
   * How long a guest may be paused at the end; needs one of the feature gates `MigrationStallDetection` and
   * `MigrationDowntimeTuning`.
   * @default Duration.millis(900)
   */
  readonly maxDowntime?: Duration;
  /**
   * A guest that writes faster than it is copied is slowed.
   * @default false
   */
  readonly allowAutoConverge?: boolean;
  /**
   * A guest that does not converge goes on running on the target while its memory follows. It is lost when the network
   * fails meanwhile.
   * @default false
   */
  readonly allowPostCopy?: boolean;
  /**
   * NetworkAttachmentDefinition of the platform's namespace over which migrations go.
   * @default - the Pod network
   */
  readonly network?: string;
}

/** VMs whose changed blocks are tracked. */
export interface ChangedBlockTracking {
  /**
   * By labels of the namespace.
   * @default - none
   */
  readonly namespaces?: k8s.LabelSelector;
  /**
   * By labels of the VM.
   * @default - none
   */
  readonly virtualMachines?: k8s.LabelSelector;
}

/** What guests are told about their machine (SMBIOS). */
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
 * Defaults and switches for all VMs of the cluster (`spec.configuration` of the KubeVirt object). VMs of the same app are
 * judged by it.
 */
export interface PlatformConfiguration {
  /**
   * Feature gates to switch on, by KubeVirt's names: `HostDevices`, `Sidecar`, …
   * @default - those that KubeVirt has on
   */
  readonly featureGates?: string[];
  /**
   * Beta gates to switch off.
   * @default - none
   */
  readonly disabledFeatureGates?: string[];
  /**
   * VMs run without KVM on nodes where it does not work, many times slower.
   * @default false
   */
  readonly useEmulation?: boolean;
  /**
   * vCPUs per requested CPU.
   * @default 10
   */
  readonly cpuAllocationRatio?: number;
  /**
   * Guest memory in percent of requested memory: 150 lets guests see half as much again as is set aside.
   * @default 100
   */
  readonly memoryOvercommit?: number;
  /**
   * Factor on the memory that a Pod needs beside its guest's, at least 1.
   * @default 1
   */
  readonly memoryOverheadRatio?: number;
  /**
   * Labels that nodes must have to run guests.
   * @default - none
   */
  readonly nodeSelector?: { readonly [label: string]: string };
  /**
   * CPU model of VMs that name none.
   * @default - host-model
   */
  readonly cpuModel?: string;
  /**
   * CPU, as a quantity, requested for VMs that name no CPU.
   * @default - 100m
   */
  readonly cpuRequest?: string;
  /**
   * Machine type of amd64 VMs that name none.
   * @default - q35
   */
  readonly machineType?: string;
  /**
   * What becomes of guests that do not say when their node is drained.
   * @default EvictionStrategy.NONE
   */
  readonly evictionStrategy?: EvictionStrategy;
  /**
   * When container disks that do not say are pulled.
   * @default - by their tag
   */
  readonly imagePullPolicy?: PullPolicy;
  /**
   * Limits of live migrations.
   * @default - KubeVirt's
   */
  readonly migrations?: MigrationSettings;
  /**
   * Devices of nodes that VMs may be given.
   * @default - none
   */
  readonly permittedHostDevices?: PermittedHostDevice[];
  /**
   * Mediated devices (vGPUs) that are made on nodes.
   * @default - none
   */
  readonly mediatedDevices?: MediatedDeviceType[];
  /**
   * Interface of VMs that name no network.
   * @default DefaultInterface.BRIDGE
   */
  readonly defaultInterface?: DefaultInterface;
  /**
   * VMs may have a bridge on the Pod network. They cannot migrate then.
   * @default true
   */
  readonly bridgeOnPodNetwork?: boolean;
  /**
   * Network binding plugins by their name.
   * @default - none
   */
  readonly networkBindings?: { readonly [name: string]: BindingPlugin };
  /**
   * Whether a change of a VM reaches its running guest.
   * @default RolloutStrategy.LIVE_UPDATE
   */
  readonly rolloutStrategy?: RolloutStrategy;
  /**
   * Most memory that can be plugged into a running guest that names no most.
   * @default - four times what it starts with
   */
  readonly maxGuestMemory?: Size;
  /**
   * Number of CPU sockets that a running guest may have at most, where it names no most.
   * @default - four times what it starts with
   */
  readonly maxCpuSockets?: number;
  /**
   * What VMs keep of their instance type and preference.
   * @default ReferencePolicy.REFERENCE
   */
  readonly instancetypeReferencePolicy?: ReferencePolicy;
  /**
   * Storage class for the state of TPM and UEFI.
   * @default - the cluster's
   */
  readonly vmStateStorageClass?: string;
  /**
   * Runtime class of launcher Pods.
   * @default - the nodes'
   */
  readonly runtimeClass?: string;
  /**
   * Guests of a node at most.
   * @default 110
   */
  readonly guestsPerNode?: number;
  /**
   * Nodes on which equal pages of guests are merged. An empty selector means all.
   * @default - none
   */
  readonly ksmNodes?: k8s.LabelSelector;
  /**
   * Least TLS version of the platform's servers.
   * @default LeastTlsVersion.TLS_1_2
   */
  readonly leastTlsVersion?: LeastTlsVersion;
  /**
   * Namespaces, by labels, whose Pods get a CPU limit of their vCPUs.
   * @default - namespaces with a quota of CPU limits
   */
  readonly autoCpuLimitNamespaces?: k8s.LabelSelector;
  /**
   * VMs whose changed blocks are tracked, for incremental backups; needs the feature gate `IncrementalBackup`.
   * @default - none
   */
  readonly changedBlockTracking?: ChangedBlockTracking;
  /**
   * LUNs may have SCSI persistent reservations.
   * @default false
   */
  readonly persistentReservation?: boolean;
  /**
   * The serial console of guests that do not say is logged.
   * @default true
   */
  readonly serialConsoleLog?: boolean;
  /**
   * Guests give free pages back.
   * @default true
   */
  readonly freePageReporting?: boolean;
  /**
   * Time between two statistics of a guest's memory.
   * @default Duration.seconds(10)
   */
  readonly memoryStatsPeriod?: Duration;
  /**
   * What guests are told about their machine.
   * @default - KubeVirt
   */
  readonly machineIdentity?: MachineIdentity;
  /**
   * CPU models that no node offers, in place of KubeVirt's list.
   * @default - models from 486 to phenom, qemu32, qemu64, kvm32, kvm64
   */
  readonly obsoleteCpuModels?: string[];
  /**
   * SELinux type of launchers.
   * @default - the container runtime's
   */
  readonly selinuxLauncherType?: string;
  /**
   * Ciphers of TLS 1.2, by OpenSSL's names; needs `leastTlsVersion` 1.2.
   * @default - the libraries'
   */
  readonly tlsCiphers?: string[];
  /**
   * How much launchers log, from 1.
   * @default 2
   */
  readonly launcherVerbosity?: number;
  /**
   * KubeVirt's roles become part of Kubernetes' own `admin`, `edit` and `view`. Without, they must be bound by name.
   * @default true
   */
  readonly aggregateRoles?: boolean;
  /**
   * Fields of `spec.configuration` that no property reaches, as the API writes them; merged over everything else. Lists
   * take the place of lists.
   * @default - none
   */
  readonly raw?: { readonly [field: string]: unknown };
}
