// Generated from api/schema/kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { DataVolumeSpec } from './cdi-v1beta1';
import type {
  Affinity,
  DownwardAPIVolumeFile,
  ExecAction,
  HTTPGetAction,
  LocalObjectReference,
  PersistentVolumeClaimVolumeSource as OtherPersistentVolumeClaimVolumeSource,
  PodDNSConfig,
  TCPSocketAction,
  Toleration,
  TopologySpreadConstraint,
  TypedObjectReference,
} from './core-v1';
import type { Duration, LabelSelector, Quantity, Time } from './meta-v1';

/**
 * ACPI tables with the guest's licence, from Secret volumes.
 */
export interface ACPI {
  /**
   * Volume whose Secret holds an MSDM table (Windows 8 and later).
   */
  msdmNameRef?: string;
  /**
   * Volume whose Secret holds a SLIC table (Windows 7).
   */
  slicNameRef?: string;
}

/**
 * SSH key or password for the guest. Exactly one field must be set.
 */
export interface AccessCredential {
  /**
   * SSH keys for the guest.
   */
  sshPublicKey?: SSHPublicKeyAccessCredential;
  /**
   * Passwords for the guest.
   */
  userPassword?: UserPasswordAccessCredential;
}

/**
 * Reference to a Secret in the same namespace.
 */
export interface AccessCredentialSecretSource {
  /**
   * Name of the referenced object.
   */
  secretName: string;
}

/**
 * Options for plugging in a disk.
 */
export interface AddVolumeOptions {
  /**
   * Disk device that the guest sees.
   */
  disk: Disk;
  /**
   * Dry run. `All`: the request is validated, but nothing is changed.
   */
  dryRun?: string[];
  /**
   * Name of the disk and volume. A name inside disk is ignored.
   */
  name: string;
  /**
   * Volume that contains the disk's data.
   */
  volumeSource: HotplugVolumeSource;
}

/**
 * Settings for each architecture.
 */
export interface ArchConfiguration {
  /**
   * Settings for x86-64.
   */
  amd64?: ArchSpecificConfiguration;
  /**
   * Settings for ARM.
   */
  arm64?: ArchSpecificConfiguration;
  /**
   * Architecture of VMs that do not set one. Default: the architecture of the control plane's nodes.
   */
  defaultArchitecture?: string;
  /**
   * Deprecated: no longer supported.
   */
  ppc64le?: ArchSpecificConfiguration;
  /**
   * Settings for IBM Z.
   */
  s390x?: ArchSpecificConfiguration;
}

/**
 * Settings for one architecture.
 */
export interface ArchSpecificConfiguration {
  /**
   * Allowed machine types; `*` matches any text. Default: amd64 q35*, pc-q35*; arm64 virt*; s390x s390-ccw-virtio*.
   */
  emulatedMachines?: string[];
  /**
   * Machine type of VMs that do not set one. Default: amd64 q35, arm64 virt, s390x s390-ccw-virtio.
   */
  machineType?: string;
  /**
   * Folder of the EFI firmware. Default: amd64 /usr/share/edk2/ovmf, arm64 /usr/share/AAVMF.
   */
  ovmfPath?: string;
}

/**
 * BIOS as firmware.
 */
export interface BIOS {
  /**
   * Whether the BIOS writes to the serial console. Default: false.
   */
  useSerial?: boolean;
}

/**
 * Block size of a disk. At most one field may be set.
 */
export interface BlockSize {
  /**
   * Custom block sizes.
   */
  custom?: CustomBlockSize;
  /**
   * Block sizes as reported by the volume.
   */
  matchVolume?: FeatureState;
}

/**
 * Firmware that boots the guest. At most one field may be set.
 */
export interface Bootloader {
  /**
   * BIOS. This is the default on amd64.
   */
  bios?: BIOS;
  /**
   * EFI firmware.
   */
  efi?: EFI;
}

/**
 * CD-ROM drive.
 */
export interface CDRomTarget {
  /**
   * Bus of the drive. Default: sata; arm64 and s390x: scsi.
   */
  bus?: 'scsi' | 'sata' | 'usb';
  /**
   * Whether the drive is read-only. Default: true.
   */
  readonly?: boolean;
  /**
   * State of the tray. Default: closed.
   */
  tray?: 'open' | 'closed';
}

/**
 * CPUs of the guest.
 */
export interface CPU {
  /**
   * Number of cores per socket. Default: 1.
   */
  cores?: number;
  /**
   * Whether each vCPU is pinned to a CPU reserved for this guest. The Pod gets QoS class Guaranteed.
   */
  dedicatedCpuPlacement?: boolean;
  /**
   * CPU features to add or hide.
   */
  features?: CPUFeature[];
  /**
   * Whether QEMU's emulator thread gets an additional dedicated CPU.
   */
  isolateEmulatorThread?: boolean;
  /**
   * Maximum number of sockets after hotplug. Default: four times `sockets`, at most 512 vCPUs.
   */
  maxSockets?: number;
  /**
   * CPU model: host-model, host-passthrough, or a name such as Haswell. Default: host-model; arm64: host-passthrough.
   */
  model?: string;
  /**
   * NUMA layout of the guest.
   */
  numa?: NUMA;
  /**
   * Realtime scheduling of vCPUs.
   */
  realtime?: Realtime;
  /**
   * Number of sockets. May be increased while the guest runs. Default: if cores and threads are not set either, the CPUs of resources, otherwise 1.
   */
  sockets?: number;
  /**
   * Number of threads per core. Default: 1.
   */
  threads?: number;
}

/**
 * Feature of the CPU.
 */
export interface CPUFeature {
  /**
   * Name of the feature in libvirt.
   */
  name: string;
  /**
   * Policy of the feature: force, require, optional, disable or forbid. Default: require.
   */
  policy?: 'force' | 'require' | 'optional' | 'disable' | 'forbid';
}

/**
 * CPU topology of the running guest.
 */
export interface CPUTopology {
  /**
   * Number of cores per socket.
   */
  cores?: number;
  /**
   * Number of sockets.
   */
  sockets?: number;
  /**
   * Number of threads per core.
   */
  threads?: number;
}

/**
 * Lifetime of one certificate.
 */
export interface CertConfig {
  /**
   * Validity period of a certificate.
   */
  duration?: Duration;
  /**
   * Time before expiry at which a certificate is renewed.
   */
  renewBefore?: Duration;
}

/**
 * Selectors of VMs whose changed blocks are tracked, for incremental backups. A VM must match either selector.
 */
export interface ChangedBlockTrackingSelectors {
  /**
   * Labels of the namespace.
   */
  namespaceLabelSelector?: LabelSelector;
  /**
   * Labels of the VM.
   */
  virtualMachineLabelSelector?: LabelSelector;
}

/**
 * State of changed block tracking.
 */
export interface ChangedBlockTrackingStatus {
  /**
   * State of the current or last backup.
   */
  backupStatus?: VirtualMachineInstanceBackupStatus | null;
  /**
   * State of changed block tracking.
   */
  state: 'PendingRestart' | 'Initializing' | 'Enabled' | 'Disabled' | 'IncrementalBackupFeatureGateDisabled';
}

/**
 * Chassis information in SMBIOS.
 */
export interface Chassis {
  /**
   * Asset tag.
   */
  asset?: string;
  /**
   * Manufacturer.
   */
  manufacturer?: string;
  /**
   * Serial number.
   */
  serial?: string;
  /**
   * SKU number.
   */
  sku?: string;
  /**
   * Version.
   */
  version?: string;
}

/**
 * Reference to a device of a dynamic resource allocation claim.
 */
export interface ClaimRequest {
  /**
   * Name of the claim in resourceClaims.
   */
  claimName?: string;
  /**
   * Name of the request in the claim.
   */
  requestName?: string;
}

/**
 * Redirection of the client's USB devices: `virt8s usbredir`.
 */
export type ClientPassthroughDevices = object;

/**
 * Clock of the guest. At most one of utc and timezone may be set.
 */
export interface Clock {
  /**
   * Timers of the guest.
   */
  timer?: Timer;
  /**
   * Time zone, such as Europe/Berlin.
   */
  timezone?: string;
  /**
   * UTC, or an offset from UTC. This is the default.
   */
  utc?: ClockOffsetUTC;
}

/**
 * Offset of the guest's clock. At most one field may be set.
 */
export interface ClockOffset {
  /**
   * Time zone, such as Europe/Berlin.
   */
  timezone?: string;
  /**
   * UTC, or an offset from UTC.
   */
  utc?: ClockOffsetUTC;
}

/**
 * UTC, or an offset from UTC.
 */
export interface ClockOffsetUTC {
  /**
   * Offset from UTC in seconds. If set, changes that the guest makes to its clock survive a reboot. Default: the clock is reset to UTC at each boot.
   */
  offsetSeconds?: number;
}

/**
 * Disk with cloud-init configuration for the ConfigDrive data source.
 */
export interface CloudInitConfigDriveSource {
  /**
   * Network configuration, at most 2048 bytes.
   */
  networkData?: string;
  /**
   * Network data, base64-encoded.
   */
  networkDataBase64?: string;
  /**
   * Secret with network data in key networkdata.
   */
  networkDataSecretRef?: LocalObjectReference;
  /**
   * Secret with user data of any size in key userdata.
   */
  secretRef?: LocalObjectReference;
  /**
   * User data, at most 2048 bytes.
   */
  userData?: string;
  /**
   * User data, base64-encoded.
   */
  userDataBase64?: string;
}

/**
 * Disk with cloud-init configuration for the NoCloud data source.
 */
export interface CloudInitNoCloudSource {
  /**
   * Network configuration, at most 2048 bytes.
   */
  networkData?: string;
  /**
   * Network data, base64-encoded.
   */
  networkDataBase64?: string;
  /**
   * Secret with network data in key networkdata.
   */
  networkDataSecretRef?: LocalObjectReference;
  /**
   * Secret with user data of any size in key userdata.
   */
  secretRef?: LocalObjectReference;
  /**
   * User data, at most 2048 bytes.
   */
  userData?: string;
  /**
   * User data, base64-encoded.
   */
  userDataBase64?: string;
}

/**
 * Deployment of the platform's instance types and preferences.
 */
export interface CommonInstancetypesDeployment {
  /**
   * Whether the instance types and preferences are installed. Default: true.
   */
  enabled?: boolean | null;
}

/**
 * Placement of a group of components.
 */
export interface ComponentConfig {
  /**
   * Node placement of the Pods.
   */
  nodePlacement?: NodePlacement;
  /**
   * Number of Pods of virt-api and of virt-controller. Default: 2, and more on large clusters.
   */
  replicas?: number;
}

/**
 * Settings for guests with encrypted memory.
 */
export interface ConfidentialComputeConfiguration {
  /**
   * Settings for Intel TDX.
   */
  tdx?: TDXConfiguration | null;
}

/**
 * Propagation of SSH keys by the ConfigDrive disk.
 */
export type ConfigDriveSSHPublicKeyAccessCredentialPropagation = object;

/**
 * Disk or file system with the files of a ConfigMap.
 */
export interface ConfigMapVolumeSource {
  /**
   * Name of the ConfigMap, in the same namespace.
   */
  name?: string;
  /**
   * Whether the object may be missing. Default: false.
   */
  optional?: boolean;
  /**
   * Label of the disk, such as cidata, config-2 or OEMDRV.
   */
  volumeLabel?: string;
}

/**
 * State of a container disk.
 */
export interface ContainerDiskInfo {
  /**
   * Deprecated: checksum of the disk.
   */
  checksum?: number;
}

/**
 * Disk inside a container image, below /disk. Data that the guest writes is lost when the guest stops.
 */
export interface ContainerDiskSource {
  /**
   * Image reference.
   */
  image: string;
  /**
   * Pull policy of the image. Default: Always for `latest` or no tag, otherwise IfNotPresent.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Secret with the registry's credentials.
   */
  imagePullSecret?: string;
  /**
   * Path of the disk in the image. Default: the only file in /disk.
   */
  path?: string;
}

/**
 * Path in the launcher's container, shared by virtiofs.
 */
export interface ContainerPathVolumeSource {
  /**
   * Path in the container. A volume must be mounted there.
   */
  path: string;
  /**
   * Whether the path is read-only. Only true is allowed. Default: true.
   */
  readOnly?: boolean;
}

/**
 * Reference to a ControllerRevision.
 */
export interface ControllerRevisionRef {
  /**
   * Name of the referenced object.
   */
  name?: string;
}

/**
 * Block sizes in bytes.
 */
export interface CustomBlockSize {
  /**
   * Minimum size of a discard. Default: the logical size.
   */
  discardGranularity?: number;
  /**
   * Logical block size: a power of two from 512 to 2097152.
   */
  logical?: number;
  /**
   * Physical block size: a power of two from 512 to 2097152, at least the logical block size.
   */
  physical?: number;
}

/**
 * Seccomp profile. At most one field may be set.
 */
export interface CustomProfile {
  /**
   * Path of a profile in the kubelet's seccomp folder.
   */
  localhostProfile?: string;
  /**
   * Whether to use the container runtime's default profile.
   */
  runtimeDefaultProfile?: boolean;
}

/**
 * Customizations of the installed objects.
 */
export interface CustomizeComponents {
  /**
   * Command line flags.
   */
  flags?: Flags;
  /**
   * Patches of installed objects.
   */
  patches?: CustomizeComponentsPatch[];
}

/**
 * Patch of an installed object.
 */
export interface CustomizeComponentsPatch {
  /**
   * Patch as JSON text.
   */
  patch: string;
  /**
   * Name of the object; `*` matches all.
   */
  resourceName: string;
  /**
   * Kind of the object.
   */
  resourceType: string;
  /**
   * Type of the patch.
   */
  type: 'json' | 'merge' | 'strategic';
}

/**
 * Additional options of the interface's DHCP server.
 */
export interface DHCPOptions {
  /**
   * Boot file (option 67).
   */
  bootFileName?: string;
  /**
   * Time servers, by IPv4 address (option 42).
   */
  ntpServers?: string[];
  /**
   * Private DHCP options.
   */
  privateOptions?: DHCPPrivateOptions[];
  /**
   * Boot server (option 66).
   */
  tftpServerName?: string;
}

/**
 * Private DHCP option.
 */
export interface DHCPPrivateOptions {
  /**
   * Number of the option, 224 to 254.
   */
  option: number;
  /**
   * Value of the option.
   */
  value: string;
}

/**
 * Claim that a DataVolume fills.
 */
export interface DataVolumeSource {
  /**
   * Whether the volume can be unplugged while the guest runs. Default: false.
   */
  hotpluggable?: boolean;
  /**
   * Name of the DataVolume and its claim, in the same namespace.
   */
  name: string;
}

/**
 * Empty status, for compatibility with older manifests.
 */
export type DataVolumeTemplateDummyStatus = object;

/**
 * DataVolume that is created with the VM.
 */
export interface DataVolumeTemplateSpec {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Name, labels and annotations of the DataVolume.
   */
  metadata?: ObjectMeta | null;
  /**
   * Spec of the DataVolume.
   */
  spec: DataVolumeSpec;
  /**
   * Status, which is ignored.
   */
  status?: DataVolumeTemplateDummyStatus | null;
}

/**
 * Discontinued. Use a binding plugin.
 */
export type DeprecatedInterfaceMacvtap = object;

/**
 * Discontinued. Use passtBinding.
 */
export type DeprecatedInterfacePasst = object;

/**
 * Discontinued. User-mode networking by slirp.
 */
export type DeprecatedInterfaceSlirp = object;

/**
 * Settings for development and special cases.
 */
