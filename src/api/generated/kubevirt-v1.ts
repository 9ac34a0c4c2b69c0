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
 * Tables for the guest's licence, from Secrets among the volumes.
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
 * A key or password that the guest gets. Exactly one field.
 */
export interface AccessCredential {
  /**
   * SSH keys.
   */
  sshPublicKey?: SSHPublicKeyAccessCredential;
  /**
   * Passwords.
   */
  userPassword?: UserPasswordAccessCredential;
}

/**
 * A Secret in the same namespace.
 */
export interface AccessCredentialSecretSource {
  /**
   * Name of the referenced object.
   */
  secretName: string;
}

/**
 * A disk that is plugged in.
 */
export interface AddVolumeOptions {
  /**
   * Disk device that the guest sees.
   */
  disk: Disk;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Name of disk and volume; a name inside disk is ignored.
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
   * x86-64.
   */
  amd64?: ArchSpecificConfiguration;
  /**
   * ARM.
   */
  arm64?: ArchSpecificConfiguration;
  /**
   * Architecture of VMs that do not set one. Default: that of the control plane's nodes.
   */
  defaultArchitecture?: string;
  /**
   * Deprecated: no longer supported.
   */
  ppc64le?: ArchSpecificConfiguration;
  /**
   * IBM Z.
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
 * Block size of a disk. At most one field.
 */
export interface BlockSize {
  /**
   * Given sizes.
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
   * EFI.
   */
  efi?: EFI;
}

/**
 * A CD-ROM drive.
 */
export interface CDRomTarget {
  /**
   * Default: sata; arm64 and s390x: scsi.
   */
  bus?: 'scsi' | 'sata' | 'usb';
  /**
   * Default: true.
   */
  readonly?: boolean;
  /**
   * Default: closed.
   */
  tray?: 'open' | 'closed';
}

/**
 * CPUs of the guest.
 */
export interface CPU {
  /**
   * Cores of each socket. Default: 1.
   */
  cores?: number;
  /**
   * Pins vCPUs to CPUs that no one else uses; makes the Pod Guaranteed.
   */
  dedicatedCpuPlacement?: boolean;
  /**
   * CPU features to add or hide.
   */
  features?: CPUFeature[];
  /**
   * Whether QEMU gets one more dedicated CPU for its emulator thread.
   */
  isolateEmulatorThread?: boolean;
  /**
   * Most sockets after hotplug. Default: four times `sockets`, at most 512 vCPUs.
   */
  maxSockets?: number;
  /**
   * host-model, host-passthrough, or a name such as Haswell. Default: host-model; arm64: host-passthrough.
   */
  model?: string;
  /**
   * The guest sees the node's NUMA layout.
   */
  numa?: NUMA;
  /**
   * Realtime scheduling of vCPUs.
   */
  realtime?: Realtime;
  /**
   * Sockets; may grow while the guest runs. Default: CPUs of resources, else 1.
   */
  sockets?: number;
  /**
   * Threads of each core. Default: 1.
   */
  threads?: number;
}

/**
 * A feature of the CPU.
 */
export interface CPUFeature {
  /**
   * Name of the feature in libvirt.
   */
  name: string;
  /**
   * force, require, optional, disable or forbid. Default: require.
   */
  policy?: 'force' | 'require' | 'optional' | 'disable' | 'forbid';
}

/**
 * Arrangement of the CPUs in use.
 */
export interface CPUTopology {
  /**
   * Cores of each socket.
   */
  cores?: number;
  /**
   * Sockets.
   */
  sockets?: number;
  /**
   * Threads of each core.
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
 * VMs whose changed blocks are tracked, for incremental backups; either selector suffices.
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
 * Whether changed blocks are tracked.
 */
export interface ChangedBlockTrackingStatus {
  /**
   * State of the current or last backup.
   */
  backupStatus?: VirtualMachineInstanceBackupStatus | null;
  /**
   * Progress of the operation.
   */
  state: 'PendingRestart' | 'Initializing' | 'Enabled' | 'Disabled' | 'IncrementalBackupFeatureGateDisabled';
}

/**
 * SMBIOS table of the chassis.
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
 * A device of a claim of dynamic resource allocation.
 */
export interface ClaimRequest {
  /**
   * The claim's name in resourceClaims.
   */
  claimName?: string;
  /**
   * The request in the claim.
   */
  requestName?: string;
}

/**
 * USB devices of the client: `virt8s usbredir`.
 */
export type ClientPassthroughDevices = object;

/**
 * Clock of the guest. At most one of utc and timezone.
 */
export interface Clock {
  /**
   * Timers.
   */
  timer?: Timer;
  /**
   * Time zone: Europe/Berlin.
   */
  timezone?: string;
  /**
   * UTC. This is the default.
   */
  utc?: ClockOffsetUTC;
}

/**
 * Offset of the guest's clock. At most one field may be set.
 */
export interface ClockOffset {
  /**
   * Time zone: Europe/Berlin.
   */
  timezone?: string;
  /**
   * UTC, or an offset from it.
   */
  utc?: ClockOffsetUTC;
}

/**
 * UTC, or an offset from it.
 */
export interface ClockOffsetUTC {
  /**
   * Offset from UTC in seconds. If set, changes that the guest makes to its clock survive a reboot. Default: the clock is reset to UTC at each boot.
   */
  offsetSeconds?: number;
}

/**
 * A disk of cloud-init's kind ConfigDrive.
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
   * Secret with key networkdata.
   */
  networkDataSecretRef?: LocalObjectReference;
  /**
   * Secret with key userdata, of any size.
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
 * A disk of cloud-init's kind NoCloud.
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
   * Secret with key networkdata.
   */
  networkDataSecretRef?: LocalObjectReference;
  /**
   * Secret with key userdata, of any size.
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
 * The instancetypes and preferences that come with the platform.
 */
export interface CommonInstancetypesDeployment {
  /**
   * Whether they are installed. Default: true.
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
   * Pods of virt-api and of virt-controller. Default: 2, and more on large clusters.
   */
  replicas?: number;
}

/**
 * Guests with encrypted memory.
 */
export interface ConfidentialComputeConfiguration {
  /**
   * Intel TDX.
   */
  tdx?: TDXConfiguration | null;
}

/**
 * Keys go into the ConfigDrive disk.
 */
export type ConfigDriveSSHPublicKeyAccessCredentialPropagation = object;

/**
 * Files of a ConfigMap, as a disk or file system.
 */
export interface ConfigMapVolumeSource {
  /**
   * The ConfigMap, in the same namespace.
   */
  name?: string;
  /**
   * Whether the object may be missing. Default: false.
   */
  optional?: boolean;
  /**
   * Label of the disk: cidata, config-2, OEMDRV.
   */
  volumeLabel?: string;
}

/**
 * A container disk that is in use.
 */
export interface ContainerDiskInfo {
  /**
   * Deprecated: checksum of the disk.
   */
  checksum?: number;
}

/**
 * A disk in a container image, below /disk. What the guest writes is lost when it ends.
 */
export interface ContainerDiskSource {
  /**
   * Image reference.
   */
  image: string;
  /**
   * Default: Always for `latest` or no tag, else IfNotPresent.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Secret with the registry's credentials.
   */
  imagePullSecret?: string;
  /**
   * File in the image. Default: the only one in /disk.
   */
  path?: string;
}

/**
 * A path in the launcher's container, for virtiofs.
 */
export interface ContainerPathVolumeSource {
  /**
   * The path; something must be mounted there.
   */
  path: string;
  /**
   * Only true is allowed. Default: true.
   */
  readOnly?: boolean;
}

/**
 * A ControllerRevision.
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
   * Least size of a discard. Default: the logical size.
   */
  discardGranularity?: number;
  /**
   * Logical size: a power of two from 512 to 2097152.
   */
  logical?: number;
  /**
   * Physical size: a power of two from 512 to 2097152, at least the logical one.
   */
  physical?: number;
}

/**
 * A seccomp profile. At most one field.
 */
export interface CustomProfile {
  /**
   * A file in the kubelet's seccomp folder.
   */
  localhostProfile?: string;
  /**
   * That of the container runtime.
   */
  runtimeDefaultProfile?: boolean;
}

/**
 * Changes of the installed objects.
 */
export interface CustomizeComponents {
  /**
   * Command line flags.
   */
  flags?: Flags;
  /**
   * Patches.
   */
  patches?: CustomizeComponentsPatch[];
}

/**
 * A patch of an installed object.
 */
export interface CustomizeComponentsPatch {
  /**
   * The patch, as JSON text.
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
   * Kind of the patch.
   */
  type: 'json' | 'merge' | 'strategic';
}

/**
 * Further options of the interface's DHCP server.
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
   * Private options.
   */
  privateOptions?: DHCPPrivateOptions[];
  /**
   * Boot server (option 66).
   */
  tftpServerName?: string;
}

/**
 * A private option.
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
 * A claim that a DataVolume fills.
 */
export interface DataVolumeSource {
  /**
   * Whether the volume can be unplugged while the guest runs. Default: false.
   */
  hotpluggable?: boolean;
  /**
   * Name of DataVolume and claim, in the same namespace.
   */
  name: string;
}

/**
 * Nothing; older manifests have it.
 */
export type DataVolumeTemplateDummyStatus = object;

/**
 * A DataVolume that belongs to the VM.
 */
export interface DataVolumeTemplateSpec {
  /**
   * Version of the API.
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
   * Ignored.
   */
  status?: DataVolumeTemplateDummyStatus | null;
}

/**
 * Discontinued: use a binding plugin.
 */
export type DeprecatedInterfaceMacvtap = object;

/**
 * Discontinued: use passtBinding.
 */
export type DeprecatedInterfacePasst = object;

/**
 * Discontinued: user mode networking.
 */
export type DeprecatedInterfaceSlirp = object;

/**
 * Settings for development and rare needs.
 */