export interface DeveloperConfiguration {
  /**
   * Whether components can be profiled. Default: false.
   */
  clusterProfiler?: boolean;
  /**
   * Number of vCPUs per requested CPU. Default: 10.
   */
  cpuAllocationRatio?: number;
  /**
   * Beta feature gates to disable.
   */
  disabledFeatureGates?: string[];
  /**
   * Verification of container disks.
   */
  diskVerification?: DiskVerification;
  /**
   * Feature gates to enable.
   */
  featureGates?: string[];
  /**
   * Log verbosity of each component.
   */
  logVerbosity?: LogVerbosity;
  /**
   * Guest memory as a percentage of requested memory. Default: 100.
   */
  memoryOvercommit?: number;
  /**
   * TSC frequency in Hz that guests can rely on. Default: the lowest of all nodes.
   */
  minimumClusterTSCFrequency?: number;
  /**
   * Bytes to keep free in a file system that contains a disk. Default: 131072.
   */
  minimumReservePVCBytes?: number;
  /**
   * Labels that a node must have to run guests.
   */
  nodeSelectors?: {
    [k: string]: string;
  };
  /**
   * Percentage by which a claim may be smaller than requested. Default: 10.
   */
  pvcTolerateLessSpaceUpToPercent?: number;
  /**
   * Whether VMs run without KVM if KVM is not available. Default: false.
   */
  useEmulation?: boolean;
}

/**
 * Devices of the guest.
 */
export interface Devices {
  /**
   * Whether a graphics card with VNC is attached. Default: true.
   */
  autoattachGraphicsDevice?: boolean;
  /**
   * Whether a tablet is attached for exact pointing. Default: false.
   */
  autoattachInputDevice?: boolean;
  /**
   * Whether a memory balloon is attached, for memory statistics. Default: true.
   */
  autoattachMemBalloon?: boolean;
  /**
   * Whether the Pod network is attached if the VM sets no networks. Default: true.
   */
  autoattachPodInterface?: boolean;
  /**
   * Whether a serial port is attached, for `virt8s console`. Default: true.
   */
  autoattachSerialConsole?: boolean;
  /**
   * Whether a VSOCK device is attached. Gate VSOCK.
   */
  autoattachVSOCK?: boolean;
  /**
   * Whether virtio disks have one queue per vCPU.
   */
  blockMultiQueue?: boolean;
  /**
   * Redirection of the client's USB devices.
   */
  clientPassthrough?: ClientPassthroughDevices;
  /**
   * Whether to omit the controller for hotplugged disks.
   */
  disableHotplug?: boolean;
  /**
   * Disks, CD-ROM drives and LUNs, in the order in which the guest sees them. Each volume without an entry becomes a disk.
   */
  disks?: Disk[];
  /**
   * Virtio-serial port on which the guest reads metrics of the host.
   */
  downwardMetrics?: DownwardMetrics;
  /**
   * Volumes shared as folders by virtiofs.
   */
  filesystems?: Filesystem[];
  /**
   * GPUs assigned to the guest.
   */
  gpus?: GPU[];
  /**
   * Devices of the node assigned to the guest. Gate HostDevices.
   */
  hostDevices?: HostDevice[];
  /**
   * Tablets and keyboards.
   */
  inputs?: Input[];
  /**
   * Network interfaces. Each is connected to the network of the same name.
   */
  interfaces?: Interface[];
  /**
   * Whether serial output is written to a container log of the Pod. Default: true.
   */
  logSerialConsole?: boolean;
  /**
   * Whether virtio interfaces have one queue per vCPU.
   */
  networkInterfaceMultiqueue?: boolean;
  /**
   * Devices that report a crash of the guest.
   */
  panicDevices?: PanicDevice[];
  /**
   * Random number generator that uses the host's entropy.
   */
  rng?: Rng;
  /**
   * Sound device.
   */
  sound?: SoundDevice;
  /**
   * Emulated TPM 2.0.
   */
  tpm?: TPMDevice;
  /**
   * Whether virtio devices use the transitional model, for old guests.
   */
  useVirtioTransitional?: boolean;
  /**
   * Video device. Default: depends on architecture and firmware.
   */
  video?: VideoDevice;
  /**
   * Watchdog, which acts when the guest stops responding.
   */
  watchdog?: Watchdog;
}

/**
 * Watchdog for s390x.
 */
export interface Diag288Watchdog {
  /**
   * Action when the watchdog fires. Default: reset.
   */
  action?: 'poweroff' | 'reset' | 'shutdown';
}

/**
 * Switch that disables free page reporting in guests.
 */
export type DisableFreePageReporting = object;

/**
 * Switch that disables logging of the serial console.
 */
export type DisableSerialConsoleLog = object;

/**
 * Disk, LUN or CD-ROM drive, and its volume.
 */
export interface Disk {
  /**
   * Block sizes that the guest sees. Default: 512.
   */
  blockSize?: BlockSize;
  /**
   * Position in the boot order, from 1, unique among disks and interfaces. If no device has one, disks boot in the order of the list.
   */
  bootOrder?: number;
  /**
   * Host caching mode. Default: none if the storage supports O_DIRECT, otherwise writethrough.
   */
  cache?: 'none' | 'writethrough' | 'writeback';
  /**
   * CD-ROM drive. Empty if it has no volume.
   */
  cdrom?: CDRomTarget;
  /**
   * Whether changed blocks are tracked. Written by the platform. Default: false.
   */
  changedBlockTracking?: boolean;
  /**
   * Whether the disk gets a dedicated I/O thread.
   */
  dedicatedIOThread?: boolean;
  /**
   * Plain disk. This is the default device.
   */
  disk?: DiskTarget;
  /**
   * Reaction to an I/O error. Default: stop.
   */
  errorPolicy?: 'stop' | 'ignore' | 'report' | 'enospace';
  /**
   * I/O mode of QEMU. Default: native for block devices and preallocated files, otherwise threads.
   */
  io?: 'native' | 'threads' | 'default';
  /**
   * SCSI device that passes commands through to the storage. Requires a claim.
   */
  lun?: LunTarget;
  /**
   * Name of the disk and its volume.
   */
  name: string;
  /**
   * Serial number that the guest sees: letters, digits, _.+-, at most 36 characters.
   */
  serial?: string;
  /**
   * Whether several VMs may write to the disk.
   */
  shareable?: boolean;
  /**
   * Tag that the guest finds in cloud-init's metadata next to the disk's address.
   */
  tag?: string;
}

/**
 * I/O threads for policy supplementalPool.
 */
export interface DiskIOThreads {
  /**
   * Number of threads.
   */
  supplementalPoolThreadCount?: number;
}

/**
 * Plain disk.
 */
export interface DiskTarget {
  /**
   * Bus of the disk. Default: sata; arm64 and s390x: virtio.
   */
  bus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Fixed PCI address, such as 0000:81:01.0. Requires bus virtio.
   */
  pciAddress?: string;
  /**
   * Whether the disk is read-only. Default: false.
   */
  readonly?: boolean;
}

/**
 * Verification of container disks.
 */
export interface DiskVerification {
  /**
   * Memory limit of qemu-img. Default: 2000Mi.
   */
  memoryLimit: Quantity;
}

/**
 * State of a memory dump.
 */
export interface DomainMemoryDumpInfo {
  /**
   * Name of the claim that contains the dump.
   */
  claimName?: string;
  /**
   * End time.
   */
  endTimestamp?: Time;
  /**
   * Start time.
   */
  startTimestamp?: Time;
  /**
   * Name of the dump file.
   */
  targetFileName?: string;
}

/**
 * Virtual hardware of the guest.
 */
export interface DomainSpec {
  /**
   * Chassis information in SMBIOS.
   */
  chassis?: Chassis;
  /**
   * Clock and timers of the guest.
   */
  clock?: Clock;
  /**
   * CPU of the guest. Default: one vCPU, or more if resources request more.
   */
  cpu?: CPU;
  /**
   * Disks, interfaces and all other devices.
   */
  devices: Devices;
  /**
   * Features of the machine. Default: ACPI, except on s390x.
   */
  features?: Features;
  /**
   * Boot firmware and SMBIOS identity of the guest.
   */
  firmware?: Firmware;
  /**
   * I/O threads for policy supplementalPool.
   */
  ioThreads?: DiskIOThreads;
  /**
   * Policy for I/O threads. shared: one thread for all disks. auto: threads by number of vCPUs. supplementalPool: number of threads set in `ioThreads`.
   */
  ioThreadsPolicy?: 'shared' | 'auto' | 'supplementalPool';
  /**
   * Memory encryption of the guest.
   */
  launchSecurity?: LaunchSecurity;
  /**
   * Machine type.
   */
  machine?: Machine;
  /**
   * Memory of the guest.
   */
  memory?: Memory;
  /**
   * Reaction to a reboot inside the guest. Default: Reboot.
   */
  rebootPolicy?: 'Reboot' | 'Terminate';
  /**
   * Resources that Kubernetes reserves for the Pod.
   */
  resources?: ResourceRequirements;
}

/**
 * Increase of the allowed downtime during a migration.
 */
export interface DowntimeTuningOptions {
  /**
   * Minimum number of seconds between two steps. Default: 10.
   */
  cooldownSeconds?: number;
  /**
   * Initial downtime in milliseconds. Default: 150.
   */
  initialMs?: number;
  /**
   * Number of memory iterations before the first step. Default: 3.
   */
  startAfterIteration?: number;
  /**
   * Number of equal steps up to maxDowntimeMs. Default: 7.
   */
  steps?: number;
}

/**
 * Disk or file system with Pod fields as files.
 */
export interface DownwardAPIVolumeSource {
  /**
   * Files to create.
   */
  fields?: DownwardAPIVolumeFile[];
  /**
   * Label of the disk.
   */
  volumeLabel?: string;
}

/**
 * Virtio-serial port with metrics of the host.
 */
export type DownwardMetrics = object;

/**
 * Small disk with metrics of the host, in the format of vhostmd.
 */
export type DownwardMetricsVolumeSource = object;

/**
 * EFI firmware.
 */
export interface EFI {
  /**
   * Whether UEFI variables are kept across restarts. Default: false.
   */
  persistent?: boolean;
  /**
   * Whether only signed boot loaders may start. Requires features.smm. Default: true, on arm64 false.
   */
  secureBoot?: boolean;
}

/**
 * Empty disk that exists as long as the instance.
 */
export interface EmptyDiskSource {
  /**
   * Size in bytes.
   */
  capacity: Quantity;
}

/**
 * Claim that is only read. Data that the guest writes is lost when the guest stops.
 */
export interface EphemeralVolumeSource {
  /**
   * Claim that is read.
   */
  persistentVolumeClaim?: OtherPersistentVolumeClaimVolumeSource;
}

/**
 * Options for canceling an eviction.
 */
export interface EvacuateCancelOptions {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Dry run. `All`: the request is validated, but nothing is changed.
   */
  dryRun?: string[];
  /**
   * Node that the instance was to leave. The request fails if the instance is to leave another node.
   */
  evacuationNodeName: string;
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * Experimental migration settings, which may change or be removed.
 */
export interface ExperimentalMigrationOptions {
  /**
   * Compression of the migration stream. Default: none.
   */
  compression?: 'none' | 'zstd';
  /**
   * Increase of the allowed downtime.
   */
  downtimeTuning?: DowntimeTuningOptions;
  /**
   * Detection of stalled migrations.
   */
  stallDetector?: StallDetectorOptions;
}

/**
 * State of the interrupt controller.
 */
export interface FeatureAPIC {
  /**
   * Whether the feature is enabled. Default: true.
   */
  enabled?: boolean;
  /**
   * Whether the guest can avoid an exit at the end of each interrupt. Default: false.
   */
  endOfInterrupt?: boolean;
}

/**
 * Hyper-V features, which improve Windows guests. Features that are not set follow the machine type.
 */
export interface FeatureHyperv {
  /**
   * State of enlightened VMCS, which makes nested guests faster on Intel. Requires vapic.
   */
  evmcs?: FeatureState;
  /**
   * Whether the guest can read the frequencies of TSC and APIC.
   */
  frequencies?: FeatureState;
  /**
   * State of cheaper interrupts between CPUs. Requires vpindex.
   */
  ipi?: FeatureState;
  /**
   * Whether the guest is notified when the TSC's frequency changes.
   */
  reenlightenment?: FeatureState;
  /**
   * Whether the guest's own watchdog for late interrupts is relaxed.
   */
  relaxed?: FeatureState;
  /**
   * Whether the guest can reset itself. Requires synic.
   */
  reset?: FeatureState;
  /**
   * Whether the guest can read the actual run time of each CPU.
   */
  runtime?: FeatureState;
  /**
   * Number of attempts to take a spinlock before the guest notifies the hypervisor.
   */
  spinlocks?: FeatureSpinlocks;
  /**
   * State of the synthetic interrupt controller. Requires vpindex.
   */
  synic?: FeatureState;
  /**
   * Timers of the synthetic interrupt controller. Requires synic.
   */
  synictimer?: SyNICTimer;
  /**
   * State of cheaper TLB flushes on other CPUs. Requires vpindex.
   */
  tlbflush?: TLBFlush;
  /**
   * State of the virtual APIC, which makes interrupts cheaper.
   */
  vapic?: FeatureState;
  /**
   * Hypervisor name that the guest sees.
   */
  vendorid?: FeatureVendorID;
  /**
   * Whether the guest can read the index of each CPU.
   */
  vpindex?: FeatureState;
}

/**
 * Visibility of KVM to the guest.
 */
export interface FeatureKVM {
  /**
   * Whether KVM is hidden from the guest. Default: false.
   */
  hidden?: boolean;
}

/**
 * Number of attempts to take a spinlock before the guest notifies the hypervisor.
 */
export interface FeatureSpinlocks {
  /**
   * Whether the feature is enabled. Default: true.
   */
  enabled?: boolean;
  /**
   * Number of attempts, at least 4096. Default: 4096.
   */
  spinlocks?: number;
}

/**
 * State of a feature.
 */
export interface FeatureState {
  /**
   * Whether the feature is enabled. Default: true.
   */
  enabled?: boolean;
}

/**
 * Hypervisor name that the guest sees.
 */
export interface FeatureVendorID {
  /**
   * Whether the feature is enabled. Default: true.
   */
  enabled?: boolean;
  /**
   * Name of the hypervisor, at most 12 characters.
   */
  vendorid?: string;
}

/**
 * Features of the machine.
 */
export interface Features {
  /**
   * State of ACPI. Default: enabled, on s390x disabled.
   */
  acpi?: FeatureState;
  /**
   * Interrupt controller. Default: depends on the machine type.
   */
  apic?: FeatureAPIC;
  /**
   * Individual Hyper-V features, which improve Windows guests.
   */
  hyperv?: FeatureHyperv;
  /**
   * Passthrough of all Hyper-V features that the host supports. Such a guest cannot be migrated.
   */
  hypervPassthrough?: HyperVPassthrough;
  /**
   * Visibility of KVM to the guest.
   */
  kvm?: FeatureKVM;
  /**
   * State of paravirtual spinlocks.
   */
  pvspinlock?: FeatureState;
  /**
   * State of system management mode. Required by secure boot.
   */
  smm?: FeatureState;
}

/**
 * Folder that is shared with the guest.
 */
export interface Filesystem {
  /**
   * Name of the volume. The guest uses the name as mount tag.
   */
  name: string;
  /**
   * Sharing by virtiofs.
   */
  virtiofs: FilesystemVirtiofs;
}

/**
 * Sharing by virtiofs.
 */
export type FilesystemVirtiofs = object;

/**
 * Boot firmware and the SMBIOS identity of the guest.
 */
export interface Firmware {
  /**
   * ACPI tables with the guest's licence.
   */
  acpi?: ACPI;
  /**
   * Firmware that boots the guest. Default: BIOS; arm64: UEFI.
   */
  bootloader?: Bootloader;
  /**
   * Kernel from a container image that is booted directly.
   */
  kernelBoot?: KernelBoot;
  /**
   * SMBIOS serial number.
   */
  serial?: string;
  /**
   * SMBIOS UUID. Default: derived from the name.
   */
  uuid?: string;
}

/**
 * Command line flags, by name.
 */
export interface Flags {
  /**
   * Log verbosity of virt-api.
   */
  api?: {
    [k: string]: string;
  };
  /**
   * Log verbosity of virt-controller.
   */
  controller?: {
    [k: string]: string;
  };
  /**
   * Log verbosity of virt-handler.
   */
  handler?: {
    [k: string]: string;
  };
}

/**
 * Options for freezing and unfreezing the guest's file systems.
 */
export interface FreezeUnfreezeTimeout {
  /**
   * Time after which frozen file systems are thawed automatically; 0 disables thawing.
   */
  unfreezeTimeout: Duration;
}

/**
 * GPU of the node. Either deviceName, or claimName and requestName must be set.
 */
export interface GPU {
  /**
   * Name of an entry in resourceClaims.
   */
  claimName?: string;
  /**
   * Resource name of the device plugin, such as nvidia.com/GP102GL.
   */
  deviceName?: string;
  /**
   * Name of the device in this VM.
   */
  name: string;
  /**
   * Name of the request in the claim.
   */
  requestName?: string;
  /**
   * Tag that the guest finds in cloud-init's metadata next to the device's address.
   */
  tag?: string;
  /**
   * Options of a virtual GPU.
   */
  virtualGPUOptions?: VGPUOptions;
}

/**
 * Last written state of an installed object.
 */
export interface GenerationStatus {
  /**
   * API group of the object.
   */
  group: string;
  /**
   * Hash of the content, for objects without a generation.
   */
  hash?: string;
  /**
   * Last written generation of the object.
   */
  lastGeneration: number;
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * Namespace of the referenced object.
   */
  namespace?: string;
  /**
   * Resource name of the object.
   */
  resource: string;
}

/**
 * Network that CNI-Genie attaches. Deprecated: use multus.
 */
export interface GenieNetwork {
  /**
   * Name of the CNI plugin or network, as in the annotation cni.
   */
  networkName: string;
}

/**
 * Command that the guest agent supports.
 */
export interface GuestAgentCommandInfo {
  /**
   * Whether the command may be used.
   */
  enabled?: boolean;
  /**
   * Name of the command.
   */
  name: string;
}

/**
 * Check that the guest agent responds.
 */
export type GuestAgentPing = object;

/**
 * High precision event timer.
 */
export interface HPETTimer {
  /**
   * Whether the timer is present. Default: true.
   */
  present?: boolean;
  /**
   * Policy for missed ticks.
   */
  tickPolicy?: 'delay' | 'catchup' | 'merge' | 'discard';
}

/**
 * Device of the node. Either deviceName, or claimName and requestName must be set.
 */
export interface HostDevice {
  /**
   * Name of an entry in resourceClaims.
   */
  claimName?: string;
  /**
   * Resource name of the device plugin.
   */
  deviceName?: string;
  /**
   * Name of the device in this VM.
   */
  name: string;
  /**
   * Name of the request in the claim.
   */
  requestName?: string;
  /**
   * Tag that the guest finds in cloud-init's metadata next to the device's address.
   */
  tag?: string;
}

/**
 * Disk in a file of the node. Requires gate HostDisk.
 */
export interface HostDisk {
  /**
   * Size in bytes of a file that is created.
   */
  capacity?: Quantity;
  /**
   * Absolute path on the node.
   */
  path: string;
  /**
   * Whether all nodes have the same file at this path. Default: false.
   */
  shared?: boolean;
  /**
   * Whether a missing file is created (DiskOrCreate).
   */
  type: 'Disk' | 'DiskOrCreate';
}

/**
 * Source of a hotplugged volume. Exactly one field must be set.
 */
export interface HotplugVolumeSource {
  /**
   * Claim that a DataVolume fills.
   */
  dataVolume?: DataVolumeSource;
  /**
   * Existing claim.
   */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
}

/**
 * Pod that brings a hotplugged volume to the node.
 */
export interface HotplugVolumeStatus {
  /**
   * Name of the attachment Pod.
   */
  attachPodName?: string;
  /**
   * UID of the attachment Pod.
   */
  attachPodUID?: string;
}

/**
 * Huge pages that back the guest's memory.
 */
export interface Hugepages {
  /**
   * Page size: 2Mi or 1Gi.
   */
  pageSize?: string;
}

/**
 * Passthrough of all Hyper-V features that the host supports.
 */
export interface HyperVPassthrough {
  /**
   * Whether the passthrough is enabled.
   */
  enabled?: boolean;
}

/**
 * Hypervisor clock for Windows guests.
 */
export interface HypervTimer {
  /**
   * Whether the timer is present. Default: true.
   */
  present?: boolean;
}

/**
 * Configuration of the hypervisor.
 */
export interface HypervisorConfiguration {
  /**
   * Name of the hypervisor. Default: kvm.
   */
  name?: 'kvm' | 'hyperv-direct';
}

/**
 * Watchdog on the PCI bus.
 */
export interface I6300ESBWatchdog {
  /**
   * Action when the watchdog fires. Default: reset.
   */
  action?: 'poweroff' | 'reset' | 'shutdown';
}

/**
 * Ramdisk of the guest.
 */
export interface InitrdInfo {
  /**
   * Deprecated: checksum of the ramdisk.
   */
  checksum?: number;
}

/**
 * Input device.
 */
export interface Input {
  /**
   * Bus of the device. Default: usb.
   */
  bus?: 'usb' | 'virtio';
  /**
   * Name of the device.
   */
  name: string;
  /**
   * Type of the device; only tablet is allowed.
   */
  type: 'tablet' | 'keyboard';
}

/**
 * Handling of references to instance types and preferences.
 */
export interface InstancetypeConfiguration {
  /**
   * Policy for references. reference: keep the VM's reference to a copy. expand: replace the reference by its fields in new VMs. expandAll: replace the reference by its fields in all VMs. Default: reference.
   */
  referencePolicy?: ('reference' | 'expand' | 'expandAll') | null;
}

/**
 * Reference to the VM's instance type.
 */
export interface InstancetypeMatcher {
  /**
   * Volume whose labels name the instance type. The webhook replaces this field by name and kind.
   */
  inferFromVolume?: string;
  /**
   * Whether a VM is rejected if the volume has no such labels. Default: Reject.
   */
  inferFromVolumeFailurePolicy?: 'Reject' | 'Ignore';
  /**
   * Kind of the instance type: VirtualMachineInstancetype or VirtualMachineClusterInstancetype. Default: VirtualMachineClusterInstancetype.
   */
  kind?: string;
  /**
   * Name of the referenced object.
   */
  name?: string;
  /**
   * ControllerRevision with the stored copy. Written by the controller.
   */
  revisionName?: string;
}

/**
 * Reference to the instance type or preference in use.
 */
export interface InstancetypeStatusRef {
  /**
   * ControllerRevision with the stored copy.
   */
  controllerRevisionRef?: ControllerRevisionRef;
  /**
   * Volume whose labels named the object.
   */
  inferFromVolume?: string;
  /**
   * Reaction if the volume has no labels.
   */
  inferFromVolumeFailurePolicy?: string;
  /**
   * Kind of the referenced object.
   */
  kind?: string;
  /**
   * Name of the referenced object.
   */
  name?: string;
}

/**
 * Network interface of the guest and its binding to a network. Exactly one binding must be set.
 */
export interface Interface {
  /**
   * ACPI index, 1 to 16383. Gives the interface a fixed name in the guest.
   */
  acpiIndex?: number;
  /**
   * Binding plugin registered in the KubeVirt object.
   */
  binding?: PluginBinding;
  /**
   * Position in the boot order, from 1, unique among disks and interfaces.
   */
  bootOrder?: number;
  /**
   * Bridge binding. The guest takes over the Pod's address, or is bridged to the network.
   */
  bridge?: InterfaceBridge;
  /**
   * Additional DHCP options.
   */
  dhcpOptions?: DHCPOptions;
  /**
   * MAC address. Default: chosen by the platform.
   */
  macAddress?: string;
  /**
   * Discontinued. Rejected.
   */
  macvtap?: DeprecatedInterfaceMacvtap;
  /**
   * Masquerade binding. The guest is behind NAT and reachable at the Pod's address. Pod network only.
   */
  masquerade?: InterfaceMasquerade;
  /**
   * Model of the interface. Default: virtio.
   */
  model?: 'virtio' | 'e1000' | 'e1000e' | 'igb' | 'ne2k_pci' | 'pcnet' | 'rtl8139';
  /**
   * Name of the interface and its network.
   */
  name: string;
  /**
   * Discontinued. Rejected; use passtBinding.
   */
  passt?: DeprecatedInterfacePasst;
  /**
   * Passt binding: user-mode networking. Pod network only.
   */
  passtBinding?: InterfacePasstBinding;
  /**
   * Fixed PCI address, such as 0000:81:01.0.
   */
  pciAddress?: string;
  /**
   * Ranges of ports that are forwarded to the guest. Requires masquerade. Mutually exclusive with ports.
   */
  portRanges?: PortRange[];
  /**
   * Ports that are forwarded to the guest. Default: all ports.
   */
  ports?: Port[];
  /**
   * Discontinued. Rejected unless network.permitSlirpInterface is set.
   */
  slirp?: DeprecatedInterfaceSlirp;
  /**
   * SR-IOV binding. The guest gets a virtual function of the network card.
   */
  sriov?: InterfaceSRIOV;
  /**
   * State of the link: up or down; absent unplugs the interface. Default: up.
   */
  state?: 'up' | 'down' | 'absent';
  /**
   * Tag that the guest finds in cloud-init's metadata next to the interface's address.
   */
  tag?: string;
}

/**
 * Migration of guests that use the binding.
 */
export interface InterfaceBindingMigration {
  /**
   * Migration method. link-refresh: set the link down and up after the migration.
   */
  method?: string;
}

/**
 * Binding plugin for interfaces.
 */
export interface InterfaceBindingPlugin {
  /**
   * Additional resources of the launcher's container.
   */
  computeResourceOverhead?: ResourceRequirementsWithoutClaims;
  /**
   * Connection that the platform makes for the interface. managedTap also runs DHCP. Default: the sidecar makes the connection.
   */
  domainAttachmentType?: 'tap' | 'managedTap';
  /**
   * Downward API data that the sidecar can read: device-info.
   */
  downwardAPI?: string;
  /**
   * Migration of guests that use the binding. Default: these guests cannot migrate.
   */
  migration?: InterfaceBindingMigration;
  /**
   * NetworkAttachmentDefinition for the Pods: NAME or NAMESPACE/NAME.
   */
  networkAttachmentDefinition?: string;
  /**
   * Image of a sidecar container that changes the domain.
   */
  sidecarImage?: string;
}

/**
 * Bridge binding. The guest takes over the Pod's addresses.
 */
export type InterfaceBridge = object;

/**
 * Masquerade binding. The guest has a private address behind NAT.
 */
export type InterfaceMasquerade = object;

/**
 * Passt binding: user-mode networking.
 */
export type InterfacePasstBinding = object;

/**
 * SR-IOV binding. The guest gets a virtual function of a network card.
 */
export type InterfaceSRIOV = object;

/**
 * Configuration of kernel same-page merging.
 */
export interface KSMConfiguration {
  /**
   * Labels of the nodes with merging enabled. Empty matches all nodes.
   */
  nodeLabelSelector?: LabelSelector;
}

/**
 * KVM clock for Linux guests.
 */
export interface KVMTimer {
  /**
   * Whether the timer is present. Default: true.
   */
  present?: boolean;
}

/**
 * Kernel that is booted directly, without a boot loader.
 */
export interface KernelBoot {
  /**
   * Container image with the kernel.
   */
  container?: KernelBootContainer;
  /**
   * Command line of the kernel. Requires a kernel.
   */
  kernelArgs?: string;
}

/**
 * Container image with a kernel or ramdisk.
 */
export interface KernelBootContainer {
  /**
   * Image reference.
   */
  image: string;
  /**
   * Pull policy of the image. Default: Always for the tag latest, otherwise IfNotPresent.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Secret with the registry's credentials.
   */
  imagePullSecret?: string;
  /**
   * Path of the ramdisk in the image.
   */
  initrdPath?: string;
  /**
   * Path of the kernel in the image.
   */
  kernelPath?: string;
}

/**
 * Kernel and ramdisk of the running guest.
 */
export interface KernelBootStatus {
  /**
   * Ramdisk of the guest.
   */
  initrdInfo?: InitrdInfo;
  /**
   * Kernel of the guest.
   */
  kernelInfo?: KernelInfo;
}

/**
 * Kernel of the guest.
 */
export interface KernelInfo {
  /**
   * Deprecated: checksum of the kernel.
   */
  checksum?: number;
}

/**
 * Installation and configuration of the platform. One per cluster.
 */
export interface KubeVirt extends KubeObject {
  /**
   * Configuration of the platform.
   */
  spec: KubeVirtSpec;
  /**
   * Observed state of the installation.
   */
  status?: KubeVirtStatus;
}

/**
 * Renewal of certificates.
 */
export interface KubeVirtCertificateRotateStrategy {
  /**
   * Lifetimes of the certificates that the platform signs.
   */
  selfSigned?: KubeVirtSelfSignConfiguration;
}

/**
 * Condition of the platform.
 */
export interface KubeVirtCondition {
  /**
   * Time of the last check.
   */
  lastProbeTime?: Time | null;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time | null;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition: Synchronized, Created, Available, Progressing or Degraded.
   */
  type: string;
}

/**
 * Configuration of the cluster.
 */
export interface KubeVirtConfiguration {
  /**
   * Factor by which the Pod's memory overhead is multiplied, as text: "1.25".
   */
  additionalGuestMemoryOverheadRatio?: string;
  /**
   * Configuration of virt-api.
   */
  apiConfiguration?: ReloadableComponentConfiguration;
  /**
   * Settings for each architecture.
   */
  architectureConfiguration?: ArchConfiguration;
  /**
   * Namespaces in which Pods get a CPU limit equal to their vCPUs. Default: namespaces with a quota of CPU limits.
   */
  autoCPULimitNamespaceLabelSelector?: LabelSelector;
  /**
   * Selectors of VMs whose changed blocks are tracked.
   */
  changedBlockTrackingLabelSelectors?: ChangedBlockTrackingSelectors | null;
  /**
   * Deployment of the platform's instance types and preferences.
   */
  commonInstancetypesDeployment?: CommonInstancetypesDeployment | null;
  /**
   * Settings for guests with encrypted memory.
   */
  confidentialCompute?: ConfidentialComputeConfiguration | null;
  /**
   * Configuration of virt-controller.
   */
  controllerConfiguration?: ReloadableComponentConfiguration;
  /**
   * CPU model of VMs that do not set one. Default: host-model.
   */
  cpuModel?: string;
  /**
   * CPU request of VMs that do not set one. Default: 100m.
   */
  cpuRequest?: Quantity;
  /**
   * Runtime class of launcher Pods.
   */
  defaultRuntimeClass?: string;
  /**
   * Feature gates, emulation, overcommit and log verbosity.
   */
  developerConfiguration?: DeveloperConfiguration;
  /**
   * Deprecated: use architectureConfiguration.
   */
  emulatedMachines?: string[];
  /**
   * Eviction strategy of VMs that do not set one. Default: None.
   */
  evictionStrategy?: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  /**
   * Configuration of virt-handler. Default: 50 requests per second with bursts of 100.
   */
  handlerConfiguration?: ReloadableComponentConfiguration;
  /**
   * Configuration of the hypervisor. At most one entry is allowed.
   */
  hypervisors?: HypervisorConfiguration[];
  /**
   * Pull policy of the launcher's image. Default: IfNotPresent.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Handling of references to instance types and preferences.
   */
  instancetype?: InstancetypeConfiguration | null;
  /**
   * Configuration of kernel same-page merging.
   */
  ksmConfiguration?: KSMConfiguration;
  /**
   * Limits of hotplug.
   */
  liveUpdateConfiguration?: LiveUpdateConfiguration;
  /**
   * Machine type of VMs that do not set one. Default: depends on the architecture.
   */
  machineType?: string;
  /**
   * Configuration of mediated devices.
   */
  mediatedDevicesConfiguration?: MediatedDevicesConfiguration;
  /**
   * Seconds between two memory statistics of a guest. Default: 10.
   */
  memBalloonStatsPeriod?: number;
  /**
   * Settings for live migrations.
   */
  migrations?: MigrationConfiguration;
  /**
   * Deprecated, no effect.
   */
  minCPUModel?: string;
  /**
   * Default interface and allowed bindings.
   */
  network?: NetworkConfiguration;
  /**
   * CPU models that no node offers, as map from name to true. Default: models from 486 to phenom, and qemu32, qemu64, kvm32, kvm64.
   */
  obsoleteCPUModels?: {
    [k: string]: boolean;
  };
  /**
   * Deprecated: use architectureConfiguration.
   */
  ovmfPath?: string;
  /**
   * Devices of nodes that VMs may use.
   */
  permittedHostDevices?: PermittedHostDevices;
  /**
   * Configuration of SCSI persistent reservations.
   */
  persistentReservationConfiguration?: PersistentReservationConfiguration | null;
  /**
   * Whether the platform's ClusterRoles become part of admin, edit and view. Default: AggregateToDefault.
   */
  roleAggregationStrategy?: 'AggregateToDefault' | 'Manual';
  /**
   * Seccomp profile of launchers.
   */
  seccompConfiguration?: SeccompConfiguration;
  /**
   * SELinux type of launchers. Default: that of the container runtime.
   */
  selinuxLauncherType?: string;
  /**
   * SMBIOS information that guests see.
   */
  smbios?: SMBiosConfiguration;
  /**
   * CPU and memory of auxiliary containers.
   */
  supportContainerResources?: SupportContainerResources[];
  /**
   * Deprecated, no effect.
   */
  supportedGuestAgentVersions?: string[];
  /**
   * TLS versions and ciphers of the servers.
   */
  tlsConfiguration?: TLSConfiguration;
  /**
   * Deployment of VM templates.
   */
  virtTemplateDeployment?: VirtTemplateDeployment | null;
  /**
   * Maximum number of guests per node. Default: 110.
   */
  virtualMachineInstancesPerNode?: number;
  /**
   * Settings that apply to all guests.
   */
  virtualMachineOptions?: VirtualMachineOptions;
  /**
   * Whether changes of a VM are applied to its running guest. Default: LiveUpdate.
   */
  vmRolloutStrategy?: ('Stage' | 'LiveUpdate') | null;
  /**
   * Storage class for TPM and UEFI state.
   */
  vmStateStorageClass?: string;
  /**
   * Configuration of the webhooks.
   */
  webhookConfiguration?: ReloadableComponentConfiguration;
}

/**
 * Lifetimes of the certificates that the platform signs.
 */
export interface KubeVirtSelfSignConfiguration {
  /**
   * Lifetime of the certificate authorities' certificates. Default: valid for one week, renewed after four fifths of the lifetime.
   */
  ca?: CertConfig;
  /**
   * Deprecated: use ca.
   */
  caOverlapInterval?: Duration;
  /**
   * Deprecated: use ca.duration.
   */
  caRotateInterval?: Duration;
  /**
   * Deprecated: use server.duration.
   */
  certRotateInterval?: Duration;
  /**
   * Lifetime of server and client certificates. Default: valid for one day, renewed after four fifths of the lifetime.
   */
  server?: CertConfig;
}

/**
 * Configuration of the platform.
 */
export interface KubeVirtSpec {
  /**
   * Renewal of certificates.
   */
  certificateRotateStrategy?: KubeVirtCertificateRotateStrategy;
  /**
   * Defaults and settings for all VMs.
   */
  configuration?: KubeVirtConfiguration;
  /**
   * Customizations of the installed objects.
   */
  customizeComponents?: CustomizeComponents;
  /**
   * Pull policy of the platform's images.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Secrets for pulling the platform's images.
   */
  imagePullSecrets?: LocalObjectReference[];
  /**
   * Registry of the images. Default: the registry of the operator's image.
   */
  imageRegistry?: string;
  /**
   * Tag of the images. Default: the tag of the operator's image.
   */
  imageTag?: string;
  /**
   * Placement of virt-api and virt-controller.
   */
  infra?: ComponentConfig;
  /**
   * ServiceAccount of Prometheus. Default: prometheus-k8s.
   */
  monitorAccount?: string;
  /**
   * Namespace of Prometheus. Default: openshift-monitoring, otherwise monitoring.
   */
  monitorNamespace?: string;
  /**
   * Label app.kubernetes.io/component of all objects. Default: kubevirt.
   */
  productComponent?: string;
  /**
   * Label app.kubernetes.io/part-of of all objects. Default: no label.
   */
  productName?: string;
  /**
   * Label app.kubernetes.io/version of all objects. Default: the platform's version.
   */
  productVersion?: string;
  /**
   * Namespace of the ServiceMonitor. Default: the namespace of Prometheus.
   */
  serviceMonitorNamespace?: string;
  /**
   * Port on which two clusters synchronize a migration. Default: 9185.
   */
  synchronizationPort?: string;
  /**
   * Treatment of running guests when this object is deleted. Default: RemoveWorkloads.
   */
  uninstallStrategy?: 'RemoveWorkloads' | 'BlockUninstallIfWorkloadsExist';
  /**
   * Update of running guests to a new version of the platform. Default: guests are updated at their next start.
   */
  workloadUpdateStrategy?: KubeVirtWorkloadUpdateStrategy;
  /**
   * Placement of virt-handler and of guests.
   */
  workloads?: ComponentConfig;
}

/**
 * Observed state of the installation.
 */
export interface KubeVirtStatus {
  /**
   * Current conditions.
   */
  conditions?: KubeVirtCondition[];
  /**
   * Architecture of VMs that do not set one.
   */
  defaultArchitecture?: string;
  /**
   * Last written state of the installed objects.
   */
  generations?: GenerationStatus[];
  /**
   * Settings of the installed version.
   */
  observedDeploymentConfig?: string;
  /**
   * Hash of the installed settings.
   */
  observedDeploymentID?: string;
  /**
   * Generation (metadata.generation) that the controller observed.
   */
  observedGeneration?: number;
  /**
   * Registry of the installed images.
   */
  observedKubeVirtRegistry?: string;
  /**
   * Installed version.
   */
  observedKubeVirtVersion?: string;
  /**
   * Version of the operator.
   */
  operatorVersion?: string;
  /**
   * Number of guests whose launcher has an older version.
   */
  outdatedVirtualMachineInstanceWorkloads?: number;
  /**
   * Phase of the installation.
   */
  phase?: 'Deploying' | 'Deployed' | 'Deleting' | 'Deleted';
  /**
   * Addresses at which two clusters synchronize a migration.
   */
  synchronizationAddresses?: string[];
  /**
   * Settings that are being installed.
   */
  targetDeploymentConfig?: string;
  /**
   * Hash of the settings that are being installed.
   */
  targetDeploymentID?: string;
  /**
   * Registry of the version that is being installed.
   */
  targetKubeVirtRegistry?: string;
  /**
   * Version that is being installed.
   */
  targetKubeVirtVersion?: string;
}

/**
 * Update of running guests to a new version of the platform.
 */
export interface KubeVirtWorkloadUpdateStrategy {
  /**
   * Time between two batches. Default: 1m.
   */
  batchEvictionInterval?: Duration;
  /**
   * Number of guests that are stopped at once. Default: 10.
   */
  batchEvictionSize?: number;
  /**
   * Update methods: LiveMigrate and Evict. With both, guests that cannot be migrated are stopped. Default: none.
   */
  workloadUpdateMethods?: ('LiveMigrate' | 'Evict')[];
}

/**
 * Memory encryption of the guest. At most one field may be set.
 */
export interface LaunchSecurity {
  /**
   * AMD SEV settings.
   */
  sev?: SEV;
  /**
   * AMD SEV-SNP settings.
   */
  snp?: SEVSNP;
  /**
   * Intel TDX settings.
   */
  tdx?: TDX;
}

/**
 * Limits of hotplug.
 */
export interface LiveUpdateConfiguration {
  /**
   * Maximum number of sockets of VMs that do not set one.
   */
  maxCpuSockets?: number;
  /**
   * Maximum memory of VMs that do not set one.
   */
  maxGuest?: Quantity;
  /**
   * Maximum sockets and memory after hotplug, as a multiple of the VM's initial values. Default: 4.
   */
  maxHotplugRatio?: number;
}

/**
 * Log verbosity of each component. Default: 2.
 */
export interface LogVerbosity {
  /**
   * Verbosity of virt-handler on individual nodes, by node name.
   */
  nodeVerbosity?: {
    [k: string]: number;
  };
  /**
   * Verbosity of virt-api.
   */
  virtAPI?: number;
  /**
   * Verbosity of virt-controller.
   */
  virtController?: number;
  /**
   * Verbosity of virt-handler.
   */
  virtHandler?: number;
  /**
   * Verbosity of virt-launcher.
   */
  virtLauncher?: number;
  /**
   * Verbosity of virt-operator.
   */
  virtOperator?: number;
  /**
   * Verbosity of virt-synchronization-controller.
   */
  virtSynchronizationController?: number;
}

/**
 * SCSI device that passes the guest's commands through to the storage.
 */
export interface LunTarget {
  /**
   * Bus of the device: scsi or virtio. A guest with a LUN on another bus does not start. Default: sata; arm64 and s390x: virtio.
   */
  bus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Whether the LUN is read-only. Default: false.
   */
  readonly?: boolean;
  /**
   * Whether the guest can use SCSI-3 persistent reservations. Requires bus scsi.
   */
  reservation?: boolean;
}

/**
 * Machine type of the guest.
 */
export interface Machine {
  /**
   * Machine type, such as q35 or pc-q35-9.0. Default: q35; arm64: virt; s390x: s390-ccw-virtio.
   */
  type?: string;
}

/**
 * Configuration of mediated devices.
 */
export interface MediatedDevicesConfiguration {
  /**
   * Whether the platform creates and removes mediated devices. Default: true.
   */
  enabled?: boolean;
  /**
   * Device types for all nodes.
   */
  mediatedDeviceTypes?: string[];
  /**
   * Deprecated: use mediatedDeviceTypes.
   */
  mediatedDevicesTypes?: string[];
  /**
   * Device types for selected nodes, in place of those for all nodes.
   */
  nodeMediatedDeviceTypes?: NodeMediatedDeviceTypesConfig[];
}

/**
 * Mediated device that guests may use.
 */
export interface MediatedHostDevice {
  /**
   * Whether another device plugin provides the device. Default: false.
   */
  externalResourceProvider?: boolean;
  /**
   * Name of the device type, such as GRID T4-1Q.
   */
  mdevNameSelector: string;
  /**
   * Resource name, such as nvidia.com/GRID_T4-1Q.
   */
  resourceName: string;
}

/**
 * Memory of the guest.
 */
export interface Memory {
  /**
   * Memory that the guest sees, in bytes. Default: requests.memory, otherwise limits.memory or the size of a huge page.
   */
  guest?: Quantity;
  /**
   * Huge pages that back the guest's memory. Guest memory must be a multiple of the page size.
   */
  hugepages?: Hugepages;
  /**
   * Maximum memory after hotplug. Default: four times `guest`, from 1Gi on amd64.
   */
  maxGuest?: Quantity;
  /**
   * Memory of the Pod in addition to the guest's.
   */
  reservedOverhead?: ReservedOverhead;
}

/**
 * Claim for a memory dump. Written by the platform.
 */
export interface MemoryDumpVolumeSource {
  /**
   * Name of the claim, in the same namespace.
   */
  claimName: string;
  /**
   * Whether the volume can be unplugged while the guest runs.
   */
  hotpluggable?: boolean;
  /**
   * Whether the volume is read-only. Default: false.
   */
  readOnly?: boolean;
}

/**
 * Memory of the guest.
 */
export interface MemoryStatus {
  /**
   * Memory at boot.
   */
  guestAtBoot?: Quantity;
  /**
   * Current memory.
   */
  guestCurrent?: Quantity;
  /**
   * Memory after the hotplug in progress.
   */
  guestRequested?: Quantity;
  /**
   * Memory of the Pod in addition to the guest's.
   */
  memoryOverhead?: Quantity;
}

/**
 * Options for migrating a VM.
 */
export interface MigrateOptions {
  /**
   * Additional labels that the target node must have. Labels that the VM already sets keep their value.
   */
  addedNodeSelector?: {
    [k: string]: string;
  };
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Dry run. `All`: the request is validated, but nothing is changed.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * Settings for live migrations.
 */
export interface MigrationConfiguration {
  /**
   * Whether the guest is throttled until the migration converges. Default: false.
   */
  allowAutoConverge?: boolean;
  /**
   * Whether post-copy migration is allowed. Default: false.
   */
  allowPostCopy?: boolean;
  /**
   * Whether the guest may be paused, or switched to post-copy, once completionTimeoutPerGiB has passed. Default: as allowPostCopy.
   */
  allowWorkloadDisruption?: boolean;
  /**
   * Bandwidth in bytes per second; 0 means unlimited. Default: 0.
   */
  bandwidthPerMigration?: Quantity;
  /**
   * Seconds per GiB of memory and disk that a migration may take. Default: 150.
   */
  completionTimeoutPerGiB?: number;
  /**
   * Whether migrations are not encrypted. Default: false.
   */
  disableTLS?: boolean;
  /**
   * Whether the target Pod gets the SELinux level of the source. Default: true.
   */
  matchSELinuxLevelOnMigration?: boolean;
  /**
   * Maximum downtime of the guest at the end of a migration, in milliseconds. Default: 900.
   */
  maxDowntimeMs?: number;
  /**
   * NetworkAttachmentDefinition for migrations. Default: the Pod network.
   */
  network?: string;
  /**
   * Taint that makes guests leave a node. Default: kubevirt.io/drain.
   */
  nodeDrainTaintKey?: string;
  /**
   * Maximum number of concurrent migrations in the cluster. Default: 5.
   */
  parallelMigrationsPerCluster?: number;
  /**
   * Maximum number of concurrent migrations away from one node. Default: 2.
   */
  parallelOutboundMigrationsPerNode?: number;
  /**
   * Seconds without progress after which a migration is aborted. Default: 150.
   */
  progressTimeout?: number;
  /**
   * Whether to migrate even if libvirt considers the migration unsafe. Default: false.
   */
  unsafeMigrationOverride?: boolean;
  /**
   * Seconds that a migration waits until utility volumes are removed. Default: 150.
   */
  utilityVolumesTimeout?: number;
}

/**
 * Network that Multus attaches.
 */
export interface MultusNetwork {
  /**
   * Whether this network replaces the Pod network. Default: false.
   */
  default?: boolean;
  /**
   * NetworkAttachmentDefinition: NAME or NAMESPACE/NAME.
   */
  networkName: string;
}

/**
 * NUMA layout of the guest.
 */
export interface NUMA {
  /**
   * NUMA layout of the node's CPUs that the guest uses. Requires dedicated CPUs and huge pages.
   */
  guestMappingPassthrough?: NUMAGuestMappingPassthrough;
}

/**
 * NUMA layout of the node.
 */
export type NUMAGuestMappingPassthrough = object;

/**
 * Network that interfaces can be connected to. Exactly one source must be set.
 */
export interface Network {
  /**
   * Deprecated: use multus. Network that CNI-Genie attaches.
   */
  genie?: GenieNetwork;
  /**
   * Network defined by a NetworkAttachmentDefinition.
   */
  multus?: MultusNetwork;
  /**
   * Name of the network.
   */
  name: string;
  /**
   * Pod network. At most one network may have this source.
   */
  pod?: PodNetwork;
  /**
   * Device of a dynamic resource allocation claim.
   */
  resourceClaim?: ClaimRequest;
}

/**
 * Allowed ways to connect interfaces.
 */
export interface NetworkConfiguration {
  /**
   * Binding plugins by name.
   */
  binding?: {
    [k: string]: InterfaceBindingPlugin;
  };
  /**
   * Binding of the default interface: bridge or masquerade. Used for VMs that set no networks. Default: bridge.
   */
  defaultNetworkInterface?: string;
  /**
   * Whether the bridge binding is allowed on the Pod network. Default: true.
   */
  permitBridgeInterfaceOnPodNetwork?: boolean;
  /**
   * Whether the slirp binding is allowed. Default: false.
   */
  permitSlirpInterface?: boolean;
}

/**
 * Propagation of SSH keys by the NoCloud disk.
 */
export type NoCloudSSHPublicKeyAccessCredentialPropagation = object;

/**
 * Mediated device types of selected nodes.
 */
export interface NodeMediatedDeviceTypesConfig {
  /**
   * Device types for the selected nodes.
   */
  mediatedDeviceTypes?: string[];
  /**
   * Deprecated: use mediatedDeviceTypes.
   */
  mediatedDevicesTypes?: string[];
  /**
   * Labels of the nodes.
   */
  nodeSelector: {
    [k: string]: string;
  };
}

/**
 * Placement of Pods.
 */
export interface NodePlacement {
  /**
   * Affinity and anti-affinity rules of the Pods.
   */
  affinity?: Affinity;
  /**
   * Labels that a node must have.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Taints that the Pods tolerate.
   */
  tolerations?: Toleration[];
}

/**
 * Object and its children in the graph.
 */
export interface ObjectGraphNode {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Child objects.
   */
  children?: ObjectGraphNode[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Relation to the parent object, as labels.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * Reference to the object.
   */
  objectReference: TypedObjectReference;
  /**
   * Whether the parent object works without this object.
   */
  optional?: boolean;
}

/**
 * Selection of the objects to show.
 */
export interface ObjectGraphOptions {
  /**
   * Whether to include objects that the VM works without. Default: true.
   */
  includeOptionalNodes?: boolean;
  /**
   * Labels of the objects to include.
   */
  labelSelector?: LabelSelector;
}

/**
 * Programmable interval timer.
 */
export interface PITTimer {
  /**
   * Whether the timer is present. Default: true.
   */
  present?: boolean;
  /**
   * Policy for missed ticks.
   */
  tickPolicy?: 'delay' | 'catchup' | 'discard';
}

/**
 * Device that reports a crash of the guest.
 */
export interface PanicDevice {
  /**
   * Model of the device. Default: depends on the architecture.
   */
  model?: 'isa' | 'hyperv' | 'pvpanic';
}

/**
 * Options for pausing an instance.
 */
export interface PauseOptions {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Dry run. `All`: the request is validated, but nothing is changed.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * PCI device that guests may use.
 */
export interface PciHostDevice {
  /**
   * Whether another device plugin provides the device. Default: false.
   */
  externalResourceProvider?: boolean;
  /**
   * Vendor and product ID in hexadecimal, such as 10DE:1EB8.
   */
  pciVendorSelector: string;
  /**
   * Resource name, such as nvidia.com/TU104GL_Tesla_T4.
   */
  resourceName: string;
}

/**
 * Devices of nodes that guests may use.
 */
export interface PermittedHostDevices {
  /**
   * Mediated devices of the nodes.
   */
  mediatedDevices?: MediatedHostDevice[];
  /**
   * PCI devices of the nodes.
   */
  pciHostDevices?: PciHostDevice[];
  /**
   * USB devices of the nodes.
   */
  usb?: USBHostDevice[];
}

/**
 * Configuration of SCSI persistent reservations.
 */
export interface PersistentReservationConfiguration {
  /**
   * Whether LUNs may use persistent reservations. Default: false.
   */
  enabled?: boolean | null;
}

/**
 * State of a claim.
 */
export interface PersistentVolumeClaimInfo {
  /**
   * Access modes of the claim.
   */
  accessModes?: string[];
  /**
   * Capacity of the claim.
   */
  capacity?: {
    [k: string]: Quantity;
  };
  /**
   * Name of the claim.
   */
  claimName?: string;
  /**
   * Fraction of the file system that the disk cannot use: 0 to 1, as text.
   */
  filesystemOverhead?: string;
  /**
   * Whether the space is preallocated.
   */
  preallocated?: boolean;
  /**
   * Requested size.
   */
  requests?: {
    [k: string]: Quantity;
  };
  /**
   * Volume mode of the claim.
   */
  volumeMode?: string;
}

/**
 * Claim used as a volume.
 */
export interface PersistentVolumeClaimVolumeSource {
  /**
   * Name of the claim, in the same namespace.
   */
  claimName: string;
  /**
   * Whether the volume can be unplugged while the guest runs. Default: false.
   */
  hotpluggable?: boolean;
  /**
   * Whether the volume is read-only. Default: false.
   */
  readOnly?: boolean;
}

/**
 * Reference to a binding plugin in the KubeVirt object's network configuration.
 */
export interface PluginBinding {
  /**
   * Name of the binding plugin.
   */
  name: string;
}

/**
 * Network of the Pod.
 */
export interface PodNetwork {
  /**
   * IPv6 network of the guest. Default: fd10:0:2::/120.
   */
  vmIPv6NetworkCIDR?: string;
  /**
   * IPv4 network of the guest behind NAT. Default: 10.0.2.0/24.
   */
  vmNetworkCIDR?: string;
}

/**
 * Port that is forwarded to the guest.
 */
export interface Port {
  /**
   * Name of the port, for Services.
   */
  name?: string;
  /**
   * Port number, 1 to 65535.
   */
  port: number;
  /**
   * Protocol of the port. Default: TCP.
   */
  protocol?: 'TCP' | 'UDP';
}

/**
 * Range of ports that is forwarded to the guest.
 */
export interface PortRange {
  /**
   * Last port of the range, at most 65535.
   */
  end: number;
  /**
   * Protocol of the ports: TCP or UDP.
   */
  protocol: string;
  /**
   * First port of the range, at least 1.
   */
  start: number;
}

/**
 * Reference to the VM's preference.
 */
export interface PreferenceMatcher {
  /**
   * Volume whose labels name the preference. The webhook replaces this field by name and kind.
   */
  inferFromVolume?: string;
  /**
   * Whether a VM is rejected if the volume has no such labels. Default: Reject.
   */
  inferFromVolumeFailurePolicy?: 'Reject' | 'Ignore';
  /**
   * Kind of the preference: VirtualMachinePreference or VirtualMachineClusterPreference. Default: VirtualMachineClusterPreference.
   */
  kind?: string;
  /**
   * Name of the referenced object.
   */
  name?: string;
  /**
   * ControllerRevision with the stored copy. Written by the controller.
   */
  revisionName?: string;
}

/**
 * Health check of the guest. Exactly one handler must be set.
 */
export interface Probe {
  /**
   * Command that the guest agent runs.
   */
  exec?: ExecAction;
  /**
   * Number of consecutive failures after which the probe fails. Default: 3.
   */
  failureThreshold?: number;
  /**
   * Check that the guest agent responds.
   */
  guestAgentPing?: GuestAgentPing;
  /**
   * HTTP request to the guest.
   */
  httpGet?: HTTPGetAction;
  /**
   * Seconds before the first check.
   */
  initialDelaySeconds?: number;
  /**
   * Seconds between two checks. Default: 10.
   */
  periodSeconds?: number;
  /**
   * Number of consecutive successes after which the probe succeeds. Default: 1.
   */
  successThreshold?: number;
  /**
   * TCP connection to the guest.
   */
  tcpSocket?: TCPSocketAction;
  /**
   * Seconds after which a check fails. Default: 1.
   */
  timeoutSeconds?: number;
}

/**
 * Propagation of SSH keys by the guest agent. Later changes are also propagated.
 */
export interface QemuGuestAgentSSHPublicKeyAccessCredentialPropagation {
  /**
   * Users whose authorized_keys are written.
   */
  users: string[];
}

/**
 * Propagation of passwords by the guest agent. Later changes are also propagated.
 */
export type QemuGuestAgentUserPasswordAccessCredentialPropagation = object;

/**
 * Client settings for the API server.
 */
export interface RESTClientConfiguration {
  /**
   * Rate limit of requests.
   */
  rateLimiter?: RateLimiter;
}

/**
 * Real-time clock.
 */
export interface RTCTimer {
  /**
   * Whether the timer is present. Default: true.
   */
  present?: boolean;
  /**
   * Policy for missed ticks.
   */
  tickPolicy?: 'delay' | 'catchup';
  /**
   * Clock that the timer follows.
   */
  track?: 'guest' | 'wall';
}

/**
 * Rate limit of requests to the API server.
 */
export interface RateLimiter {
  /**
   * Token bucket rate limiter.
   */
  tokenBucketRateLimiter?: TokenBucketRateLimiter;
}

/**
 * Realtime scheduling of vCPUs. Requires dedicated CPUs and huge pages.
 */
export interface Realtime {
  /**
   * Mask of the vCPUs with realtime scheduling, such as 0-3,^1. Default: all.
   */
  mask?: string;
}

/**
 * Settings that take effect without a restart.
 */
export interface ReloadableComponentConfiguration {
  /**
   * Client settings for the API server.
   */
  restClient?: RESTClientConfiguration;
}

/**
 * Options for unplugging a disk.
 */
export interface RemoveVolumeOptions {
  /**
   * Dry run. `All`: the request is validated, but nothing is changed.
   */
  dryRun?: string[];
  /**
   * Name of the disk and volume.
   */
  name: string;
}

/**
 * Memory of the Pod in addition to the guest's.
 */
export interface ReservedOverhead {
  /**
   * Memory that is added to the computed overhead.
   */
  addedOverhead?: Quantity;
  /**
   * Whether all memory must be locked in RAM, as required by some devices.
   */
  memLock?: 'NotRequired' | 'Required';
}

/**
 * CPU and memory of the Pod.
 */
export interface ResourceRequirements {
  /**
   * Upper limits of CPU and memory.
   */
  limits?: {
    [k: string]: Quantity;
  };
  /**
   * Whether the memory request omits the overhead of the platform.
   */
  overcommitGuestOverhead?: boolean;
  /**
   * Reserved CPU and memory. Default: a tenth of each vCPU; memory with overhead.
   */
  requests?: {
    [k: string]: Quantity;
  };
}

/**
 * CPU and memory of a container.
 */
export interface ResourceRequirementsWithoutClaims {
  /**
   * Upper limits of resource use.
   */
  limits?: {
    [k: string]: Quantity;
  };
  /**
   * Reserved amounts. Default: the limits.
   */
  requests?: {
    [k: string]: Quantity;
  };
}

/**
 * Options for restarting a VM.
 */
export interface RestartOptions {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Dry run. `All`: the request is validated, but nothing is changed.
   */
  dryRun?: string[];
  /**
   * Seconds for the guest to shut down; 0 kills the guest. Default: terminationGracePeriodSeconds.
   */
  gracePeriodSeconds?: number;
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * Random number generator.
 */
export type Rng = object;

/**
 * AMD SEV settings.
 */
export interface SEV {
  /**
   * Attestation: the guest waits for its owner's approval.
   */
  attestation?: SEVAttestation;
  /**
   * Diffie-Hellman key of the guest's owner, base64-encoded.
   */
  dhCert?: string;
  /**
   * Policy of the guest.
   */
  policy?: SEVPolicy;
  /**
   * Session of the launch, base64-encoded.
   */
  session?: string;
}

/**
 * Attestation: the guest waits for its owner's approval.
 */
export type SEVAttestation = object;

/**
 * Measurement that the owner attests.
 */
export interface SEVMeasurementInfo {
  /**
   * Major version of the host's API.
   */
  apiMajor?: number;
  /**
   * Minor version of the host's API.
   */
  apiMinor?: number;
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Build ID of the host's firmware.
   */
  buildID?: number;
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * SHA-256 of the guest's firmware.
   */
  loaderSHA?: string;
  /**
   * Measurement of the launch, base64-encoded.
   */
  measurement?: string;
  /**
   * Policy of the guest, as bits.
   */
  policy?: number;
}

/**
 * Platform data that the owner needs to set up a session.
 */
export interface SEVPlatformInfo {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Certificate chain of the host, base64-encoded.
   */
  certChain?: string;
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Diffie-Hellman key of the host, base64-encoded.
   */
  pdh?: string;
}

/**
 * Policy of the guest. Debugging is always disabled.
 */
export interface SEVPolicy {
  /**
   * Whether registers are also encrypted (SEV-ES). Default: false.
   */
  encryptedState?: boolean;
}

/**
 * AMD SEV-SNP settings.
 */
export type SEVSNP = object;

/**
 * Secret for a guest that waits for attestation.
 */
export interface SEVSecretOptions {
  /**
   * Header of the secret, base64-encoded.
   */
  header?: string;
  /**
   * Encrypted secret, base64-encoded.
   */
  secret?: string;
}

/**
 * Session for a guest that waits for attestation.
 */
export interface SEVSessionOptions {
  /**
   * Diffie-Hellman key of the guest's owner, base64-encoded.
   */
  dhCert?: string;
  /**
   * Session of the launch, base64-encoded.
   */
  session?: string;
}

/**
 * SMBIOS information that guests see.
 */
export interface SMBiosConfiguration {
  /**
   * Product family. Default: KubeVirt.
   */
  family?: string;
  /**
   * Manufacturer of the machine. Default: KubeVirt.
   */
  manufacturer?: string;
  /**
   * Product name. Default: None.
   */
  product?: string;
  /**
   * SKU number.
   */
  sku?: string;
  /**
   * Version.
   */
  version?: string;
}

/**
 * SSH keys for the guest.
 */
export interface SSHPublicKeyAccessCredential {
  /**
   * Way to propagate the credential to the guest.
   */
  propagationMethod: SSHPublicKeyAccessCredentialPropagationMethod;
  /**
   * Source of the credential.
   */
  source: SSHPublicKeyAccessCredentialSource;
}

/**
 * Way to propagate SSH keys to the guest. Exactly one field must be set.
 */
export interface SSHPublicKeyAccessCredentialPropagationMethod {
  /**
   * Propagation by the ConfigDrive disk, at the first boot.
   */
  configDrive?: ConfigDriveSSHPublicKeyAccessCredentialPropagation;
  /**
   * Propagation by the NoCloud disk, at the first boot.
   */
  noCloud?: NoCloudSSHPublicKeyAccessCredentialPropagation;
  /**
   * Propagation by the guest agent, whenever the credential changes.
   */
  qemuGuestAgent?: QemuGuestAgentSSHPublicKeyAccessCredentialPropagation;
}

/**
 * Source of SSH keys.
 */
export interface SSHPublicKeyAccessCredentialSource {
  /**
   * Secret whose values contain one or more keys each.
   */
  secret?: AccessCredentialSecretSource;
}

/**
 * Seccomp profiles.
 */
export interface SeccompConfiguration {
  /**
   * Seccomp profile of launchers. Default: none.
   */
  virtualMachineInstanceProfile?: VirtualMachineInstanceProfile;
}

/**
 * Disk or file system with the files of a Secret.
 */
export interface SecretVolumeSource {
  /**
   * Whether the object may be missing. Default: false.
   */
  optional?: boolean;
  /**
   * Name of the Secret, in the same namespace.
   */
  secretName?: string;
  /**
   * Label of the disk, such as cidata, config-2 or OEMDRV.
   */
  volumeLabel?: string;
}

/**
 * Disk or file system with the token and certificate of a ServiceAccount.
 */
export interface ServiceAccountVolumeSource {
  /**
   * Name of the ServiceAccount, in the same namespace.
   */
  serviceAccountName?: string;
}

/**
 * Sound device.
 */
export interface SoundDevice {
  /**
   * Model of the sound device. Default: ich9.
   */
  model?: 'ich9' | 'ac97';
  /**
   * Name of the device.
   */
  name: string;
}

/**
 * Detection of stalled migrations and the reaction to them. Alpha.
 */
export interface StallDetectorOptions {
  /**
   * Factor by which the time limit of a migration is multiplied before a switchover is forced. Default: 2.
   */
  completionTimeoutFactor?: Quantity;
  /**
   * Weight of the newest bandwidth sample, above 0 and up to 1. Default: 0.4.
   */
  ewmaAlpha?: Quantity;
  /**
   * Factor by which patience shrinks at each step. Default: 0.5.
   */
  patienceWindowDecayFactor?: Quantity;
  /**
   * Factor by which the expected downtime may exceed maxDowntimeMs before the migration fails. Default: 1.5.
   */
  precopyPossibleFactor?: Quantity;
  /**
   * Whether to wait for a minimum of remaining data before a switchover is forced. Default: true.
   */
  searchLocalMinima?: boolean;
  /**
   * Percentage by which the remaining data must shrink to count as progress. Default: 4.
   */
  stallMargin?: number;
  /**
   * Length of the observed period in seconds. Default: 40.
   */
  stallProgressTimeout?: number;
  /**
   * Seconds that a forced switchover may take. Default: 60.
   */
  switchoverTimeout?: number;
}

/**
 * Options for starting a VM.
 */
export interface StartOptions {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Dry run. `All`: the request is validated, but nothing is changed.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Whether the guest starts paused. Default: false.
   */
  paused?: boolean;
}

/**
 * Options for stopping a VM.
 */
export interface StopOptions {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Dry run. `All`: the request is validated, but nothing is changed.
   */
  dryRun?: string[];
  /**
   * Seconds for the guest to shut down; 0 kills the guest. Default: terminationGracePeriodSeconds.
   */
  gracePeriod?: number;
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * Volume that is migrated to another claim.
 */
export interface StorageMigratedVolumeInfo {
  /**
   * State of the destination claim.
   */
  destinationPVCInfo?: PersistentVolumeClaimInfo;
  /**
   * State of the source claim.
   */
  sourcePVCInfo?: PersistentVolumeClaimInfo;
  /**
   * Name of the volume.
   */
  volumeName: string;
}

/**
 * CPU and memory of one type of container.
 */
export interface SupportContainerResources {
  /**
   * CPU and memory of the containers.
   */
  resources: ResourceRequirementsWithoutClaims;
  /**
   * Type of the containers.
   */
  type: 'container-disk' | 'hotplug-disk' | 'virtiofs' | 'sidecar' | 'vmexport' | 'guest-console-log';
}

/**
 * Timers of the synthetic interrupt controller.
 */
export interface SyNICTimer {
  /**
   * Whether timers raise interrupts directly.
   */
  direct?: FeatureState;
  /**
   * Whether the feature is enabled. Default: true.
   */
  enabled?: boolean;
}

/**
 * CD-ROM with an answer file for the setup of Windows. Exactly one field must be set.
 */
export interface SysprepSource {
  /**
   * ConfigMap with autounattend.xml or unattend.xml.
   */
  configMap?: LocalObjectReference;
  /**
   * Secret with autounattend.xml or unattend.xml.
   */
  secret?: LocalObjectReference;
}

/**
 * Intel TDX settings.
 */
export type TDX = object;

/**
 * Attestation of guests.
 */
export interface TDXAttestationConfiguration {
  /**
   * Whether guests run only on nodes with the quote generation service.
   */
  enforced?: boolean;
  /**
   * Socket of the quote generation service.
   */
  qgsSocketPath?: string;
}

/**
 * Settings for Intel TDX.
 */
export interface TDXConfiguration {
  /**
   * Attestation of guests.
   */
  attestation?: TDXAttestationConfiguration;
}

/**
 * State of cheaper TLB flushes on other CPUs.
 */
export interface TLBFlush {
  /**
   * Whether nested guests can send flush requests directly to the host.
   */
  direct?: FeatureState;
  /**
   * Whether the feature is enabled. Default: true.
   */
  enabled?: boolean;
  /**
   * Whether parts of the TLB can be flushed.
   */
  extended?: FeatureState;
}

/**
 * TLS versions and ciphers of the servers.
 */
export interface TLSConfiguration {
  /**
   * Ciphers of TLS 1.2 and earlier, by their OpenSSL names.
   */
  ciphers?: string[];
  /**
   * Minimum TLS version. Default: VersionTLS12.
   */
  minTLSVersion?: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
}

/**
 * TPM device, emulated by swtpm.
 */
export interface TPMDevice {
  /**
   * Whether the VM has a TPM. false also overrides a preference. Default: true.
   */
  enabled?: boolean;
  /**
   * Whether the TPM's state is kept across restarts.
   */
  persistent?: boolean;
}

/**
 * Timers of the guest.
 */
export interface Timer {
  /**
   * High precision event timer.
   */
  hpet?: HPETTimer;
  /**
   * Hypervisor clock for Windows guests.
   */
  hyperv?: HypervTimer;
  /**
   * KVM clock for Linux guests.
   */
  kvm?: KVMTimer;
  /**
   * Programmable interval timer.
   */
  pit?: PITTimer;
  /**
   * Real-time clock.
   */
  rtc?: RTCTimer;
}

/**
 * Limits of requests to the API server.
 */
export interface TokenBucketRateLimiter {
  /**
   * Maximum number of requests at once; 0 selects the component's default.
   */
  burst: number;
  /**
   * Average number of requests per second; 0 selects the component's default.
   */
  qps: number;
}

/**
 * Node requirements for the scheduler.
 */
export interface TopologyHints {
  /**
   * Required TSC frequency in Hz.
   */
  tscFrequency?: number;
}

/**
 * USB devices that guests may use.
 */
export interface USBHostDevice {
  /**
   * Whether another device plugin provides the devices. Default: false.
   */
  externalResourceProvider?: boolean;
  /**
   * Resource name, such as kubevirt.io/storage.
   */
  resourceName: string;
  /**
   * Selectors of the devices, which together form one resource.
   */
  selectors?: USBSelector[];
}

/**
 * Selector of a USB device.
 */
export interface USBSelector {
  /**
   * Product ID in hexadecimal, such as 5678.
   */
  product: string;
  /**
   * Vendor ID in hexadecimal, such as 1234.
   */
  vendor: string;
}

/**
 * Options for unpausing an instance.
 */
export interface UnpauseOptions {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Dry run. `All`: the request is validated, but nothing is changed.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * Passwords for the guest.
 */
export interface UserPasswordAccessCredential {
  /**
   * Way to propagate the credential to the guest.
   */
  propagationMethod: UserPasswordAccessCredentialPropagationMethod;
  /**
   * Source of the credential.
   */
  source: UserPasswordAccessCredentialSource;
}

/**
 * Way to propagate passwords to the guest.
 */
export interface UserPasswordAccessCredentialPropagationMethod {
  /**
   * Propagation by the guest agent, whenever the credential changes.
   */
  qemuGuestAgent?: QemuGuestAgentUserPasswordAccessCredentialPropagation;
}

/**
 * Source of passwords.
 */
export interface UserPasswordAccessCredentialSource {
  /**
   * Secret with user names as keys and passwords as values.
   */
  secret?: AccessCredentialSecretSource;
}

/**
 * Claim that the platform uses internally. Not visible to the guest.
 */
export interface UtilityVolume {
  /**
   * Name of the claim, in the same namespace.
   */
  claimName: string;
  /**
   * Name of the volume, unique among all volumes.
   */
  name: string;
  /**
   * Whether the volume is read-only. Default: false.
   */
  readOnly?: boolean;
  /**
   * Purpose of the volume.
   */
  type?: 'MemoryDump' | 'Backup';
}

/**
 * Display of a virtual GPU.
 */
export interface VGPUDisplayOptions {
  /**
   * Whether the GPU has a display. Default: true.
   */
  enabled?: boolean;
  /**
   * Whether a framebuffer shows a picture before the guest's driver is loaded. Default: enabled.
   */
  ramFB?: FeatureState;
}

/**
 * Options of a virtual GPU.
 */
export interface VGPUOptions {
  /**
   * Display of the device.
   */
  display?: VGPUDisplayOptions;
}

/**
 * Effective settings of a migration, merged from the KubeVirt object and a policy.
 */
export interface VMIMConfigurationOptions {
  /**
   * Whether the guest's CPUs are throttled if it writes memory faster than it can be transferred.
   */
  allowAutoConverge?: boolean;
  /**
   * Whether the guest may run on the target while its memory is still being transferred.
   */
  allowPostCopy?: boolean;
  /**
   * Whether the guest may be paused, or switched to post-copy, once the time limit has passed.
   */
  allowWorkloadDisruption?: boolean;
  /**
   * Bandwidth in bytes per second; 0 means unlimited.
   */
  bandwidthPerMigration?: Quantity;
  /**
   * Seconds per GiB that the migration may take.
   */
  completionTimeoutPerGiB?: number;
  /**
   * Whether the migration is not encrypted.
   */
  disableTLS?: boolean;
  /**
   * Experimental settings, which may change or be removed.
   */
  experimental?: ExperimentalMigrationOptions;
  /**
   * Whether the target Pod gets the SELinux level of the source.
   */
  matchSELinuxLevelOnMigration?: boolean;
  /**
   * Maximum downtime of the guest at the end of the migration, in milliseconds.
   */
  maxDowntimeMs?: number;
  /**
   * NetworkAttachmentDefinition for migrations.
   */
  network?: string;
  /**
   * Taint that makes guests leave a node.
   */
  nodeDrainTaintKey?: string;
  /**
   * Maximum number of concurrent migrations in the cluster.
   */
  parallelMigrationsPerCluster?: number;
  /**
   * Maximum number of concurrent migrations away from one node.
   */
  parallelOutboundMigrationsPerNode?: number;
  /**
   * Seconds without progress after which the migration is aborted.
   */
  progressTimeout?: number;
  /**
   * Whether to migrate even if libvirt considers the migration unsafe.
   */
  unsafeMigrationOverride?: boolean;
  /**
   * Seconds that the migration waits until utility volumes are removed.
   */
  utilityVolumesTimeout?: number;
}

/**
 * Video device.
 */
export interface VideoDevice {
  /**
   * Type of the video device. Default: on amd64 vga with BIOS and bochs with EFI, otherwise virtio.
   */
  type?: 'virtio' | 'vga' | 'bochs' | 'ramfb' | 'cirrus';
}

/**
 * Deployment of VM templates.
 */
export interface VirtTemplateDeployment {
  /**
   * Whether the components for templates are installed. Default: true, with gate Template.
   */
  enabled?: boolean | null;
}

/**
 * Persistent virtual machine: template of its instance and run strategy.
 */
export interface VirtualMachine extends KubeObject {
  /**
   * Template and run strategy of the VM.
   */
  spec: VirtualMachineSpec;
  /**
   * Observed state of the VM.
   */
  status?: VirtualMachineStatus;
}

/**
 * Condition of a VM.
 */
export interface VirtualMachineCondition {
  /**
   * Time of the last check.
   */
  lastProbeTime?: Time | null;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time | null;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition: Failure, Ready, Paused, RestartRequired or ManualRecoveryRequired. Types of the running instance are also included.
   */
  type: string;
}

/**
 * Running guest. The status is written with the object: the kind has no status subresource.
 */
export interface VirtualMachineInstance extends KubeObject {
  /**
   * Virtual hardware, disks, networks and placement of the guest.
   */
  spec: VirtualMachineInstanceSpec;
  /**
   * Observed state of the instance.
   */
  status?: VirtualMachineInstanceStatus;
}

/**
 * State of a backup of the instance.
 */
export interface VirtualMachineInstanceBackupStatus {
  /**
   * Human-readable message.
   */
  backupMsg?: string;
  /**
   * Name of the VirtualMachineBackup object.
   */
  backupName?: string;
  /**
   * Checkpoint that the backup created.
   */
  checkpointName?: string;
  /**
   * Whether the operation has ended.
   */
  completed?: boolean;
  /**
   * End time.
   */
  endTimestamp?: Time;
  /**
   * Whether the operation failed.
   */
  failed?: boolean;
  /**
   * Whether file systems were frozen: succeeded, failed or skipped.
   */
  quiesceStatus?: string;
  /**
   * Start time.
   */
  startTimestamp?: Time;
  /**
   * Volumes in the backup.
   */
  volumes?: VirtualMachineInstanceBackupVolumeInfo[];
}

/**
 * Volume in a backup.
 */
export interface VirtualMachineInstanceBackupVolumeInfo {
  /**
   * Name of the volume in the instance.
   */
  volumeName: string;
}

/**
 * Condition of an instance.
 */
export interface VirtualMachineInstanceCondition {
  /**
   * Time of the last check.
   */
  lastProbeTime?: Time | null;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time | null;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition: Provisioning, Ready, Synchronized, Paused, AgentConnected, AccessCredentialsSynchronized, AgentVersionNotSupported, LiveMigratable, StorageLiveMigratable, HotVCPUChange, HotMemoryChange, VolumesChange, DataVolumesReady, MigrationRequired, EvictionRequested, DecentralizedLiveMigrationFailure or SoftwareEmulation.
   */
  type: string;
}

/**
 * File system in the guest.
 */
export interface VirtualMachineInstanceFileSystem {
  /**
   * Disks that contain the file system.
   */
  disk?: VirtualMachineInstanceFileSystemDisk[];
  /**
   * Device name in the guest.
   */
  diskName: string;
  /**
   * Type of the file system.
   */
  fileSystemType: string;
  /**
   * Mount point in the guest.
   */
  mountPoint: string;
  /**
   * Size in bytes.
   */
  totalBytes: number;
  /**
   * Used space in bytes.
   */
  usedBytes: number;
}

/**
 * Disk that contains a file system.
 */
export interface VirtualMachineInstanceFileSystemDisk {
  /**
   * Bus of the disk.
   */
  busType: string;
  /**
   * Serial number of the disk.
   */
  serial?: string;
}

/**
 * File systems in the guest.
 */
export interface VirtualMachineInstanceFileSystemInfo {
  /**
   * File systems in the guest.
   */
  disks: VirtualMachineInstanceFileSystem[];
}

/**
 * File systems in the guest.
 */
export interface VirtualMachineInstanceFileSystemList {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * File systems in the guest.
   */
  items: VirtualMachineInstanceFileSystem[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Metadata of the list. Always empty.
   */
  metadata?: object;
}

/**
 * Information that the guest agent reports.
 */
export interface VirtualMachineInstanceGuestAgentInfo {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Freeze status: frozen while file systems are frozen on request.
   */
  fsFreezeStatus?: string;
  /**
   * File systems in the guest.
   */
  fsInfo?: VirtualMachineInstanceFileSystemInfo;
  /**
   * Version of the guest agent.
   */
  guestAgentVersion?: string;
  /**
   * Host name of the guest.
   */
  hostname?: string;
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Operating system of the guest.
   */
  os?: VirtualMachineInstanceGuestOSInfo;
  /**
   * Commands that the guest agent supports.
   */
  supportedCommands?: GuestAgentCommandInfo[];
  /**
   * Time zone of the guest.
   */
  timezone?: string;
  /**
   * Users who are logged in.
   */
  userList?: VirtualMachineInstanceGuestOSUser[];
}

/**
 * Operating system of the guest.
 */
export interface VirtualMachineInstanceGuestOSInfo {
  /**
   * Short name, such as debian.
   */
  id?: string;
  /**
   * Kernel release.
   */
  kernelRelease?: string;
  /**
   * Kernel version.
   */
  kernelVersion?: string;
  /**
   * Architecture, such as x86_64.
   */
  machine?: string;
  /**
   * Name of the operating system.
   */
  name?: string;
  /**
   * Name and version of the operating system.
   */
  prettyName?: string;
  /**
   * Human-readable version.
   */
  version?: string;
  /**
   * Version number.
   */
  versionId?: string;
}

/**
 * User who is logged in.
 */
export interface VirtualMachineInstanceGuestOSUser {
  /**
   * Domain of the user, on Windows.
   */
  domain?: string;
  /**
   * Time of the first login, in seconds since 1970.
   */
  loginTime?: number;
  /**
   * Name of the user.
   */
  userName: string;
}

/**
 * Users who are logged in.
 */
export interface VirtualMachineInstanceGuestOSUserList {
  /**
   * API version of this object.
   */
  apiVersion?: string;
  /**
   * Users who are logged in.
   */
  items: VirtualMachineInstanceGuestOSUser[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Metadata of the list. Always empty.
   */
  metadata?: object;
}

/**
 * Migration of a running instance to another node. Deleting the object cancels the migration.
 */
export interface VirtualMachineInstanceMigration extends KubeObject {
  /**
   * Instance to migrate and its target. Immutable except for priority.
   */
  spec: VirtualMachineInstanceMigrationSpec;
  /**
   * Progress of the migration.
   */
  status?: VirtualMachineInstanceMigrationStatus;
}

/**
 * Condition of a migration.
 */
export interface VirtualMachineInstanceMigrationCondition {
  /**
   * Time of the last check.
   */
  lastProbeTime?: Time | null;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time | null;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition: migrationAbortRequested, migrationRejectedByResourceQuota, migrationBlockedByUtilityVolumes, migrationBlockedByBackup or decentralizedMigrationBlocked.
   */
  type: string;
}

/**
 * Time at which a migration entered a phase.
 */
export interface VirtualMachineInstanceMigrationPhaseTransitionTimestamp {
  /**
   * Phase of the migration.
   */
  phase?:
    | 'Pending'
    | 'Scheduling'
    | 'Scheduled'
    | 'PreparingTarget'
    | 'TargetReady'
    | 'Running'
    | 'Succeeded'
    | 'Failed'
    | 'WaitingForSync'
    | 'Synchronizing';
  /**
   * Time at which the phase began.
   */
  phaseTransitionTimestamp?: Time;
}

/**
 * Source side of a migration to another namespace or cluster.
 */
export interface VirtualMachineInstanceMigrationSource {
  /**
   * URL of the target's synchronization controller.
   */
  connectURL: string;
  /**
   * Name of the migration on both sides.
   */
  migrationID: string;
}

/**
 * State of a migration on the source side.
 */
export interface VirtualMachineInstanceMigrationSourceState {
  /**
   * Name of the domain.
   */
  domainName?: string;
  /**
   * Namespace in the domain's name.
   */
  domainNamespace?: string;
  /**
   * UID of the migration.
   */
  migrationUID?: string;
  /**
   * Name of the node.
   */
  node?: string;
  /**
   * Labels that the target node must have.
   */
  nodeSelectors?: {
    [k: string]: string;
  };
  /**
   * Claim with the TPM and EFI state.
   */
  persistentStatePVCName?: string;
  /**
   * Name of the launcher Pod.
   */
  pod?: string;
  /**
   * SELinux context of the Pod.
   */
  selinuxContext?: string;
  /**
   * Address of the synchronization controller: HOST:PORT.
   */
  syncAddress?: string;
  /**
   * UID of the instance.
   */
  virtualMachineInstanceUID?: string;
}

/**
 * Instance to migrate and its target. Immutable except for priority.
 */
export interface VirtualMachineInstanceMigrationSpec {
  /**
   * Additional labels that the target node must have. Labels that the instance already sets keep their value.
   */
  addedNodeSelector?: {
    [k: string]: string;
  };
  /**
   * Priority in the queue, highest first. Migrations without a priority come last. Only the platform may set this field.
   */
  priority?: 'system-critical' | 'user-triggered' | 'system-maintenance';
  /**
   * Target side of a migration from another namespace or cluster.
   */
  receive?: VirtualMachineInstanceMigrationTarget;
  /**
   * Source side of a migration to another namespace or cluster.
   */
  sendTo?: VirtualMachineInstanceMigrationSource;
  /**
   * Name of the instance, in the same namespace.
   */
  vmiName?: string;
}

/**
 * State of the current or last migration.
 */
export interface VirtualMachineInstanceMigrationState {
  /**
   * Whether cancellation was requested.
   */
  abortRequested?: boolean;
  /**
   * Progress of the cancellation.
   */
  abortStatus?: 'Succeeded' | 'Failed' | 'Aborting';
  /**
   * Whether the migration has ended.
   */
  completed?: boolean;
  /**
   * End time.
   */
  endTimestamp?: Time | null;
  /**
   * Whether the migration failed.
   */
  failed?: boolean;
  /**
   * Reason for the failure.
   */
  failureReason?: string;
  /**
   * Settings of the migration.
   */
  migrationConfiguration?: VMIMConfigurationOptions;
  /**
   * Network that the migration uses.
   */
  migrationNetworkType?: 'Pod' | 'Migration';
  /**
   * Name of the policy that was applied.
   */
  migrationPolicyName?: string;
  /**
   * UID of the migration.
   */
  migrationUid?: string;
  /**
   * Transfer mode of the memory.
   */
  mode?: 'PreCopy' | 'PostCopy' | 'Paused';
  /**
   * Name of the source node.
   */
  sourceNode?: string;
  /**
   * Claim with the TPM and EFI state on the source side.
   */
  sourcePersistentStatePVCName?: string;
  /**
   * Name of the source Pod.
   */
  sourcePod?: string;
  /**
   * State on the source side.
   */
  sourceState?: VirtualMachineInstanceMigrationSourceState;
  /**
   * Start time.
   */
  startTimestamp?: Time | null;
  /**
   * UID of the target Pod that attaches hotplugged volumes.
   */
  targetAttachmentPodUID?: string;
  /**
   * Dedicated CPUs on the target node.
   */
  targetCPUSet?: number[];
  /**
   * Ports on which the target listens.
   */
  targetDirectMigrationNodePorts?: {
    [k: string]: number;
  };
  /**
   * Memory of the target Pod in addition to the guest's.
   */
  targetMemoryOverhead?: Quantity;
  /**
   * Name of the target node.
   */
  targetNode?: string;
  /**
   * Address of the target node.
   */
  targetNodeAddress?: string;
  /**
   * Whether the domain was detected on the target node.
   */
  targetNodeDomainDetected?: boolean;
  /**
   * Time at which the domain was ready on the target node.
   */
  targetNodeDomainReadyTimestamp?: Time;
  /**
   * NUMA topology of the target node, as JSON.
   */
  targetNodeTopology?: string;
  /**
   * Claim with the TPM and EFI state on the target side.
   */
  targetPersistentStatePVCName?: string;
  /**
   * Name of the target Pod.
   */
  targetPod?: string;
  /**
   * State on the target side.
   */
  targetState?: VirtualMachineInstanceMigrationTargetState;
}

/**
 * Progress of the migration.
 */
export interface VirtualMachineInstanceMigrationStatus {
  /**
   * Current conditions.
   */
  conditions?: VirtualMachineInstanceMigrationCondition[];
  /**
   * State of the migration.
   */
  migrationState?: VirtualMachineInstanceMigrationState;
  /**
   * Phase of the migration.
   */
  phase?:
    | 'Pending'
    | 'Scheduling'
    | 'Scheduled'
    | 'PreparingTarget'
    | 'TargetReady'
    | 'Running'
    | 'Succeeded'
    | 'Failed'
    | 'WaitingForSync'
    | 'Synchronizing';
  /**
   * Times at which the migration entered each phase.
   */
  phaseTransitionTimestamps?: VirtualMachineInstanceMigrationPhaseTransitionTimestamp[];
  /**
   * Addresses of the synchronization controllers: HOST:PORT.
   */
  synchronizationAddresses?: string[];
}

/**
 * Target side of a migration from another namespace or cluster.
 */
export interface VirtualMachineInstanceMigrationTarget {
  /**
   * Name of the migration on both sides.
   */
  migrationID: string;
}

/**
 * State of a migration on the target side.
 */
export interface VirtualMachineInstanceMigrationTargetState {
  /**
   * UID of the Pod that attaches hotplugged volumes.
   */
  attachmentPodUID?: string;
  /**
   * Dedicated CPUs of the guest.
   */
  cpuSet?: number[];
  /**
   * Ports on which the node listens.
   */
  directMigrationNodePorts?: {
    [k: string]: number;
  };
  /**
   * Whether the domain was detected.
   */
  domainDetected?: boolean;
  /**
   * Name of the domain.
   */
  domainName?: string;
  /**
   * Namespace in the domain's name.
   */
  domainNamespace?: string;
  /**
   * Time at which the domain was ready.
   */
  domainReadyTimestamp?: Time;
  /**
   * UID of the migration.
   */
  migrationUID?: string;
  /**
   * Name of the node.
   */
  node?: string;
  /**
   * Address of the node.
   */
  nodeAddress?: string;
  /**
   * NUMA topology of the node, as JSON.
   */
  nodeTopology?: string;
  /**
   * Claim with the TPM and EFI state.
   */
  persistentStatePVCName?: string;
  /**
   * Name of the launcher Pod.
   */
  pod?: string;
  /**
   * SELinux context of the Pod.
   */
  selinuxContext?: string;
  /**
   * Address of the synchronization controller: HOST:PORT.
   */
  syncAddress?: string;
  /**
   * UID of the instance.
   */
  virtualMachineInstanceUID?: string;
}

/**
 * Network interface of the running guest.
 */
export interface VirtualMachineInstanceNetworkInterface {
  /**
   * Sources of the information: domain, guest-agent, multus-status; several are separated by commas.
   */
  infoSource?: string;
  /**
   * Name of the interface in the guest.
   */
  interfaceName?: string;
  /**
   * First IP address of the interface.
   */
  ipAddress?: string;
  /**
   * All IP addresses of the interface.
   */
  ipAddresses?: string[];
  /**
   * State of the link: up or down.
   */
  linkState?: string;
  /**
   * MAC address of the interface.
   */
  mac?: string;
  /**
   * Name of the network.
   */
  name?: string;
  /**
   * Name of the interface in the Pod.
   */
  podInterfaceName?: string;
  /**
   * Number of queues.
   */
  queueCount?: number;
}

/**
 * Time at which an instance entered a phase.
 */
export interface VirtualMachineInstancePhaseTransitionTimestamp {
  /**
   * Phase of the instance.
   */
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | 'WaitingForSync';
  /**
   * Time at which the phase began.
   */
  phaseTransitionTimestamp?: Time;
}

/**
 * Deprecated: use instance types and preferences. Fields that are set in matching instances when they are created.
 */
export interface VirtualMachineInstancePreset extends KubeObject {
  /**
   * Fields to set and the selector of the instances.
   */
  spec?: VirtualMachineInstancePresetSpec;
}

/**
 * Fields to set and the selector of the instances.
 */
export interface VirtualMachineInstancePresetSpec {
  /**
   * Fields to set in instances that do not set them. If an instance has a different value, the preset is not applied.
   */
  domain?: DomainSpec;
  /**
   * Labels of the instances.
   */
  selector: LabelSelector;
}

/**
 * Seccomp profile of launchers.
 */
export interface VirtualMachineInstanceProfile {
  /**
   * Custom seccomp profile.
   */
  customProfile?: CustomProfile;
}

/**
 * Set of identical instances without VMs.
 */
export interface VirtualMachineInstanceReplicaSet extends KubeObject {
  /**
   * Number and template of the instances.
   */
  spec: VirtualMachineInstanceReplicaSetSpec;
  /**
   * State observed by the controller.
   */
  status?: VirtualMachineInstanceReplicaSetStatus;
}

/**
 * Condition of a replica set.
 */
export interface VirtualMachineInstanceReplicaSetCondition {
  /**
   * Time of the last check.
   */
  lastProbeTime?: Time | null;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time | null;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition: ReplicaFailure or ReplicaPaused.
   */
  type: string;
}

/**
 * Number and template of the instances.
 */
export interface VirtualMachineInstanceReplicaSetSpec {
  /**
   * Whether the controller ignores the set. Default: false.
   */
  paused?: boolean;
  /**
   * Number of instances. Default: 1.
   */
  replicas?: number;
  /**
   * Selector of the instances. Must match the template's labels.
   */
  selector: LabelSelector;
  /**
   * Template of each instance.
   */
  template: VirtualMachineInstanceTemplateSpec;
}

/**
 * State observed by the controller.
 */
export type VirtualMachineInstanceReplicaSetStatus = {
  /**
   * Current conditions.
   */
  conditions?: VirtualMachineInstanceReplicaSetCondition[];
  /**
   * Selector as text, for the scale subresource.
   */
  labelSelector?: string;
  /**
   * Number of ready instances.
   */
  readyReplicas?: number;
  /**
   * Number of existing instances.
   */
  replicas?: number;
} | null;

/**
 * Claim of dynamic resource allocation. Exactly one of resourceClaimName and resourceClaimTemplateName must be set.
 */
export interface VirtualMachineInstanceResourceClaim {
  /**
   * Name of the claim in this VM.
   */
  name: string;
  /**
   * Name of a ResourceClaim in the same namespace.
   */
  resourceClaimName?: string;
  /**
   * Name of a ResourceClaimTemplate in the same namespace. Each Pod gets its own claim.
   */
  resourceClaimTemplateName?: string;
}

/**
 * Virtual hardware, disks, networks and placement of the guest.
 */
export interface VirtualMachineInstanceSpec {
  /**
   * SSH keys and passwords from Secrets, and their propagation to the guest.
   */
  accessCredentials?: AccessCredential[];
  /**
   * Affinity and anti-affinity rules of the Pod.
   */
  affinity?: Affinity;
  /**
   * CPU architecture of the guest. Default: the platform's default architecture, amd64.
   */
  architecture?: 'amd64' | 'arm64' | 's390x';
  /**
   * DNS configuration that the guest gets by DHCP, as in a Pod.
   */
  dnsConfig?: PodDNSConfig;
  /**
   * DNS policy, as in a Pod. Default: ClusterFirst.
   */
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';
  /**
   * Virtual hardware of the guest.
   */
  domain: DomainSpec;
  /**
   * Reaction to a drain of the node. Default: the platform's setting, None.
   */
  evictionStrategy?: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  /**
   * Host name of the guest, a DNS label. Default: name of the instance.
   */
  hostname?: string;
  /**
   * Liveness probe. If it fails, the guest is killed. Not allowed with startStrategy Paused.
   */
  livenessProbe?: Probe;
  /**
   * Networks to attach to. Each is connected to the interface of the same name. Default: the Pod network.
   */
  networks?: Network[];
  /**
   * Labels that a node must have.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * PriorityClass of the Pod.
   */
  priorityClassName?: string;
  /**
   * Readiness probe. While the probe fails, Services do not forward traffic to the guest.
   */
  readinessProbe?: Probe;
  /**
   * Devices that the cluster allocates dynamically.
   */
  resourceClaims?: VirtualMachineInstanceResourceClaim[];
  /**
   * Name of the scheduler that places the Pod.
   */
  schedulerName?: string;
  /**
   * Service account of the Pod.
   */
  serviceAccountName?: string;
  /**
   * Start strategy. Paused: the guest's CPUs are paused until the guest is unpaused. Default: the guest runs immediately.
   */
  startStrategy?: 'Paused';
  /**
   * Subdomain, used with `hostname`: the guest's DNS name is below the headless Service of this name.
   */
  subdomain?: string;
  /**
   * Seconds for the guest to shut down before it is killed. Default: 30.
   */
  terminationGracePeriodSeconds?: number;
  /**
   * Taints that the Pod tolerates.
   */
  tolerations?: Toleration[];
  /**
   * Distribution of Pods over zones and nodes, as in a Pod.
   */
  topologySpreadConstraints?: TopologySpreadConstraint[];
  /**
   * Claims that the launcher uses internally. Not visible to the guest.
   */
  utilityVolumes?: UtilityVolume[];
  /**
   * Volumes of disks and shared file systems. Each is matched to a disk or file system by name.
   */
  volumes?: Volume[];
}

/**
 * Observed state of an instance.
 */
export interface VirtualMachineInstanceStatus {
  /**
   * VSOCK address of the guest, at least 3.
   */
  VSOCKCID?: number;
  /**
   * Launcher Pods: map from UID to node name.
   */
  activePods?: {
    [k: string]: string;
  };
  /**
   * State of changed block tracking.
   */
  changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /**
   * Current conditions.
   */
  conditions?: VirtualMachineInstanceCondition[];
  /**
   * CPU topology of the running guest. The spec may already differ.
   */
  currentCPUTopology?: CPUTopology;
  /**
   * Node that the guest should leave.
   */
  evacuationNodeName?: string;
  /**
   * Freeze status: frozen while file systems are frozen on request.
   */
  fsFreezeStatus?: string;
  /**
   * Operating system of the guest.
   */
  guestOSInfo?: VirtualMachineInstanceGuestOSInfo;
  /**
   * Current interfaces of the guest.
   */
  interfaces?: VirtualMachineInstanceNetworkInterface[];
  /**
   * Kernel and ramdisk of the running guest.
   */
  kernelBootStatus?: KernelBootStatus;
  /**
   * Image of the launcher.
   */
  launcherContainerImageVersion?: string;
  /**
   * Machine type in use.
   */
  machine?: Machine;
  /**
   * Guest memory at boot, currently, and as last requested.
   */
  memory?: MemoryStatus;
  /**
   * Volumes that are migrated to other claims.
   */
  migratedVolumes?: StorageMigratedVolumeInfo[];
  /**
   * Whether disks must be copied in a migration (BlockMigration).
   */
  migrationMethod?: 'BlockMigration' | 'LiveMigration';
  /**
   * State of the current or last migration.
   */
  migrationState?: VirtualMachineInstanceMigrationState;
  /**
   * Transport between handlers during a migration: Unix.
   */
  migrationTransport?: string;
  /**
   * Name of the node on which the guest runs.
   */
  nodeName?: string;
  /**
   * Phase of the instance.
   */
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | 'WaitingForSync';
  /**
   * Times at which the instance entered each phase.
   */
  phaseTransitionTimestamps?: VirtualMachineInstancePhaseTransitionTimestamp[];
  /**
   * Quality of service class of the Pod.
   */
  qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort';
  /**
   * Reason for the phase as one CamelCase word.
   */
  reason?: string;
  /**
   * User ID that QEMU runs as: 107, or 0 with gate Root.
   */
  runtimeUser?: number;
  /**
   * SELinux context of the Pod.
   */
  selinuxContext?: string;
  /**
   * Node requirements that the scheduler had to meet.
   */
  topologyHints?: TopologyHints;
  /**
   * Name of the VM's ControllerRevision from which the instance was created.
   */
  virtualMachineRevisionName?: string;
  /**
   * State of the volumes.
   */
  volumeStatus?: VolumeStatus[];
}

/**
 * Instance without a name.
 */
export interface VirtualMachineInstanceTemplateSpec {
  /**
   * Labels and annotations of the instance.
   */
  metadata?: ObjectMeta | null;
  /**
   * Spec of the instance.
   */
  spec?: VirtualMachineInstanceSpec;
}

/**
 * Memory dump of the VM.
 */
export interface VirtualMachineMemoryDumpRequest {
  /**
   * Name of the claim for the dump.
   */
  claimName: string;
  /**
   * End time.
   */
  endTimestamp?: Time;
  /**
   * Name of the dump file.
   */
  fileName?: string;
  /**
   * Human-readable reason for the failure.
   */
  message?: string;
  /**
   * Phase of the memory dump.
   */
  phase: 'Associating' | 'InProgress' | 'Unmounting' | 'Completed' | 'Dissociating' | 'Failed';
  /**
   * Whether the claim is to be dissociated from the VM.
   */
  remove?: boolean;
  /**
   * Start time.
   */
  startTimestamp?: Time;
}

/**
 * Settings that apply to all guests.
 */
export interface VirtualMachineOptions {
  /**
   * Whether free page reporting is disabled in all guests.
   */
  disableFreePageReporting?: DisableFreePageReporting;
  /**
   * Whether the serial console is not logged unless a VM enables it.
   */
  disableSerialConsoleLog?: DisableSerialConsoleLog;
}

/**
 * Template and run strategy of the VM.
 */
export interface VirtualMachineSpec {
  /**
   * Disks that are created with the VM and deleted with it. Each must be named by a volume.
   */
  dataVolumeTemplates?: (DataVolumeTemplateSpec | null)[];
  /**
   * Instance type that sizes the VM. The template must not set the same fields.
   */
  instancetype?: InstancetypeMatcher;
  /**
   * Preference with device and firmware defaults. Fields of the template take precedence.
   */
  preference?: PreferenceMatcher;
  /**
   * Run strategy. Always: restart the guest whenever it ends. RerunOnFailure: restart it only after a failure. Once: run it once. Manual: start and stop it by command. Halted: do not run it. WaitAsReceiver: wait for a migration from another cluster.
   */
  runStrategy?: 'Always' | 'RerunOnFailure' | 'Manual' | 'Halted' | 'Once' | 'WaitAsReceiver';
  /**
   * Deprecated: use `runStrategy`. true means Always, false means Halted.
   */
  running?: boolean;
  /**
   * Template of the instance that is created when the VM starts.
   */
  template: VirtualMachineInstanceTemplateSpec;
  /**
   * Treatment of changed volumes of a running guest. Default: Replacement, at the next start.
   */
  updateVolumesStrategy?: 'Replacement' | 'Migration';
}

/**
 * Consecutive start failures and the time of the next attempt.
 */
export interface VirtualMachineStartFailure {
  /**
   * Number of consecutive failed starts.
   */
  consecutiveFailCount?: number;
  /**
   * UID of the last instance that failed.
   */
  lastFailedVMIUID?: string;
  /**
   * Time of the next start attempt.
   */
  retryAfterTimestamp?: Time;
}

/**
 * Requested start or stop of the VM.
 */
export interface VirtualMachineStateChangeRequest {
  /**
   * Requested action.
   */
  action: 'Start' | 'Stop';
  /**
   * Additional data, such as `paused: "true"`.
   */
  data?: {
    [k: string]: string;
  };
  /**
   * UID of the instance that the request is for.
   */
  uid?: string;
}

/**
 * Observed state of the VM.
 */
export interface VirtualMachineStatus {
  /**
   * State of changed block tracking.
   */
  changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /**
   * Current conditions.
   */
  conditions?: VirtualMachineCondition[];
  /**
   * Whether the instance exists.
   */
  created?: boolean;
  /**
   * Generation that the instance should have.
   */
  desiredGeneration?: number;
  /**
   * Instance type in use.
   */
  instancetypeRef?: InstancetypeStatusRef | null;
  /**
   * Memory dump of the VM.
   */
  memoryDumpRequest?: VirtualMachineMemoryDumpRequest | null;
  /**
   * Generation from which the instance was started.
   */
  observedGeneration?: number;
  /**
   * Preference in use.
   */
  preferenceRef?: InstancetypeStatusRef | null;
  /**
   * Human-readable status in one word, shown by `kubectl get vm`.
   */
  printableStatus?:
    | 'Stopped'
    | 'Provisioning'
    | 'Starting'
    | 'Running'
    | 'Paused'
    | 'Stopping'
    | 'Terminating'
    | 'CrashLoopBackOff'
    | 'Migrating'
    | 'Unknown'
    | 'ErrorUnschedulable'
    | 'ErrImagePull'
    | 'ImagePullBackOff'
    | 'ErrorPvcNotFound'
    | 'DataVolumeError'
    | 'WaitingForVolumeBinding'
    | 'WaitingForReceiver';
  /**
   * Whether the guest runs and is ready.
   */
  ready?: boolean;
  /**
   * Name of the restore that prevents the VM from starting.
   */
  restoreInProgress?: string;
  /**
   * Run strategy that the controller last acted on.
   */
  runStrategy?: 'Always' | 'RerunOnFailure' | 'Manual' | 'Halted' | 'Once' | 'WaitAsReceiver';
  /**
   * Name of the snapshot that locks the spec.
   */
  snapshotInProgress?: string;
  /**
   * Consecutive start failures and the time of the next attempt.
   */
  startFailure?: VirtualMachineStartFailure | null;
  /**
   * Start and stop requests that have not been carried out yet.
   */
  stateChangeRequests?: VirtualMachineStateChangeRequest[];
  /**
   * Disks that are being plugged in or unplugged.
   */
  volumeRequests?: VirtualMachineVolumeRequest[];
  /**
   * Snapshot capability of each volume.
   */
  volumeSnapshotStatuses?: VolumeSnapshotStatus[];
  /**
   * Volumes that are being replaced.
   */
  volumeUpdateState?: VolumeUpdateState;
}

/**
 * Request to plug in or unplug a disk. Exactly one field must be set.
 */
export interface VirtualMachineVolumeRequest {
  /**
   * Volume to plug in.
   */
  addVolumeOptions?: AddVolumeOptions;
  /**
   * Volume to unplug.
   */
  removeVolumeOptions?: RemoveVolumeOptions;
}

/**
 * Source of the data of a disk or file system. Exactly one source must be set.
 */
export interface Volume {
  /**
   * Cloud-init configuration for the ConfigDrive data source.
   */
  cloudInitConfigDrive?: CloudInitConfigDriveSource;
  /**
   * Cloud-init configuration for the NoCloud data source.
   */
  cloudInitNoCloud?: CloudInitNoCloudSource;
  /**
   * Small disk with the files of a ConfigMap.
   */
  configMap?: ConfigMapVolumeSource;
  /**
   * Disk inside a container image. Data that the guest writes is lost when the guest stops.
   */
  containerDisk?: ContainerDiskSource;
  /**
   * Path in the launcher's container, shared by virtiofs.
   */
  containerPath?: ContainerPathVolumeSource;
  /**
   * Claim that a DataVolume fills. The guest starts once the claim is filled.
   */
  dataVolume?: DataVolumeSource;
  /**
   * Small disk with fields of the instance.
   */
  downwardAPI?: DownwardAPIVolumeSource;
  /**
   * Small disk with metrics of the host.
   */
  downwardMetrics?: DownwardMetricsVolumeSource;
  /**
   * Empty disk. Its data is lost when the guest stops.
   */
  emptyDisk?: EmptyDiskSource;
  /**
   * Claim that is only read. Data that the guest writes is lost when the guest stops.
   */
  ephemeral?: EphemeralVolumeSource;
  /**
   * File on the node. Gate HostDisk.
   */
  hostDisk?: HostDisk;
  /**
   * Claim for a memory dump. Written by the platform.
   */
  memoryDump?: MemoryDumpVolumeSource;
  /**
   * Name of the volume: a DNS label, unique in the VM.
   */
  name: string;
  /**
   * PersistentVolumeClaim: its file disk.img, or its block device.
   */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /**
   * Small disk with the files of a Secret.
   */
  secret?: SecretVolumeSource;
  /**
   * Small disk with the service account's token. At most one volume may have this source.
   */
  serviceAccount?: ServiceAccountVolumeSource;
  /**
   * Answer file for the setup of Windows.
   */
  sysprep?: SysprepSource;
}

/**
 * Volumes that are migrated to other claims.
 */
export interface VolumeMigrationState {
  /**
   * Volumes that are migrated.
   */
  migratedVolumes?: StorageMigratedVolumeInfo[];
}

/**
 * Snapshot capability of a volume.
 */
export interface VolumeSnapshotStatus {
  /**
   * Whether the volume can be snapshotted.
   */
  enabled: boolean;
  /**
   * Name of the volume.
   */
  name: string;
  /**
   * Reason why the volume cannot be snapshotted.
   */
  reason?: string;
}

/**
 * State of a volume of a running guest.
 */
export interface VolumeStatus {
  /**
   * State of the container disk.
   */
  containerDiskVolume?: ContainerDiskInfo;
  /**
   * State of the hotplugged volume.
   */
  hotplugVolume?: HotplugVolumeStatus;
  /**
   * State of the memory dump.
   */
  memoryDumpVolume?: DomainMemoryDumpInfo;
  /**
   * Human-readable message.
   */
  message?: string;
  /**
   * Name of the volume.
   */
  name: string;
  /**
   * State of the claim.
   */
  persistentVolumeClaimInfo?: PersistentVolumeClaimInfo;
  /**
   * Phase of the hotplug.
   */
  phase?:
    | 'Pending'
    | 'Bound'
    | 'AttachedToNode'
    | 'MountedToPod'
    | 'Ready'
    | 'Detaching'
    | 'UnMountedFromPod'
    | 'MemoryDumpCompleted'
    | 'MemoryDumpInProgress'
    | 'MemoryDumpFailed';
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Size in bytes.
   */
  size?: number;
  /**
   * Device name in the guest, such as vda.
   */
  target: string;
}

/**
 * Volumes that are being replaced.
 */
export interface VolumeUpdateState {
  /**
   * Volumes that are migrated to other claims.
   */
  volumeMigrationState?: VolumeMigrationState;
}

/**
 * Watchdog device. Exactly one model must be set.
 */
export interface Watchdog {
  /**
   * Model diag288, for s390x.
   */
  diag288?: Diag288Watchdog;
  /**
   * Intel's model i6300esb, for amd64. Default action: reset.
   */
  i6300esb?: I6300ESBWatchdog;
  /**
   * Name of the watchdog.
   */
  name: string;
}