export interface DeveloperConfiguration {
  /**
   * Components can be profiled. Default: false.
   */
  clusterProfiler?: boolean;
  /**
   * vCPUs per requested CPU. Default: 10.
   */
  cpuAllocationRatio?: number;
  /**
   * Beta gates to switch off.
   */
  disabledFeatureGates?: string[];
  /**
   * Verification of container disks.
   */
  diskVerification?: DiskVerification;
  /**
   * Gates to switch on.
   */
  featureGates?: string[];
  /**
   * Log verbosity of each component.
   */
  logVerbosity?: LogVerbosity;
  /**
   * Percent of guest memory over requested memory. Default: 100.
   */
  memoryOvercommit?: number;
  /**
   * TSC frequency in Hz that guests are promised. Default: the lowest of all nodes.
   */
  minimumClusterTSCFrequency?: number;
  /**
   * Bytes that stay free in a file system that holds a disk. Default: 131072.
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
   * VMs run without KVM where it does not work. Default: false.
   */
  useEmulation?: boolean;
}

/**
 * Devices of the guest.
 */
export interface Devices {
  /**
   * A graphics card and VNC. Default: true.
   */
  autoattachGraphicsDevice?: boolean;
  /**
   * A tablet for exact pointing. Default: false.
   */
  autoattachInputDevice?: boolean;
  /**
   * A memory balloon, for statistics. Default: true.
   */
  autoattachMemBalloon?: boolean;
  /**
   * The Pod network when no network is named. Default: true.
   */
  autoattachPodInterface?: boolean;
  /**
   * A serial port, for `virt8s console`. Default: true.
   */
  autoattachSerialConsole?: boolean;
  /**
   * A VSOCK device. Gate VSOCK.
   */
  autoattachVSOCK?: boolean;
  /**
   * A queue per vCPU on virtio disks.
   */
  blockMultiQueue?: boolean;
  /**
   * USB devices of the client can be redirected.
   */
  clientPassthrough?: ClientPassthroughDevices;
  /**
   * Whether to omit the controller for hotplugged disks.
   */
  disableHotplug?: boolean;
  /**
   * Disks, CD-ROMs and LUNs in the order in which the guest sees them. A volume that no entry names becomes a disk.
   */
  disks?: Disk[];
  /**
   * A virtio-serial port on which the guest reads metrics of the host.
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
   * Network cards; each is joined to the network of its name.
   */
  interfaces?: Interface[];
  /**
   * Whether serial output is written to a container log of the Pod. Default: true.
   */
  logSerialConsole?: boolean;
  /**
   * A queue per vCPU on virtio interfaces.
   */
  networkInterfaceMultiqueue?: boolean;
  /**
   * Devices that report a crash of the guest.
   */
  panicDevices?: PanicDevice[];
  /**
   * Randomness from the host.
   */
  rng?: Rng;
  /**
   * A sound device.
   */
  sound?: SoundDevice;
  /**
   * A TPM 2.0, emulated.
   */
  tpm?: TPMDevice;
  /**
   * Virtio devices for old guests.
   */
  useVirtioTransitional?: boolean;
  /**
   * The video device. Default: depends on architecture and firmware.
   */
  video?: VideoDevice;
  /**
   * Acts when the guest stops answering.
   */
  watchdog?: Watchdog;
}

/**
 * A watchdog of s390x.
 */
export interface Diag288Watchdog {
  /**
   * Action when the watchdog fires. Default: reset.
   */
  action?: 'poweroff' | 'reset' | 'shutdown';
}

/**
 * The guest does not report free pages.
 */
export type DisableFreePageReporting = object;

/**
 * The serial console is not logged.
 */
export type DisableSerialConsoleLog = object;

/**
 * A disk, LUN or CD-ROM drive, and the volume behind it.
 */
export interface Disk {
  /**
   * Sector sizes that the guest sees. Default: 512.
   */
  blockSize?: BlockSize;
  /**
   * Position in boot order, from 1, unique over disks and interfaces. Without any, disks boot in their order.
   */
  bootOrder?: number;
  /**
   * Host caching mode. Default: none if the storage supports O_DIRECT, otherwise writethrough.
   */
  cache?: 'none' | 'writethrough' | 'writeback';
  /**
   * A CD drive; without a volume it is empty.
   */
  cdrom?: CDRomTarget;
  /**
   * Changed blocks are tracked. Written by the platform. Default: false.
   */
  changedBlockTracking?: boolean;
  /**
   * An I/O thread of its own.
   */
  dedicatedIOThread?: boolean;
  /**
   * A plain disk. Default when no kind is named.
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
   * A SCSI device whose commands reach the storage. Only of claims.
   */
  lun?: LunTarget;
  /**
   * Name of the volume that it attaches.
   */
  name: string;
  /**
   * Serial number that the guest sees: letters, digits, _.+-, at most 36.
   */
  serial?: string;
  /**
   * Several VMs may write to it.
   */
  shareable?: boolean;
  /**
   * A text that the guest finds in cloud-init's metadata beside the disk's address.
   */
  tag?: string;
}

/**
 * IO threads of the supplementalPool policy.
 */
export interface DiskIOThreads {
  /**
   * Number of threads.
   */
  supplementalPoolThreadCount?: number;
}

/**
 * A disk.
 */
export interface DiskTarget {
  /**
   * Default: sata; arm64 and s390x: virtio.
   */
  bus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Fixed address such as 0000:81:01.0; only with virtio.
   */
  pciAddress?: string;
  /**
   * Default: false.
   */
  readonly?: boolean;
}

/**
 * Verification of container disks.
 */
export interface DiskVerification {
  /**
   * Memory that qemu-img may use. Default: 2000Mi.
   */
  memoryLimit: Quantity;
}

/**
 * A memory dump.
 */
export interface DomainMemoryDumpInfo {
  /**
   * Claim that holds it.
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
 * The machine that the guest sees.
 */
export interface DomainSpec {
  /**
   * Chassis information in SMBIOS.
   */
  chassis?: Chassis;
  /**
   * The guest's clock and timers.
   */
  clock?: Clock;
  /**
   * The guest's CPU. Default: one vCPU, more when resources name more.
   */
  cpu?: CPU;
  /**
   * Disks, interfaces and everything else that is plugged in.
   */
  devices: Devices;
  /**
   * Features of the machine. Default: ACPI.
   */
  features?: Features;
  /**
   * BIOS or UEFI, and what they say.
   */
  firmware?: Firmware;
  /**
   * IO threads of the supplementalPool policy.
   */
  ioThreads?: DiskIOThreads;
  /**
   * Threads for disk I/O. shared: one; auto: by vCPUs; supplementalPool: as many as `ioThreads` says.
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
   * The guest's memory.
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
   * Least time between two steps. Default: 10.
   */
  cooldownSeconds?: number;
  /**
   * Milliseconds at first. Default: 150.
   */
  initialMs?: number;
  /**
   * Copies of the memory before the first step. Default: 3.
   */
  startAfterIteration?: number;
  /**
   * Equal steps up to maxDowntimeMs. Default: 7.
   */
  steps?: number;
}

/**
 * Fields of the Pod as files on a disk or file system.
 */
export interface DownwardAPIVolumeSource {
  /**
   * The files.
   */
  fields?: DownwardAPIVolumeFile[];
  /**
   * Label of the disk.
   */
  volumeLabel?: string;
}

/**
 * Metrics of the host on a virtio-serial port.
 */
export type DownwardMetrics = object;

/**
 * Metrics of the host on a small disk, as vhostmd writes it.
 */
export type DownwardMetricsVolumeSource = object;

/**
 * EFI as firmware.
 */
export interface EFI {
  /**
   * Keeps UEFI variables over restarts. Default: false.
   */
  persistent?: boolean;
  /**
   * Only signed loaders start; needs features.smm. Default: true.
   */
  secureBoot?: boolean;
}

/**
 * An empty disk that lives as long as the instance.
 */
export interface EmptyDiskSource {
  /**
   * Size in bytes.
   */
  capacity: Quantity;
}

/**
 * A claim that is only read; what the guest writes is lost when it ends.
 */
export interface EphemeralVolumeSource {
  /**
   * The claim.
   */
  persistentVolumeClaim?: OtherPersistentVolumeClaimVolumeSource;
}

/**
 * Takes an eviction back.
 */
export interface EvacuateCancelOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * The node that the instance was to leave; the request fails when that is another.
   */
  evacuationNodeName: string;
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * Settings of migrations that may change or vanish.
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
 * The interrupt controller.
 */
export interface FeatureAPIC {
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
  /**
   * The guest is spared an exit at the end of each interrupt. Default: false.
   */
  endOfInterrupt?: boolean;
}

/**
 * Hyper-V features, which improve Windows guests. Features that are not set follow the machine type.
 */
export interface FeatureHyperv {
  /**
   * Faster nested guests, on Intel; needs vapic.
   */
  evmcs?: FeatureState;
  /**
   * The guest can read the frequencies of TSC and APIC.
   */
  frequencies?: FeatureState;
  /**
   * Cheaper interrupts between CPUs; needs vpindex.
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
   * The guest can see how long each CPU really ran.
   */
  runtime?: FeatureState;
  /**
   * Number of attempts to take a spinlock before the guest notifies the hypervisor.
   */
  spinlocks?: FeatureSpinlocks;
  /**
   * Synthetic interrupt controller; needs vpindex.
   */
  synic?: FeatureState;
  /**
   * Timers of the synthetic interrupt controller; needs synic.
   */
  synictimer?: SyNICTimer;
  /**
   * Cheaper flushes of other CPUs' TLBs; needs vpindex.
   */
  tlbflush?: TLBFlush;
  /**
   * Cheaper interrupts.
   */
  vapic?: FeatureState;
  /**
   * The hypervisor's name, as the guest sees it.
   */
  vendorid?: FeatureVendorID;
  /**
   * The guest can read the number of each CPU.
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
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
  /**
   * Tries, at least 4096. Default: 4096.
   */
  spinlocks?: number;
}

/**
 * A switch.
 */
export interface FeatureState {
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
}

/**
 * The hypervisor's name, as the guest sees it.
 */
export interface FeatureVendorID {
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
  /**
   * The name, at most 12 characters.
   */
  vendorid?: string;
}

/**
 * Features of the machine.
 */
export interface Features {
  /**
   * ACPI. Default: on.
   */
  acpi?: FeatureState;
  /**
   * The interrupt controller. Default: as the machine type has it.
   */
  apic?: FeatureAPIC;
  /**
   * Individual Hyper-V features, which improve Windows guests.
   */
  hyperv?: FeatureHyperv;
  /**
   * All Hyper-V features that the host supports. Such a guest cannot be migrated.
   */
  hypervPassthrough?: HyperVPassthrough;
  /**
   * Visibility of KVM to the guest.
   */
  kvm?: FeatureKVM;
  /**
   * Paravirtual spinlocks.
   */
  pvspinlock?: FeatureState;
  /**
   * System management mode; secure boot needs it.
   */
  smm?: FeatureState;
}

/**
 * A folder that the guest shares.
 */
export interface Filesystem {
  /**
   * Name of the volume, and tag by which the guest mounts it.
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
   * Tables for the guest's licence.
   */
  acpi?: ACPI;
  /**
   * Default: BIOS; arm64: UEFI.
   */
  bootloader?: Bootloader;
  /**
   * A kernel from an image instead of the disk.
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
 * Freezes the guest's file systems for a time.
 */
export interface FreezeUnfreezeTimeout {
  /**
   * Time after which frozen file systems are thawed automatically; 0 disables thawing.
   */
  unfreezeTimeout: Duration;
}

/**
 * A GPU of the node. Either deviceName, or claimName and requestName.
 */
export interface GPU {
  /**
   * Name of an entry in resourceClaims.
   */
  claimName?: string;
  /**
   * Resource of its device plugin: nvidia.com/GP102GL.
   */
  deviceName?: string;
  /**
   * Name of the device in this VM.
   */
  name: string;
  /**
   * The request in the claim.
   */
  requestName?: string;
  /**
   * A text that the guest finds in cloud-init's metadata beside the device's address.
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
 * A network that CNI-Genie attached. Deprecated: use multus.
 */
export interface GenieNetwork {
  /**
   * Name of the CNI plugin or of the network, as in the annotation cni.
   */
  networkName: string;
}

/**
 * A command of the guest agent.
 */
export interface GuestAgentCommandInfo {
  /**
   * Whether it may be used.
   */
  enabled?: boolean;
  /**
   * Name of the referenced object.
   */
  name: string;
}

/**
 * The guest agent answers.
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
 * A device of the node. Either deviceName, or claimName and requestName.
 */
export interface HostDevice {
  /**
   * Name of an entry in resourceClaims.
   */
  claimName?: string;
  /**
   * Resource of its device plugin.
   */
  deviceName?: string;
  /**
   * Name of the device in this VM.
   */
  name: string;
  /**
   * The request in the claim.
   */
  requestName?: string;
  /**
   * A text that the guest finds in cloud-init's metadata beside the device's address.
   */
  tag?: string;
}

/**
 * A disk in a file of the node. Needs the gate HostDisk.
 */
export interface HostDisk {
  /**
   * Size in bytes, when it is created.
   */
  capacity?: Quantity;
  /**
   * Absolute path on the node.
   */
  path: string;
  /**
   * All nodes have the same file there. Default: false.
   */
  shared?: boolean;
  /**
   * Whether the file is made when it is missing.
   */
  type: 'Disk' | 'DiskOrCreate';
}

/**
 * A volume that can be plugged in. Exactly one field.
 */
export interface HotplugVolumeSource {
  /**
   * A claim that a DataVolume fills.
   */
  dataVolume?: DataVolumeSource;
  /**
   * A claim.
   */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
}

/**
 * The Pod that brings a volume to the node.
 */
export interface HotplugVolumeStatus {
  /**
   * Name of the referenced object.
   */
  attachPodName?: string;
  /**
   * UID of the attachment Pod.
   */
  attachPodUID?: string;
}

/**
 * Memory in huge pages.
 */
export interface Hugepages {
  /**
   * 2Mi or 1Gi.
   */
  pageSize?: string;
}

/**
 * All Hyper-V features that the host supports.
 */
export interface HyperVPassthrough {
  /**
   * Whether it is on.
   */
  enabled?: boolean;
}

/**
 * Clock that Windows reads from the hypervisor.
 */
export interface HypervTimer {
  /**
   * Whether the timer is present. Default: true.
   */
  present?: boolean;
}

/**
 * The hypervisor.
 */
export interface HypervisorConfiguration {
  /**
   * Name of the hypervisor. Default: kvm.
   */
  name?: 'kvm' | 'hyperv-direct';
}

/**
 * A watchdog on the PCI bus.
 */
export interface I6300ESBWatchdog {
  /**
   * Action when the watchdog fires. Default: reset.
   */
  action?: 'poweroff' | 'reset' | 'shutdown';
}

/**
 * The ramdisk in use.
 */
export interface InitrdInfo {
  /**
   * Deprecated: its checksum.
   */
  checksum?: number;
}

/**
 * A device for input.
 */
export interface Input {
  /**
   * Bus of the device. Default: usb.
   */
  bus?: 'usb' | 'virtio';
  /**
   * Name of the referenced object.
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
   * reference keeps the VM's reference to a copy; expand puts the fields into new VMs in place of the reference; expandAll into all VMs. Default: reference.
   */
  referencePolicy?: ('reference' | 'expand' | 'expandAll') | null;
}

/**
 * The instancetype that a VM refers to.
 */
export interface InstancetypeMatcher {
  /**
   * Volume whose labels name the instancetype; the webhook replaces this by name and kind.
   */
  inferFromVolume?: string;
  /**
   * Whether a VM is rejected when the volume has no such labels. Default: Reject.
   */
  inferFromVolumeFailurePolicy?: 'Reject' | 'Ignore';
  /**
   * VirtualMachineInstancetype or VirtualMachineClusterInstancetype. Default: VirtualMachineClusterInstancetype.
   */
  kind?: string;
  /**
   * Name of the referenced object.
   */
  name?: string;
  /**
   * ControllerRevision with the copy in use. Written by the controller.
   */
  revisionName?: string;
}

/**
 * The instancetype or preference in use.
 */
export interface InstancetypeStatusRef {
  /**
   * ControllerRevision with its copy.
   */
  controllerRevisionRef?: ControllerRevisionRef;
  /**
   * Volume that it was found by.
   */
  inferFromVolume?: string;
  /**
   * Requested reaction to a volume without labels.
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
 * An interface of the guest, and how it reaches its network. Exactly one binding.
 */
export interface Interface {
  /**
   * 1 to 16383: gives the card a fixed name in the guest.
   */
  acpiIndex?: number;
  /**
   * A plugin that the KubeVirt object registers.
   */
  binding?: PluginBinding;
  /**
   * Rank among the devices that the guest boots from, from 1.
   */
  bootOrder?: number;
  /**
   * The guest takes over the Pod's address, or is bridged to the network.
   */
  bridge?: InterfaceBridge;
  /**
   * Further options of DHCP.
   */
  dhcpOptions?: DHCPOptions;
  /**
   * Default: chosen by the platform.
   */
  macAddress?: string;
  /**
   * Discontinued, refused.
   */
  macvtap?: DeprecatedInterfaceMacvtap;
  /**
   * The guest is behind NAT; the Pod's address leads to it. Pod network only.
   */
  masquerade?: InterfaceMasquerade;
  /**
   * Default: virtio.
   */
  model?: 'virtio' | 'e1000' | 'e1000e' | 'igb' | 'ne2k_pci' | 'pcnet' | 'rtl8139';
  /**
   * Name of the network that it is joined to.
   */
  name: string;
  /**
   * Discontinued, refused: use passtBinding.
   */
  passt?: DeprecatedInterfacePasst;
  /**
   * User-mode networking by passt. Pod network only.
   */
  passtBinding?: InterfacePasstBinding;
  /**
   * Address on the guest's PCI bus: 0000:81:01.0.
   */
  pciAddress?: string;
  /**
   * Ranges of ports that lead into the guest; only with masquerade, instead of ports.
   */
  portRanges?: PortRange[];
  /**
   * The only ports that are forwarded. Default: all.
   */
  ports?: Port[];
  /**
   * Discontinued; refused unless network.permitSlirpInterface.
   */
  slirp?: DeprecatedInterfaceSlirp;
  /**
   * A virtual function of an SR-IOV card.
   */
  sriov?: InterfaceSRIOV;
  /**
   * Link up or down; absent unplugs the card. Default: up.
   */
  state?: 'up' | 'down' | 'absent';
  /**
   * A text that the guest finds in cloud-init's metadata beside the interface's address.
   */
  tag?: string;
}

/**
 * Migration of guests that use the binding.
 */
export interface InterfaceBindingMigration {
  /**
   * Migration method. link-refresh sets the link down and up once the guest has moved.
   */
  method?: string;
}

/**
 * A way to connect interfaces that a plugin brings.
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
   * Guests with it can migrate. Default: they cannot.
   */
  migration?: InterfaceBindingMigration;
  /**
   * NetworkAttachmentDefinition that its Pods get: NAME or NAMESPACE/NAME.
   */
  networkAttachmentDefinition?: string;
  /**
   * Image of a container that changes the domain.
   */
  sidecarImage?: string;
}

/**
 * The guest has the Pod's own addresses, behind a bridge.
 */
export type InterfaceBridge = object;

/**
 * The guest has a private address, behind NAT.
 */
export type InterfaceMasquerade = object;

/**
 * Connection of the interface through passt.
 */
export type InterfacePasstBinding = object;

/**
 * The guest has a virtual function of a network card.
 */
export type InterfaceSRIOV = object;

/**
 * Merging of equal pages.
 */
export interface KSMConfiguration {
  /**
   * Nodes on which it is on; empty for all.
   */
  nodeLabelSelector?: LabelSelector;
}

/**
 * Clock that Linux reads from KVM.
 */
export interface KVMTimer {
  /**
   * Whether the timer is present. Default: true.
   */
  present?: boolean;
}

/**
 * A kernel that is started without a boot loader.
 */
export interface KernelBoot {
  /**
   * The image that holds it.
   */
  container?: KernelBootContainer;
  /**
   * Command line of the kernel. Requires a kernel.
   */
  kernelArgs?: string;
}

/**
 * An image with kernel or ramdisk.
 */
export interface KernelBootContainer {
  /**
   * The image.
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
 * Kernel and ramdisk in use.
 */
export interface KernelBootStatus {
  /**
   * The ramdisk.
   */
  initrdInfo?: InitrdInfo;
  /**
   * The kernel.
   */
  kernelInfo?: KernelInfo;
}

/**
 * The kernel in use.
 */
export interface KernelInfo {
  /**
   * Deprecated: its checksum.
   */
  checksum?: number;
}

/**
 * The platform: what runs, and its configuration. One per cluster.
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
   * Certificates that the platform signs itself.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Synchronized, Created, Available, Progressing or Degraded.
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
   * Settings by architecture.
   */
  architectureConfiguration?: ArchConfiguration;
  /**
   * Namespaces in which Pods get a CPU limit of their vCPUs. Default: namespaces with a quota of CPU limits.
   */
  autoCPULimitNamespaceLabelSelector?: LabelSelector;
  /**
   * VMs whose changed blocks are tracked.
   */
  changedBlockTrackingLabelSelectors?: ChangedBlockTrackingSelectors | null;
  /**
   * The instancetypes and preferences that come with the platform.
   */
  commonInstancetypesDeployment?: CommonInstancetypesDeployment | null;
  /**
   * Guests with encrypted memory.
   */
  confidentialCompute?: ConfidentialComputeConfiguration | null;
  /**
   * Configuration of virt-controller.
   */
  controllerConfiguration?: ReloadableComponentConfiguration;
  /**
   * Default CPU model. Default: host-model.
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
   * Feature gates, emulation, overcommit, verbosity.
   */
  developerConfiguration?: DeveloperConfiguration;
  /**
   * Deprecated: use architectureConfiguration.
   */
  emulatedMachines?: string[];
  /**
   * Default: None.
   */
  evictionStrategy?: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  /**
   * Configuration of virt-handler. Default: 50 requests per second with bursts of 100.
   */
  handlerConfiguration?: ReloadableComponentConfiguration;
  /**
   * The hypervisor; at most one.
   */
  hypervisors?: HypervisorConfiguration[];
  /**
   * Pull policy of container disks that do not set one. Default: depends on the tag.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Handling of references to instance types and preferences.
   */
  instancetype?: InstancetypeConfiguration | null;
  /**
   * Merging of equal pages.
   */
  ksmConfiguration?: KSMConfiguration;
  /**
   * Limits of hotplug.
   */
  liveUpdateConfiguration?: LiveUpdateConfiguration;
  /**
   * Default machine type on amd64. Default: q35.
   */
  machineType?: string;
  /**
   * Mediated devices that are made.
   */
  mediatedDevicesConfiguration?: MediatedDevicesConfiguration;
  /**
   * Seconds between memory statistics. Default: 10.
   */
  memBalloonStatsPeriod?: number;
  /**
   * Limits of live migration.
   */
  migrations?: MigrationConfiguration;
  /**
   * Deprecated and without effect.
   */
  minCPUModel?: string;
  /**
   * Default interface, allowed bindings.
   */
  network?: NetworkConfiguration;
  /**
   * CPU models that no node offers: name and true. Default: models from 486 to phenom, and qemu32, qemu64, kvm32, kvm64.
   */
  obsoleteCPUModels?: {
    [k: string]: boolean;
  };
  /**
   * Deprecated: use architectureConfiguration.
   */
  ovmfPath?: string;
  /**
   * Devices of nodes that VMs may be given.
   */
  permittedHostDevices?: PermittedHostDevices;
  /**
   * SCSI persistent reservations.
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
   * CPU and memory of containers beside the guest.
   */
  supportContainerResources?: SupportContainerResources[];
  /**
   * Deprecated and without effect.
   */
  supportedGuestAgentVersions?: string[];
  /**
   * TLS versions and ciphers of the servers.
   */
  tlsConfiguration?: TLSConfiguration;
  /**
   * Templates of VMs.
   */
  virtTemplateDeployment?: VirtTemplateDeployment | null;
  /**
   * Guests of each node, at most. Default: 110.
   */
  virtualMachineInstancesPerNode?: number;
  /**
   * Settings that apply to all guests.
   */
  virtualMachineOptions?: VirtualMachineOptions;
  /**
   * Whether changes of a VM reach its running guest. Default: LiveUpdate.
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
 * Lifetimes of certificates.
 */
export interface KubeVirtSelfSignConfiguration {
  /**
   * Certificates of the authorities. Default: valid for a week, renewed after four fifths of it.
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
   * Certificates of servers and clients. Default: valid for a day, renewed after four fifths of it.
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
   * Defaults and switches for all VMs.
   */
  configuration?: KubeVirtConfiguration;
  /**
   * Changes of the installed objects.
   */
  customizeComponents?: CustomizeComponents;
  /**
   * Pull policy of the platform's images.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Secrets for pulling the images.
   */
  imagePullSecrets?: LocalObjectReference[];
  /**
   * Registry of the images. Default: that of the operator's image.
   */
  imageRegistry?: string;
  /**
   * Tag of the images. Default: that of the operator's image.
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
   * Namespace of Prometheus. Default: openshift-monitoring, else monitoring.
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
   * Namespace of the ServiceMonitor. Default: that of Prometheus.
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
   * Update of running guests to a new version of the platform. Default: at their next start.
   */
  workloadUpdateStrategy?: KubeVirtWorkloadUpdateStrategy;
  /**
   * Placement of virt-handler and guests.
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
   * Settings of what runs.
   */
  observedDeploymentConfig?: string;
  /**
   * Hash of those settings.
   */
  observedDeploymentID?: string;
  /**
   * metadata.generation that was looked at.
   */
  observedGeneration?: number;
  /**
   * Registry of what runs.
   */
  observedKubeVirtRegistry?: string;
  /**
   * Version that runs.
   */
  observedKubeVirtVersion?: string;
  /**
   * Version of the operator.
   */
  operatorVersion?: string;
  /**
   * Guests whose launcher is of an older version.
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
   * Hash of those settings.
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
   * Guests that are stopped at once. Default: 10.
   */
  batchEvictionSize?: number;
  /**
   * Update methods: LiveMigrate and Evict. With both, guests that cannot be migrated are stopped. Default: none.
   */
  workloadUpdateMethods?: ('LiveMigrate' | 'Evict')[];
}

/**
 * Encrypted memory. At most one field.
 */
export interface LaunchSecurity {
  /**
   * AMD SEV.
   */
  sev?: SEV;
  /**
   * AMD SEV-SNP.
   */
  snp?: SEVSNP;
  /**
   * Intel TDX.
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
   * Most sockets and memory, as multiple of what the VM starts with. Default: 4.
   */
  maxHotplugRatio?: number;
}

/**
 * Log verbosity of each component. Default: 2.
 */
export interface LogVerbosity {
  /**
   * virt-handler on single nodes, by name of the node.
   */
  nodeVerbosity?: {
    [k: string]: number;
  };
  /**
   * virt-api.
   */
  virtAPI?: number;
  /**
   * virt-controller.
   */
  virtController?: number;
  /**
   * virt-handler.
   */
  virtHandler?: number;
  /**
   * virt-launcher.
   */
  virtLauncher?: number;
  /**
   * virt-operator.
   */
  virtOperator?: number;
  /**
   * virt-synchronization-controller.
   */
  virtSynchronizationController?: number;
}

/**
 * SCSI device that receives the guest's commands directly.
 */
export interface LunTarget {
  /**
   * Bus of the device: scsi or virtio; a guest with a LUN on another bus does not start. Default: sata; arm64 and s390x: virtio.
   */
  bus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Nothing may be written. Default: false.
   */
  readonly?: boolean;
  /**
   * SCSI-3 persistent reservations. Only with bus scsi.
   */
  reservation?: boolean;
}

/**
 * The machine.
 */
export interface Machine {
  /**
   * Such as q35 or pc-q35-9.0. Default: q35; arm64: virt; s390x: s390-ccw-virtio.
   */
  type?: string;
}

/**
 * Mediated devices that are made.
 */
export interface MediatedDevicesConfiguration {
  /**
   * Whether any are made and removed. Default: true.
   */
  enabled?: boolean;
  /**
   * Types for all nodes.
   */
  mediatedDeviceTypes?: string[];
  /**
   * Deprecated: use mediatedDeviceTypes.
   */
  mediatedDevicesTypes?: string[];
  /**
   * Types for certain nodes, in place of those for all.
   */
  nodeMediatedDeviceTypes?: NodeMediatedDeviceTypesConfig[];
}

/**
 * A mediated device that guests may have.
 */
export interface MediatedHostDevice {
  /**
   * Another device plugin offers it. Default: false.
   */
  externalResourceProvider?: boolean;
  /**
   * Name of its type: GRID T4-1Q.
   */
  mdevNameSelector: string;
  /**
   * Resource name: nvidia.com/GRID_T4-1Q.
   */
  resourceName: string;
}

/**
 * Memory of the guest.
 */
export interface Memory {
  /**
   * Memory that the guest sees, in bytes. Default: requests.memory, limits.memory.
   */
  guest?: Quantity;
  /**
   * Backs the guest by huge pages, which must divide its memory.
   */
  hugepages?: Hugepages;
  /**
   * Most memory after hotplug. Default: four times `guest`, from 1Gi on amd64.
   */
  maxGuest?: Quantity;
  /**
   * Memory of the Pod besides that of the guest.
   */
  reservedOverhead?: ReservedOverhead;
}

/**
 * A claim that takes a memory dump. Written by the platform.
 */
export interface MemoryDumpVolumeSource {
  /**
   * The claim, in the same namespace.
   */
  claimName: string;
  /**
   * Whether the volume can be unplugged while the guest runs.
   */
  hotpluggable?: boolean;
  /**
   * Nothing may be written. Default: false.
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
   * Now.
   */
  guestCurrent?: Quantity;
  /**
   * Memory after the hotplug in progress.
   */
  guestRequested?: Quantity;
  /**
   * Memory of the Pod besides.
   */
  memoryOverhead?: Quantity;
}

/**
 * Options for migrating a VM.
 */
export interface MigrateOptions {
  /**
   * Further labels that the target must have; where the VM names the same label, its value stays.
   */
  addedNodeSelector?: {
    [k: string]: string;
  };
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * Settings for migrations.
 */
export interface MigrationConfiguration {
  /**
   * Slows the guest until it converges. Default: false.
   */
  allowAutoConverge?: boolean;
  /**
   * Default: false.
   */
  allowPostCopy?: boolean;
  /**
   * Pause the guest, or use post-copy, once completionTimeoutPerGiB has passed. Default: as allowPostCopy.
   */
  allowWorkloadDisruption?: boolean;
  /**
   * Bytes per second; 0 is unlimited. Default: 0.
   */
  bandwidthPerMigration?: Quantity;
  /**
   * Seconds. Default: 150.
   */
  completionTimeoutPerGiB?: number;
  /**
   * Migrations are not encrypted. Default: false.
   */
  disableTLS?: boolean;
  /**
   * The target gets an SELinux level of its own. Default: false, that of the source.
   */
  matchSELinuxLevelOnMigration?: boolean;
  /**
   * Milliseconds. Default: 900.
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
   * Default: 5.
   */
  parallelMigrationsPerCluster?: number;
  /**
   * Default: 2.
   */
  parallelOutboundMigrationsPerNode?: number;
  /**
   * Seconds without progress. Default: 150.
   */
  progressTimeout?: number;
  /**
   * Migrate also where libvirt holds it for unsafe. Default: false.
   */
  unsafeMigrationOverride?: boolean;
  /**
   * Seconds that a migration waits for utility volumes to be gone. Default: 150.
   */
  utilityVolumesTimeout?: number;
}

/**
 * A network that Multus attaches.
 */
export interface MultusNetwork {
  /**
   * Whether this network replaces the Pod network. Default: false.
   */
  default?: boolean;
  /**
   * Name, or namespace/name.
   */
  networkName: string;
}

/**
 * NUMA layout of the guest.
 */
export interface NUMA {
  /**
   * That of the node's CPUs which the guest has; needs dedicated CPUs and huge pages.
   */
  guestMappingPassthrough?: NUMAGuestMappingPassthrough;
}

/**
 * The node's layout.
 */
export type NUMAGuestMappingPassthrough = object;

/**
 * A network that interfaces refer to. Exactly one source.
 */
export interface Network {
  /**
   * Deprecated: a network that CNI-Genie attaches; use multus.
   */
  genie?: GenieNetwork;
  /**
   * A NetworkAttachmentDefinition.
   */
  multus?: MultusNetwork;
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * The Pod's own network. At most one.
   */
  pod?: PodNetwork;
  /**
   * A device of a claim of dynamic resource allocation.
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
   * bridge or masquerade, for VMs that name no network. Default: bridge.
   */
  defaultNetworkInterface?: string;
  /**
   * Default: true.
   */
  permitBridgeInterfaceOnPodNetwork?: boolean;
  /**
   * Default: false.
   */
  permitSlirpInterface?: boolean;
}

/**
 * Keys go into the NoCloud disk.
 */
export type NoCloudSSHPublicKeyAccessCredentialPropagation = object;

/**
 * Mediated devices of certain nodes.
 */
export interface NodeMediatedDeviceTypesConfig {
  /**
   * The types.
   */
  mediatedDeviceTypes?: string[];
  /**
   * Deprecated: use mediatedDeviceTypes.
   */
  mediatedDevicesTypes?: string[];
  /**
   * The nodes, by labels.
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
   * Near to what, away from what.
   */
  affinity?: Affinity;
  /**
   * Nodes, by labels.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Taints that are borne.
   */
  tolerations?: Toleration[];
}

/**
 * An object, and those that belong to it.
 */
export interface ObjectGraphNode {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * Objects that belong to it.
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
   * The object.
   */
  objectReference: TypedObjectReference;
  /**
   * The parent can do without it.
   */
  optional?: boolean;
}

/**
 * Selection of the objects to show.
 */
export interface ObjectGraphOptions {
  /**
   * Also those that the VM can do without. Default: true.
   */
  includeOptionalNodes?: boolean;
  /**
   * Only those whose labels match.
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
 * A device that reports a crash of the guest.
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
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * A PCI device that guests may have.
 */
export interface PciHostDevice {
  /**
   * Another device plugin offers it. Default: false.
   */
  externalResourceProvider?: boolean;
  /**
   * VENDOR:PRODUCT in hexadecimal: 10DE:1EB8.
   */
  pciVendorSelector: string;
  /**
   * Resource name: nvidia.com/TU104GL_Tesla_T4.
   */
  resourceName: string;
}

/**
 * Devices of nodes that guests may have.
 */
export interface PermittedHostDevices {
  /**
   * Mediated devices.
   */
  mediatedDevices?: MediatedHostDevice[];
  /**
   * PCI devices.
   */
  pciHostDevices?: PciHostDevice[];
  /**
   * USB devices.
   */
  usb?: USBHostDevice[];
}

/**
 * SCSI persistent reservations.
 */
export interface PersistentReservationConfiguration {
  /**
   * Whether LUNs may have them. Default: false.
   */
  enabled?: boolean | null;
}

/**
 * A claim in use.
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
   * Name of the referenced object.
   */
  claimName?: string;
  /**
   * Part of the file system that the disk cannot use: 0 to 1, as text.
   */
  filesystemOverhead?: string;
  /**
   * Whether the space is preallocated.
   */
  preallocated?: boolean;
  /**
   * Size that was asked for.
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
 * A claim as a volume.
 */
export interface PersistentVolumeClaimVolumeSource {
  /**
   * The claim, in the same namespace.
   */
  claimName: string;
  /**
   * Whether the volume can be unplugged while the guest runs. Default: false.
   */
  hotpluggable?: boolean;
  /**
   * Nothing may be written. Default: false.
   */
  readOnly?: boolean;
}

/**
 * A binding of the KubeVirt object's network configuration.
 */
export interface PluginBinding {
  /**
   * Name of the referenced object.
   */
  name: string;
}

/**
 * The Pod's own network.
 */
export interface PodNetwork {
  /**
   * IPv6 network of the guest. Default: fd10:0:2::/120.
   */
  vmIPv6NetworkCIDR?: string;
  /**
   * Range that the guest is in behind NAT. Default: 10.0.2.0/24.
   */
  vmNetworkCIDR?: string;
}

/**
 * A port that leads into the guest.
 */
export interface Port {
  /**
   * Name of the port, for Services.
   */
  name?: string;
  /**
   * 1 to 65535.
   */
  port: number;
  /**
   * Default: TCP.
   */
  protocol?: 'TCP' | 'UDP';
}

/**
 * Ports that lead into the guest.
 */
export interface PortRange {
  /**
   * Last port, up to 65535.
   */
  end: number;
  /**
   * TCP or UDP.
   */
  protocol: string;
  /**
   * First port, from 1.
   */
  start: number;
}

/**
 * The preference that a VM refers to.
 */
export interface PreferenceMatcher {
  /**
   * Volume whose labels name the preference; the webhook replaces this by name and kind.
   */
  inferFromVolume?: string;
  /**
   * Whether a VM is rejected when the volume has no such labels. Default: Reject.
   */
  inferFromVolumeFailurePolicy?: 'Reject' | 'Ignore';
  /**
   * VirtualMachinePreference or VirtualMachineClusterPreference. Default: VirtualMachineClusterPreference.
   */
  kind?: string;
  /**
   * Name of the referenced object.
   */
  name?: string;
  /**
   * ControllerRevision with the copy in use. Written by the controller.
   */
  revisionName?: string;
}

/**
 * Health check of the guest. Exactly one handler must be set.
 */
export interface Probe {
  /**
   * A command that the guest agent runs.
   */
  exec?: ExecAction;
  /**
   * Failures in a row that count. Default: 3.
   */
  failureThreshold?: number;
  /**
   * The guest agent answers.
   */
  guestAgentPing?: GuestAgentPing;
  /**
   * An HTTP request.
   */
  httpGet?: HTTPGetAction;
  /**
   * Seconds before the first try.
   */
  initialDelaySeconds?: number;
  /**
   * Seconds between tries. Default: 10.
   */
  periodSeconds?: number;
  /**
   * Successes in a row that count. Default: 1.
   */
  successThreshold?: number;
  /**
   * A TCP connection.
   */
  tcpSocket?: TCPSocketAction;
  /**
   * Default: 1.
   */
  timeoutSeconds?: number;
}

/**
 * Keys are written by the guest agent, also later changes.
 */
export interface QemuGuestAgentSSHPublicKeyAccessCredentialPropagation {
  /**
   * Users whose authorized_keys are written.
   */
  users: string[];
}

/**
 * Passwords are set by the guest agent, also later changes.
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
 * Realtime scheduling of vCPUs; needs dedicated CPUs and huge pages.
 */
export interface Realtime {
  /**
   * The vCPUs: 0-3,^1. Default: all.
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
 * A disk that is unplugged.
 */
export interface RemoveVolumeOptions {
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Name of disk and volume.
   */
  name: string;
}

/**
 * Memory of the Pod besides that of the guest.
 */
export interface ReservedOverhead {
  /**
   * Memory that is added to the computed overhead.
   */
  addedOverhead?: Quantity;
  /**
   * Whether all memory must stay in RAM, as some devices need it.
   */
  memLock?: 'NotRequired' | 'Required';
}

/**
 * CPU and memory of the Pod.
 */
export interface ResourceRequirements {
  /**
   * Most CPU and memory.
   */
  limits?: {
    [k: string]: Quantity;
  };
  /**
   * Do not request memory for what runs beside the guest.
   */
  overcommitGuestOverhead?: boolean;
  /**
   * Least CPU and memory. Default: a tenth of each vCPU; memory with overhead.
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
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Seconds that the guest has to shut down; 0 kills it. Default: terminationGracePeriodSeconds.
   */
  gracePeriodSeconds?: number;
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * A random number generator.
 */
export type Rng = object;

/**
 * AMD SEV.
 */
export interface SEV {
  /**
   * The guest waits for its owner's approval.
   */
  attestation?: SEVAttestation;
  /**
   * The owner's Diffie-Hellman key, in base64.
   */
  dhCert?: string;
  /**
   * Policy of the guest.
   */
  policy?: SEVPolicy;
  /**
   * The session, in base64.
   */
  session?: string;
}

/**
 * The guest waits for its owner's approval.
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
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * Build of the host's firmware.
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
   * Measurement of the launch, in base64.
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
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * The host's certificates, in base64.
   */
  certChain?: string;
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * The host's Diffie-Hellman key, in base64.
   */
  pdh?: string;
}

/**
 * Policy of the guest. Debugging is always disabled.
 */
export interface SEVPolicy {
  /**
   * Also registers are encrypted (SEV-ES). Default: false.
   */
  encryptedState?: boolean;
}

/**
 * AMD SEV-SNP.
 */
export type SEVSNP = object;

/**
 * A secret for the waiting guest.
 */
export interface SEVSecretOptions {
  /**
   * Header of the secret, base64-encoded.
   */
  header?: string;
  /**
   * The encrypted secret, in base64.
   */
  secret?: string;
}

/**
 * A session for the waiting guest.
 */
export interface SEVSessionOptions {
  /**
   * The owner's Diffie-Hellman key, in base64.
   */
  dhCert?: string;
  /**
   * The session, in base64.
   */
  session?: string;
}

/**
 * SMBIOS information that guests see.
 */
export interface SMBiosConfiguration {
  /**
   * Family. Default: KubeVirt.
   */
  family?: string;
  /**
   * Manufacturer. Default: KubeVirt.
   */
  manufacturer?: string;
  /**
   * Product. Default: None.
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
   * Secret; each value is one or more keys.
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
 * Files of a Secret, as a disk or file system.
 */
export interface SecretVolumeSource {
  /**
   * Whether the object may be missing. Default: false.
   */
  optional?: boolean;
  /**
   * The Secret, in the same namespace.
   */
  secretName?: string;
  /**
   * Label of the disk: cidata, config-2, OEMDRV.
   */
  volumeLabel?: string;
}

/**
 * Token and certificate of a ServiceAccount, as a disk or file system.
 */
export interface ServiceAccountVolumeSource {
  /**
   * The ServiceAccount, in the same namespace.
   */
  serviceAccountName?: string;
}

/**
 * A sound device.
 */
export interface SoundDevice {
  /**
   * Model of the sound device. Default: ich9.
   */
  model?: 'ich9' | 'ac97';
  /**
   * Name of the referenced object.
   */
  name: string;
}

/**
 * Detection of stalled migrations and the reaction to them. Alpha.
 */
export interface StallDetectorOptions {
  /**
   * Factor of the time that a migration may take before a switch is forced. Default: 2.
   */
  completionTimeoutFactor?: Quantity;
  /**
   * Weight of the newest sample of the bandwidth, above 0 up to 1. Default: 0.4.
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
   * Wait until little is left before a switch is forced. Default: true.
   */
  searchLocalMinima?: boolean;
  /**
   * Percent by which what is left must shrink to count as progress. Default: 4.
   */
  stallMargin?: number;
  /**
   * Seconds that are looked at. Default: 40.
   */
  stallProgressTimeout?: number;
  /**
   * Seconds that a forced switch may take. Default: 60.
   */
  switchoverTimeout?: number;
}

/**
 * Options for starting a VM.
 */
export interface StartOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * The guest waits to be unpaused. Default: false.
   */
  paused?: boolean;
}

/**
 * Options for stopping a VM.
 */
export interface StopOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Seconds that the guest has to shut down; 0 kills it. Default: terminationGracePeriodSeconds.
   */
  gracePeriod?: number;
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * A volume that moves to another claim.
 */
export interface StorageMigratedVolumeInfo {
  /**
   * The new claim.
   */
  destinationPVCInfo?: PersistentVolumeClaimInfo;
  /**
   * The old claim.
   */
  sourcePVCInfo?: PersistentVolumeClaimInfo;
  /**
   * The volume.
   */
  volumeName: string;
}

/**
 * CPU and memory of one sort of containers.
 */
export interface SupportContainerResources {
  /**
   * CPU and memory.
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
   * Whether timers interrupt directly.
   */
  direct?: FeatureState;
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
}

/**
 * Answers for the setup of Windows, on a CD-ROM. Exactly one field.
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
 * Intel TDX.
 */
export type TDX = object;

/**
 * Attestation of guests.
 */
export interface TDXAttestationConfiguration {
  /**
   * Guests only run where the quote service is.
   */
  enforced?: boolean;
  /**
   * Socket of the quote service.
   */
  qgsSocketPath?: string;
}

/**
 * Intel TDX.
 */
export interface TDXConfiguration {
  /**
   * Attestation of guests.
   */
  attestation?: TDXAttestationConfiguration;
}

/**
 * Flushes of other CPUs' TLBs.
 */
export interface TLBFlush {
  /**
   * Nested guests ask the host directly.
   */
  direct?: FeatureState;
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
  /**
   * Parts of the TLB can be flushed.
   */
  extended?: FeatureState;
}

/**
 * TLS versions and ciphers of the servers.
 */
export interface TLSConfiguration {
  /**
   * Ciphers of TLS 1.2 and before, by OpenSSL's names.
   */
  ciphers?: string[];
  /**
   * Least version. Default: VersionTLS12.
   */
  minTLSVersion?: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
}

/**
 * A TPM, emulated by swtpm.
 */
export interface TPMDevice {
  /**
   * false keeps it out, also when a preference has one. Default: true.
   */
  enabled?: boolean;
  /**
   * Keeps its state over restarts.
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
   * Clock of the hypervisor, for Windows.
   */
  hyperv?: HypervTimer;
  /**
   * Clock of KVM, for Linux.
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
 * Requests to the API server.
 */
export interface TokenBucketRateLimiter {
  /**
   * At once, at most; 0 is the component's own.
   */
  burst: number;
  /**
   * A second, on average; 0 is the component's own.
   */
  qps: number;
}

/**
 * Node requirements for the scheduler.
 */
export interface TopologyHints {
  /**
   * TSC frequency in Hz that the guest was promised.
   */
  tscFrequency?: number;
}

/**
 * USB devices that guests may have.
 */
export interface USBHostDevice {
  /**
   * Another device plugin offers them. Default: false.
   */
  externalResourceProvider?: boolean;
  /**
   * Their resource: kubevirt.io/storage.
   */
  resourceName: string;
  /**
   * The devices; all of them together are one.
   */
  selectors?: USBSelector[];
}

/**
 * A USB device.
 */
export interface USBSelector {
  /**
   * Product, in hexadecimal: 5678.
   */
  product: string;
  /**
   * Vendor, in hexadecimal: 1234.
   */
  vendor: string;
}

/**
 * Options for unpausing an instance.
 */
export interface UnpauseOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
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
   * Secret; key is the user, value the password.
   */
  secret?: AccessCredentialSecretSource;
}

/**
 * Claim that the platform uses internally. Not visible to the guest.
 */
export interface UtilityVolume {
  /**
   * The claim, in the same namespace.
   */
  claimName: string;
  /**
   * Name of the volume, unique among all volumes.
   */
  name: string;
  /**
   * Nothing may be written. Default: false.
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
   * Whether it has one. Default: true.
   */
  enabled?: boolean;
  /**
   * A picture before the guest's driver runs. Default: on.
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
 * Settings of one migration, as put together from the KubeVirt object and a policy.
 */
export interface VMIMConfigurationOptions {
  /**
   * Slow the guest's CPUs down when it writes memory faster than it can be sent.
   */
  allowAutoConverge?: boolean;
  /**
   * Let the guest run on at the target while memory is still being fetched.
   */
  allowPostCopy?: boolean;
  /**
   * Pause the guest, or use post-copy, once time is up.
   */
  allowWorkloadDisruption?: boolean;
  /**
   * Bandwidth in bytes per second; 0 means unlimited.
   */
  bandwidthPerMigration?: Quantity;
  /**
   * Seconds for each GiB.
   */
  completionTimeoutPerGiB?: number;
  /**
   * The migration is not encrypted.
   */
  disableTLS?: boolean;
  /**
   * Settings that may change or vanish.
   */
  experimental?: ExperimentalMigrationOptions;
  /**
   * The target gets an SELinux level of its own.
   */
  matchSELinuxLevelOnMigration?: boolean;
  /**
   * Milliseconds for which the guest may stand still at the end.
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
   * Migrations at once in the cluster.
   */
  parallelMigrationsPerCluster?: number;
  /**
   * Migrations at once away from one node.
   */
  parallelOutboundMigrationsPerNode?: number;
  /**
   * Seconds without progress before it is aborted.
   */
  progressTimeout?: number;
  /**
   * Migrate also where libvirt holds it for unsafe.
   */
  unsafeMigrationOverride?: boolean;
  /**
   * Seconds that it waits for utility volumes to be gone.
   */
  utilityVolumesTimeout?: number;
}

/**
 * The video device.
 */
export interface VideoDevice {
  /**
   * Type of the video device. Default: on amd64 vga with BIOS and bochs with EFI, otherwise virtio.
   */
  type?: 'virtio' | 'vga' | 'bochs' | 'ramfb' | 'cirrus';
}

/**
 * Templates of VMs.
 */
export interface VirtTemplateDeployment {
  /**
   * Whether what serves them is installed. Default: true, with the gate Template.
   */
  enabled?: boolean | null;
}

/**
 * A virtual machine that is kept: what it is made of, and when it runs.
 */
export interface VirtualMachine extends KubeObject {
  /**
   * Template and run strategy of the VM.
   */
  spec: VirtualMachineSpec;
  /**
   * Observed state of a VM.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Failure, Ready, Paused, RestartRequired or ManualRecoveryRequired; also those of the running instance.
   */
  type: string;
}

/**
 * A running guest. The status is written with the object: there is no status subresource.
 */
export interface VirtualMachineInstance extends KubeObject {
  /**
   * A guest: its machine, disks, networks, and where it runs.
   */
  spec: VirtualMachineInstanceSpec;
  /**
   * Observed state of an instance.
   */
  status?: VirtualMachineInstanceStatus;
}

/**
 * A backup of the instance.
 */
export interface VirtualMachineInstanceBackupStatus {
  /**
   * Message for people.
   */
  backupMsg?: string;
  /**
   * The VirtualMachineBackup.
   */
  backupName?: string;
  /**
   * Checkpoint that it made.
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
   * The volumes in it.
   */
  volumes?: VirtualMachineInstanceBackupVolumeInfo[];
}

/**
 * A volume in a backup.
 */
export interface VirtualMachineInstanceBackupVolumeInfo {
  /**
   * The volume's name in the instance.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Provisioning, Ready, Synchronized, Paused, AgentConnected, AccessCredentialsSynchronized, AgentVersionNotSupported, LiveMigratable, StorageLiveMigratable, HotVCPUChange, HotMemoryChange, VolumesChange, DataVolumesReady, MigrationRequired, EvictionRequested, DecentralizedLiveMigrationFailure or SoftwareEmulation.
   */
  type: string;
}

/**
 * A file system in the guest.
 */
export interface VirtualMachineInstanceFileSystem {
  /**
   * The disks that it is on.
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
 * A disk under a file system.
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
   * The file systems.
   */
  disks: VirtualMachineInstanceFileSystem[];
}

/**
 * File systems in the guest.
 */
export interface VirtualMachineInstanceFileSystemList {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * The file systems.
   */
  items: VirtualMachineInstanceFileSystem[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Empty.
   */
  metadata?: object;
}

/**
 * Information that the guest agent reports.
 */
export interface VirtualMachineInstanceGuestAgentInfo {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * frozen while file systems are frozen on request.
   */
  fsFreezeStatus?: string;
  /**
   * File systems.
   */
  fsInfo?: VirtualMachineInstanceFileSystemInfo;
  /**
   * Version of the agent.
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
   * Operating system.
   */
  os?: VirtualMachineInstanceGuestOSInfo;
  /**
   * Commands of the agent.
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
   * Short name: debian.
   */
  id?: string;
  /**
   * Release of the kernel.
   */
  kernelRelease?: string;
  /**
   * Version of the kernel.
   */
  kernelVersion?: string;
  /**
   * Architecture: x86_64.
   */
  machine?: string;
  /**
   * Name of the referenced object.
   */
  name?: string;
  /**
   * Name and version.
   */
  prettyName?: string;
  /**
   * Version, for people.
   */
  version?: string;
  /**
   * Version as a number.
   */
  versionId?: string;
}

/**
 * A user who is logged in.
 */
export interface VirtualMachineInstanceGuestOSUser {
  /**
   * Domain, on Windows.
   */
  domain?: string;
  /**
   * Seconds since 1970 of the first login.
   */
  loginTime?: number;
  /**
   * Name.
   */
  userName: string;
}

/**
 * Users who are logged in.
 */
export interface VirtualMachineInstanceGuestOSUserList {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * The users.
   */
  items: VirtualMachineInstanceGuestOSUser[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Empty.
   */
  metadata?: object;
}

/**
 * Moves a running instance to another node. Deleting it cancels the move.
 */
export interface VirtualMachineInstanceMigration extends KubeObject {
  /**
   * Instance to migrate and its target. Immutable except for priority.
   */
  spec: VirtualMachineInstanceMigrationSpec;
  /**
   * Progress of the operation.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * migrationAbortRequested, migrationRejectedByResourceQuota, migrationBlockedByUtilityVolumes, migrationBlockedByBackup or decentralizedMigrationBlocked.
   */
  type: string;
}

/**
 * Time at which a migration entered a phase.
 */
export interface VirtualMachineInstanceMigrationPhaseTransitionTimestamp {
  /**
   * The phase.
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
   * The time.
   */
  phaseTransitionTimestamp?: Time;
}

/**
 * This is the source's side of a move to another namespace or cluster.
 */
export interface VirtualMachineInstanceMigrationSource {
  /**
   * URL of the target's synchronization controller.
   */
  connectURL: string;
  /**
   * Name that both sides have for the move.
   */
  migrationID: string;
}

/**
 * State of a migration at the source.
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
   * The node.
   */
  node?: string;
  /**
   * Labels that the target's node must have.
   */
  nodeSelectors?: {
    [k: string]: string;
  };
  /**
   * Claim with TPM and EFI state.
   */
  persistentStatePVCName?: string;
  /**
   * The launcher's Pod.
   */
  pod?: string;
  /**
   * SELinux context of the Pod.
   */
  selinuxContext?: string;
  /**
   * HOST:PORT at which the sides talk.
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
   * Further labels that the target must have; where the instance names the same label, its value stays.
   */
  addedNodeSelector?: {
    [k: string]: string;
  };
  /**
   * Rank in the queue, highest first; without it behind all others. Only the platform may set it.
   */
  priority?: 'system-critical' | 'user-triggered' | 'system-maintenance';
  /**
   * This is the target's side of a move from another namespace or cluster.
   */
  receive?: VirtualMachineInstanceMigrationTarget;
  /**
   * This is the source's side of a move to another namespace or cluster.
   */
  sendTo?: VirtualMachineInstanceMigrationSource;
  /**
   * The instance, in the same namespace.
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
   * Whether the operation has ended.
   */
  completed?: boolean;
  /**
   * End time.
   */
  endTimestamp?: Time | null;
  /**
   * Whether the operation failed.
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
   * Policy that its settings come from.
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
   * Node that it leaves.
   */
  sourceNode?: string;
  /**
   * Claim with TPM and EFI state at the source.
   */
  sourcePersistentStatePVCName?: string;
  /**
   * Pod that it leaves.
   */
  sourcePod?: string;
  /**
   * State at the source.
   */
  sourceState?: VirtualMachineInstanceMigrationSourceState;
  /**
   * Start time.
   */
  startTimestamp?: Time | null;
  /**
   * UID of the Pod that brings hotplugged volumes to the target.
   */
  targetAttachmentPodUID?: string;
  /**
   * Dedicated CPUs at the target.
   */
  targetCPUSet?: number[];
  /**
   * Ports that the target listens on.
   */
  targetDirectMigrationNodePorts?: {
    [k: string]: number;
  };
  /**
   * Memory of the target's Pod besides the guest's.
   */
  targetMemoryOverhead?: Quantity;
  /**
   * Target node.
   */
  targetNode?: string;
  /**
   * Address of that node.
   */
  targetNodeAddress?: string;
  /**
   * The domain was seen at the target.
   */
  targetNodeDomainDetected?: boolean;
  /**
   * Time at which the domain was ready at the target.
   */
  targetNodeDomainReadyTimestamp?: Time;
  /**
   * NUMA layout at the target, as JSON.
   */
  targetNodeTopology?: string;
  /**
   * Claim with TPM and EFI state at the target.
   */
  targetPersistentStatePVCName?: string;
  /**
   * Name of the target Pod.
   */
  targetPod?: string;
  /**
   * State at the target.
   */
  targetState?: VirtualMachineInstanceMigrationTargetState;
}

/**
 * Progress of the operation.
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
   * Phase of the operation.
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
   * HOST:PORT at which the sides talk.
   */
  synchronizationAddresses?: string[];
}

/**
 * This is the target's side of a move from another namespace or cluster.
 */
export interface VirtualMachineInstanceMigrationTarget {
  /**
   * Name that both sides have for the move.
   */
  migrationID: string;
}

/**
 * State of a migration at the target.
 */
export interface VirtualMachineInstanceMigrationTargetState {
  /**
   * UID of the Pod that brings hotplugged volumes.
   */
  attachmentPodUID?: string;
  /**
   * Dedicated CPUs.
   */
  cpuSet?: number[];
  /**
   * Ports that it listens on.
   */
  directMigrationNodePorts?: {
    [k: string]: number;
  };
  /**
   * The domain was seen.
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
   * The node.
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
   * Claim with TPM and EFI state.
   */
  persistentStatePVCName?: string;
  /**
   * The launcher's Pod.
   */
  pod?: string;
  /**
   * SELinux context of the Pod.
   */
  selinuxContext?: string;
  /**
   * HOST:PORT at which the sides talk.
   */
  syncAddress?: string;
  /**
   * UID of the instance.
   */
  virtualMachineInstanceUID?: string;
}

/**
 * An interface of the running guest.
 */
export interface VirtualMachineInstanceNetworkInterface {
  /**
   * Who knows of it: domain, guest-agent, multus-status; several with commas.
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
   * All its addresses.
   */
  ipAddresses?: string[];
  /**
   * up or down.
   */
  linkState?: string;
  /**
   * MAC address of the interface.
   */
  mac?: string;
  /**
   * Name of its network.
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
   * The phase.
   */
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | 'WaitingForSync';
  /**
   * The time.
   */
  phaseTransitionTimestamp?: Time;
}

/**
 * Deprecated: use instancetypes and preferences. Fields that matching instances get at their creation.
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
   * The instances, by labels.
   */
  selector: LabelSelector;
}

/**
 * Seccomp profile of launchers.
 */
export interface VirtualMachineInstanceProfile {
  /**
   * A profile of your own.
   */
  customProfile?: CustomProfile;
}

/**
 * Keeps a number of equal instances running, without VMs.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * ReplicaFailure or ReplicaPaused.
   */
  type: string;
}

/**
 * Number and template of the instances.
 */
export interface VirtualMachineInstanceReplicaSetSpec {
  /**
   * The controller leaves the set alone. Default: false.
   */
  paused?: boolean;
  /**
   * Instances that it has. Default: 1.
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
   * The selector as text, for the scale subresource.
   */
  labelSelector?: string;
  /**
   * Instances that are ready.
   */
  readyReplicas?: number;
  /**
   * Instances that exist.
   */
  replicas?: number;
} | null;

/**
 * A claim of dynamic resource allocation. Exactly one of resourceClaimName and resourceClaimTemplateName.
 */
export interface VirtualMachineInstanceResourceClaim {
  /**
   * Name of the device in this VM.
   */
  name: string;
  /**
   * A ResourceClaim in the same namespace.
   */
  resourceClaimName?: string;
  /**
   * A ResourceClaimTemplate in the same namespace; each Pod gets a claim of its own.
   */
  resourceClaimTemplateName?: string;
}

/**
 * A guest: its machine, disks, networks, and where it runs.
 */
export interface VirtualMachineInstanceSpec {
  /**
   * Keys and passwords from Secrets, and how they reach the guest.
   */
  accessCredentials?: AccessCredential[];
  /**
   * Affinity of the Pod, as in a Pod.
   */
  affinity?: Affinity;
  /**
   * CPU architecture of the guest. Default: the platform's, amd64.
   */
  architecture?: 'amd64' | 'arm64' | 's390x';
  /**
   * Name servers and search domains, given to the guest by DHCP. As in a Pod.
   */
  dnsConfig?: PodDNSConfig;
  /**
   * DNS policy, as in a Pod. Default: ClusterFirst.
   */
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';
  /**
   * The machine that the guest sees.
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
   * Networks to attach to; each is joined to the interface of its name. Default: the Pod network.
   */
  networks?: Network[];
  /**
   * Labels that the node must have.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Priority of the Pod.
   */
  priorityClassName?: string;
  /**
   * While it fails, Services do not lead to the guest.
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
   * Paused: the guest's CPUs wait for unpause. Default: it runs.
   */
  startStrategy?: 'Paused';
  /**
   * With `hostname`: the DNS name below a headless Service of this name.
   */
  subdomain?: string;
  /**
   * Seconds to shut down before the guest is killed. Default: 30.
   */
  terminationGracePeriodSeconds?: number;
  /**
   * Taints that the Pod may ignore.
   */
  tolerations?: Toleration[];
  /**
   * Distribution of Pods over zones and nodes, as in a Pod.
   */
  topologySpreadConstraints?: TopologySpreadConstraint[];
  /**
   * Claims for the launcher's own use, unseen by the guest.
   */
  utilityVolumes?: UtilityVolume[];
  /**
   * Volumes for disks and shared file systems; each is matched to a disk or file system by name.
   */
  volumes?: Volume[];
}

/**
 * Observed state of an instance.
 */
export interface VirtualMachineInstanceStatus {
  /**
   * Address of the guest for VSOCK, from 3.
   */
  VSOCKCID?: number;
  /**
   * Launcher Pods by uid, with the node of each.
   */
  activePods?: {
    [k: string]: string;
  };
  /**
   * Whether changed blocks are tracked.
   */
  changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /**
   * Current conditions.
   */
  conditions?: VirtualMachineInstanceCondition[];
  /**
   * Topology that the guest runs with; the spec may have moved on.
   */
  currentCPUTopology?: CPUTopology;
  /**
   * Node that the guest should leave.
   */
  evacuationNodeName?: string;
  /**
   * frozen while file systems are frozen on request.
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
   * Kernel and ramdisk in use.
   */
  kernelBootStatus?: KernelBootStatus;
  /**
   * Image of its launcher.
   */
  launcherContainerImageVersion?: string;
  /**
   * Machine type in use.
   */
  machine?: Machine;
  /**
   * Guest memory at boot, now, and as last asked for.
   */
  memory?: MemoryStatus;
  /**
   * Volumes that move to other claims.
   */
  migratedVolumes?: StorageMigratedVolumeInfo[];
  /**
   * Whether its disks must be copied when it migrates.
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
   * Node that the guest runs on.
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
   * Quality of service of its Pod.
   */
  qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort';
  /**
   * Reason for the phase as one CamelCase word.
   */
  reason?: string;
  /**
   * User id that QEMU runs as. 107, or 0 with gate Root.
   */
  runtimeUser?: number;
  /**
   * SELinux context of its Pod.
   */
  selinuxContext?: string;
  /**
   * Node requirements that the scheduler had to meet.
   */
  topologyHints?: TopologyHints;
  /**
   * ControllerRevision of the VM that it was started from.
   */
  virtualMachineRevisionName?: string;
  /**
   * State of the volumes.
   */
  volumeStatus?: VolumeStatus[];
}

/**
 * An instance without a name.
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
 * A memory dump of the VM.
 */
export interface VirtualMachineMemoryDumpRequest {
  /**
   * Claim that takes it.
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
   * Reason for the failure, for people.
   */
  message?: string;
  /**
   * Progress of the operation.
   */
  phase: 'Associating' | 'InProgress' | 'Unmounting' | 'Completed' | 'Dissociating' | 'Failed';
  /**
   * The claim is to be let go.
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
   * Disks that are made with the VM and deleted with it; each must be named by a volume.
   */
  dataVolumeTemplates?: (DataVolumeTemplateSpec | null)[];
  /**
   * Sizing by reference. It must not set a field that the template sets too.
   */
  instancetype?: InstancetypeMatcher;
  /**
   * Device and firmware defaults by reference. Fields of the template win.
   */
  preference?: PreferenceMatcher;
  /**
   * Run strategy. Always: restart the guest whenever it ends. RerunOnFailure: restart it only after a failure. Once: run it once. Manual: start and stop it by command. Halted: do not run it.
   */
  runStrategy?: 'Always' | 'RerunOnFailure' | 'Manual' | 'Halted' | 'Once' | 'WaitAsReceiver';
  /**
   * Deprecated for `runStrategy`: true is Always, false is Halted.
   */
  running?: boolean;
  /**
   * The instance that is created when the VM starts.
   */
  template: VirtualMachineInstanceTemplateSpec;
  /**
   * Treatment of changed volumes of a running guest. Default: Replacement, at the next start.
   */
  updateVolumesStrategy?: 'Replacement' | 'Migration';
}

/**
 * Starts that failed in a row.
 */
export interface VirtualMachineStartFailure {
  /**
   * Number of consecutive failed starts.
   */
  consecutiveFailCount?: number;
  /**
   * UID of the last instance.
   */
  lastFailedVMIUID?: string;
  /**
   * Time of the next start attempt.
   */
  retryAfterTimestamp?: Time;
}

/**
 * A start or stop that somebody asked for.
 */
export interface VirtualMachineStateChangeRequest {
  /**
   * Requested action.
   */
  action: 'Start' | 'Stop';
  /**
   * Details: `paused: "true"`.
   */
  data?: {
    [k: string]: string;
  };
  /**
   * UID of the instance that it is meant for.
   */
  uid?: string;
}

/**
 * Observed state of a VM.
 */
export interface VirtualMachineStatus {
  /**
   * Whether changed blocks are tracked.
   */
  changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /**
   * Current conditions.
   */
  conditions?: VirtualMachineCondition[];
  /**
   * The instance exists.
   */
  created?: boolean;
  /**
   * Generation that the instance should be of.
   */
  desiredGeneration?: number;
  /**
   * The instancetype in use.
   */
  instancetypeRef?: InstancetypeStatusRef | null;
  /**
   * A memory dump.
   */
  memoryDumpRequest?: VirtualMachineMemoryDumpRequest | null;
  /**
   * Generation that the instance was started from.
   */
  observedGeneration?: number;
  /**
   * The preference in use.
   */
  preferenceRef?: InstancetypeStatusRef | null;
  /**
   * One word for people: what `kubectl get vm` shows.
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
   * The guest runs and is ready.
   */
  ready?: boolean;
  /**
   * Name of the restore that keeps the VM from starting.
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
   * Commands that wait to be carried out.
   */
  stateChangeRequests?: VirtualMachineStateChangeRequest[];
  /**
   * Disks that are being plugged in or out.
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
 * A disk that is plugged in or out. Exactly one field.
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
   * Configuration for cloud-init's ConfigDrive source.
   */
  cloudInitConfigDrive?: CloudInitConfigDriveSource;
  /**
   * Configuration for cloud-init's NoCloud source.
   */
  cloudInitNoCloud?: CloudInitNoCloudSource;
  /**
   * A small disk with the files of a ConfigMap.
   */
  configMap?: ConfigMapVolumeSource;
  /**
   * A disk inside a container image. Writes last until the guest stops.
   */
  containerDisk?: ContainerDiskSource;
  /**
   * A path in the launcher's container, for virtiofs.
   */
  containerPath?: ContainerPathVolumeSource;
  /**
   * A DataVolume; the guest waits until it is filled.
   */
  dataVolume?: DataVolumeSource;
  /**
   * A small disk with fields of the instance.
   */
  downwardAPI?: DownwardAPIVolumeSource;
  /**
   * Metrics of the host on a small disk.
   */
  downwardMetrics?: DownwardMetricsVolumeSource;
  /**
   * An empty disk that lasts until the guest stops.
   */
  emptyDisk?: EmptyDiskSource;
  /**
   * A claim that is only read; writes last until the guest stops.
   */
  ephemeral?: EphemeralVolumeSource;
  /**
   * A file on the node. Gate HostDisk.
   */
  hostDisk?: HostDisk;
  /**
   * A claim that takes a memory dump. Written by the platform.
   */
  memoryDump?: MemoryDumpVolumeSource;
  /**
   * DNS label, unique in the VM.
   */
  name: string;
  /**
   * PersistentVolumeClaim: its file disk.img, or the block device itself.
   */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /**
   * A small disk with the files of a Secret.
   */
  secret?: SecretVolumeSource;
  /**
   * A small disk with the service account's token. At most one.
   */
  serviceAccount?: ServiceAccountVolumeSource;
  /**
   * Answer file for Windows' setup.
   */
  sysprep?: SysprepSource;
}

/**
 * Volumes that move to other claims.
 */
export interface VolumeMigrationState {
  /**
   * The volumes.
   */
  migratedVolumes?: StorageMigratedVolumeInfo[];
}

/**
 * Whether a volume can be snapshotted.
 */
export interface VolumeSnapshotStatus {
  /**
   * Whether the volume can be snapshotted.
   */
  enabled: boolean;
  /**
   * The volume.
   */
  name: string;
  /**
   * Reason why the volume cannot be snapshotted.
   */
  reason?: string;
}

/**
 * A volume of a running guest.
 */
export interface VolumeStatus {
  /**
   * Container disk state.
   */
  containerDiskVolume?: ContainerDiskInfo;
  /**
   * Hotplug state.
   */
  hotplugVolume?: HotplugVolumeStatus;
  /**
   * Memory dump state.
   */
  memoryDumpVolume?: DomainMemoryDumpInfo;
  /**
   * Message for people.
   */
  message?: string;
  /**
   * The volume.
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
   * Device name in the guest: vda.
   */
  target: string;
}

/**
 * Volumes that are being replaced.
 */
export interface VolumeUpdateState {
  /**
   * Volumes that move to other claims.
   */
  volumeMigrationState?: VolumeMigrationState;
}

/**
 * A watchdog. Exactly one model.
 */
export interface Watchdog {
  /**
   * diag288, on s390x.
   */
  diag288?: Diag288Watchdog;
  /**
   * Intel's, on amd64. Default action: reset.
   */
  i6300esb?: I6300ESBWatchdog;
  /**
   * Name of the referenced object.
   */
  name: string;
}
